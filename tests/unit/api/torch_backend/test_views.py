"""Results that are views of arguments, and arguments whose axes lie in another order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore:opc. runs in PyTorch")

HALVES: dict[str, Callable[[Any], Any]] = {
    "chunk": lambda x: x.chunk(2, -1),
    "slice": lambda x: [x[:, x.shape[1] // 2 :]],
    "split": lambda x: x.split(x.shape[1] // 2, 1),
    "select": lambda x: [x[x.shape[0] // 2]],
}
PARTS: dict[str, Callable[[Any, int], Any]] = {
    "first": lambda x, n: x[:, :n],
    "middle": lambda x, n: x[:, n : n + 2],
    "row": lambda x, n: x.narrow(0, n % 2, 1),
}


@pytest.mark.parametrize("name", HALVES)
def test_views_where_extents_change(name: str) -> None:
    function = HALVES[name]
    compiled = torch.compile(function, backend="opc")
    for extent in (4, 6, 8):
        x = torch.arange(2.0 * extent).view(2, extent)
        for own, expected in zip(compiled(x), function(x), strict=True):
            assert own.tolist() == expected.tolist()
            assert own.stride() == expected.stride()
            assert own.storage_offset() == expected.storage_offset()


@pytest.mark.parametrize("name", PARTS)
def test_views_at_numbers(name: str) -> None:
    compiled, x = torch.compile(PARTS[name], backend="opc"), torch.arange(24.0).view(3, 8)
    for number in (1, 2, 3):
        assert compiled(x, number).tolist() == PARTS[name](x, number).tolist()


def test_strides_within_a_part_of_a_tensor() -> None:
    """The offset counts from where the memory starts, which an address does not tell."""
    whole = torch.arange(40.0)

    def function(x: Any) -> Any:
        return x.as_strided((2, 2), (1, 2), 1) + 1

    part = whole[3:9].view(2, 3)
    assert torch.compile(function, backend="opc")(part).tolist() == function(part).tolist()


def test_channels_last_between_calls() -> None:
    layers = torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(), torch.nn.Conv2d(4, 2, 1)
    module = torch.nn.Sequential(*layers)
    x = torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last)
    with torch.no_grad():
        torch.testing.assert_close(torch.compile(module, backend="opc")(x), module(x))
