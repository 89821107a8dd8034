"""What is refused, and what the errors say."""

from __future__ import annotations

from typing import Any

import pytest

import opc
from opc.errors import UnsupportedError, UsageError

from .torch_modules import Module, exported, torch


def refused(function: Any, *args: Any) -> str:
    module = function if isinstance(function, torch.nn.Module) else Module(function)
    with pytest.raises(UnsupportedError) as caught:
        opc.compile(exported(module, *args))
    return str(caught.value)


def test_all_operators_are_listed_with_the_place() -> None:
    class Random(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.rand_like(x) + torch.fft.rfft(x).real.sum() + torch.rand_like(x)

    text = refused(Random(), torch.randn(2, 3))
    assert text.startswith(__file__)
    assert "aten.rand" in text and "x 2" in text
    assert "_fft_r2c.default: complex numbers" in text


def test_training_changes_buffers() -> None:
    text = refused(torch.nn.BatchNorm1d(3), torch.randn(2, 3))
    assert "running_mean" in text and "eval()" in text


def test_operators_in_graphs() -> None:
    def function(x: Any) -> Any:
        return torch.cond(x.sum() > 0, torch.rand_like, torch.clone, (x,))

    assert "cond.default: aten.rand" in refused(function, torch.randn(2))


def test_random_numbers_of_dropout() -> None:
    assert "random" in refused(torch.nn.Dropout(), torch.randn(2))


def test_complex_weights() -> None:
    def function(x: Any) -> Any:
        return (x * torch.complex(x, x)).real

    assert "complex" in refused(function, torch.randn(2))


def test_numbers_that_data_decide() -> None:
    def function(x: Any) -> Any:
        return x[: x.sum().long().abs().item() % 3]

    assert "data decide a number of Python" in refused(function, torch.randn(4))


def test_arguments_that_change() -> None:
    text = refused(lambda x: x.add_(1), torch.randn(2))
    assert "changes no input" in text and "eval()" not in text


def test_a_module_that_is_not_exported() -> None:
    with pytest.raises(UsageError, match=r"not Linear; .*torch\.export\.export\(module, args\)"):
        opc.compile(torch.nn.Linear(2, 2))
