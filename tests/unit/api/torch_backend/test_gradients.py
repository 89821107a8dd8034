"""Gradients through compiled functions, beside those of PyTorch alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
F = torch.nn.functional


def gradients(function: Callable[..., Any], *arrays: Any) -> list[Any]:
    """The value of a function, and the gradients of a weighted sum of it."""
    arguments = [x.clone().requires_grad_() for x in arrays]
    y = function(*arguments)
    (y * torch.linspace(0, 1, y.numel()).view(y.shape)).sum().backward()
    return [y.detach(), *(x.grad for x in arguments)]


def check(function: Callable[..., Any], *arrays: Any) -> None:
    compiled = torch.compile(function, backend="opc")
    for own, expected in zip(
        gradients(compiled, *arrays), gradients(function, *arrays), strict=True
    ):
        torch.testing.assert_close(own, expected, rtol=1e-4, atol=1e-5)


MASKS: dict[str, dict[str, Any]] = {
    "none": {},
    "causal": {"is_causal": True},
    "added": {"attn_mask": torch.linspace(-2, 2, 16).view(4, 4)},
    "truth": {"attn_mask": torch.eye(4, dtype=torch.bool).roll(1, 0) | torch.eye(4).bool()},
    "grouped": {"enable_gqa": True},
}


@pytest.mark.filterwarnings("ignore:opc. runs in PyTorch")
@pytest.mark.parametrize("name", MASKS)
def test_attention(name: str) -> None:
    """PyTorch's gradient takes the logarithms of sums that the forward graph gives."""
    heads = 2 if name == "grouped" else 4
    q, k, v = (torch.randn(2, n, 4, 8) for n in (4, heads, heads))
    check(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, **MASKS[name]), q, k, v)


def test_products_of_transposed_results() -> None:
    """A part of the backward graph takes arguments between its calls."""
    check(lambda a, b: (a @ b).sin(), torch.randn(3, 4), torch.randn(4, 5))


@pytest.mark.filterwarnings("ignore:opc. runs in PyTorch")
@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_of_embeddings(mode: str) -> None:
    """Other results than the first are taken of PyTorch."""
    places, starts = torch.tensor([1, 2, 4, 5]), torch.tensor([0, 2])
    check(lambda table: F.embedding_bag(places, table, starts, mode=mode), torch.randn(10, 4))
