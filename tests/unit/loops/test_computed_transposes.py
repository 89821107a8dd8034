"""Permutations of what is computed of several operands, known and unknown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from tests.unit.common.samples import between_guards, is_untouched

pytestmark = pytest.mark.sample(128)

Array = np.ndarray[Any, Any]
DTYPES: dict[str, Any] = {
    "i8": np.int8, "f16": np.float16, "f32": np.float32, "f64": np.float64,
}  # fmt: skip
SHAPES = [
    ((200, 96), (1, 0)),
    ((33, 300), (1, 0)),
    ((300, 65), (1, 0)),  # a last block of one column
    ((1000, 12), (1, 0)),
    ((70, 90, 7), (2, 0, 1)),
    ((8, 60, 70, 10), (0, 3, 1, 2)),
    ((50, 3, 7, 40), (3, 0, 2, 1)),
    ((3, 7, 5, 100), (3, 2, 1, 0)),
    ((40, 3, 20), (0, 2, 1)),
    ((9, 5, 300), (0, 2, 1)),
    ((100, 7, 2), (1, 2, 0)),
]


def graph(
    shape: tuple[int, ...], order: tuple[int, ...], type: str, body: str, known: bool = True
) -> str:
    rank = len(shape)

    def tensor(axes: list[int | None]) -> str:
        """The type with these axes of the shape, where None is an extent of 1."""
        dims = [1 if k is None else shape[k] if known else "?" for k in axes]
        names = ", ".join("1" if k is None else f"N{k}" for k in axes)
        text = "x".join(map(str, [*dims, type]))
        return f"tensor<{text}>" if known else f"tensor<{text}, #opc.dims<{names}>>"

    whole, turned = tensor(list(range(rank))), tensor(list(order))
    column, row = tensor([*range(rank - 1), None]), tensor([*[None] * (rank - 1), rank - 1])
    return f"""
      func.func @main(%x: {whole}, %y: {whole}, %z: {whole}, %c: {column}, %w: {row}) -> {turned} {{
        {body}
        %r = opc.transpose %a {{permutation = {list(order)}}}
        return %r : {turned}
      }}"""


BODIES: dict[str, tuple[str, Any]] = {
    "x": ("%a = opc.neg %x", lambda x, y, z, c, w: -x),
    "x-y": ("%a = opc.sub %x, %y", lambda x, y, z, c, w: x - y),
    "x-y+z": (
        "%s = opc.sub %x, %y\n %a = opc.add %s, %z",
        lambda x, y, z, c, w: x - y + z,
    ),
    "x-c": ("%a = opc.sub %x, %c", lambda x, y, z, c, w: x - c),
    "x*w-c": (
        "%s = opc.mul %x, %w\n %a = opc.sub %s, %c",
        lambda x, y, z, c, w: x * w - c,
    ),
}


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize(("shape", "order"), SHAPES, ids=str)
def test_results(shape: tuple[int, ...], order: tuple[int, ...], type: str, known: bool) -> None:
    rng = np.random.default_rng(len(shape))
    dims = [shape, shape, shape, (*shape[:-1], 1), (*(1 for _ in shape[:-1]), shape[-1])]
    arrays = [rng.integers(-5, 6, d).astype(DTYPES[type]) for d in dims]
    for body, meaning in BODIES.values():
        f = opc.compile(graph(shape, order, type, body, known), cache=None, verify_each=True)
        expected = meaning(*arrays).transpose(order)
        out, guards = between_guards(expected.shape, DTYPES[type])
        f(*arrays, out=out)
        np.testing.assert_array_equal(out, expected)
        assert is_untouched(guards)
