"""Rows of unknown extent, which go as one loop over all points where they are short."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects import element as el
from tests.unit.common.graphs import oracle
from tests.unit.common.samples import between_guards, is_untouched
from tests.unit.common.tolerance import assert_same_bits

pytestmark = pytest.mark.sample(16)

Array = np.ndarray[Any, np.dtype[Any]]
WHOLE = "LMN"
SIDES = ("N", "M1", "L11", "M1", "L1N", "LM1", "1MN")
"""What second operands have: one value for each place of a row, for each row, and the like."""
SHAPES = (
    *((3, 5, n) for n in range(1, 41)),
    *((1, 40, n) for n in (15, 16, 17, 40)),
    *((2, 700, 5), (700, 2, 16), (40, 130, 13), (1, 4, 255), (2, 3, 257), (5, 7, 1024)),
    *((1, 1, 3), (0, 3, 4), (3, 0, 4), (3, 4, 0)),
)


def tensor(names: str, type: str) -> str:
    """A type; 1 is an extent of 1, a letter one that only a run knows."""
    marks = "x".join(n if n == "1" else "?" for n in names)
    return f"tensor<{marks}x{type}, #opc.dims<{', '.join(names)}>>"


def simple(type: str) -> str:
    """A difference with each of the second operands."""
    whole = tensor(WHOLE, type)
    given = ", ".join(f"%y{k}: {tensor(names, type)}" for k, names in enumerate(SIDES))
    lines = "\n".join(f"  %r{k} = opc.sub %x, %y{k}" for k in range(len(SIDES)))
    results = ", ".join(f"%r{k}" for k in range(len(SIDES)))
    types = ", ".join([whole] * len(SIDES))
    return f"""func.func @main(%x: {whole}, {given}) -> ({types}) {{
{lines}
  func.return {results} : {types}
}}"""


def operand(names: str, extents: tuple[int, ...], type: str, seed: int) -> Array:
    dims = dict(zip(WHOLE, extents, strict=True)) | {"1": 1}
    rng = np.random.default_rng(seed + sum(extents))
    return (rng.standard_normal([dims[n] for n in names]) * 20).astype(el.BY_NAME[type].dtype)


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize(
    ("type", "threads"),
    [*((type, 1) for type in ("f32", "f64", "f16", "bf16", "i8", "i64")), ("f32", 2)],
)
def test_every_value(type: str, threads: int, fuse: bool) -> None:
    # Only where kernels are fused is a row of f16 converted as it is laid out.
    text = simple(type)
    function = opc.compile(text, fuse=fuse, threads=threads)
    for extents in SHAPES:
        given = [operand(names, extents, type, k) for k, names in enumerate((WHOLE, *SIDES))]
        wanted = oracle(text, given)
        outs = [between_guards(extents, el.BY_NAME[type].dtype) for _ in SIDES]
        function(*given, out=tuple(out for out, _ in outs))
        for names, (found, around), expected in zip(SIDES, outs, wanted, strict=True):
            assert_same_bits(found, expected, f"{extents} with {names}")
            assert is_untouched(around), f"{extents} with {names}"


FUNCTIONS = {
    "weighted": ("LM1", "%s = opc.sigmoid %x\n%p = opc.mul %s, %x\n%r = opc.mul %p, %y"),
    "of a row": ("1MN", "%s = opc.exp %y\n%r = opc.mul %s, %x"),
    "of each row": ("LM1", "%s = opc.tanh %y\n%r = opc.sub %x, %s"),
}


@cache
def alone(name: str, type: str) -> opc.Function:
    """A function of a plain vector."""
    vector = tensor("N", type)
    return opc.compile(
        f"func.func @main(%x: {vector}) -> {vector} {{\n"
        f"  %r = opc.{name} %x\n  func.return %r : {vector}\n}}"
    )


def expected(name: str, x: Array, y: Array, type: str) -> Array:
    """Each operator on its own, rounded to the type."""

    def of(function: str, values: Array) -> Array:
        flat: Any = alone(function, type)(np.ascontiguousarray(values.reshape(-1)))
        return flat.reshape(values.shape)

    if name == "weighted":
        return of("sigmoid", x) * x * y
    return of("exp", y) * x if name == "of a row" else x - of("tanh", y)


@pytest.mark.parametrize("type", ["f32", "f16"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_have_the_bits_of_vectors(name: str, type: str) -> None:
    names, body = FUNCTIONS[name]
    whole, other = tensor(WHOLE, type), tensor(names, type)
    function = opc.compile(
        f"func.func @main(%x: {whole}, %y: {other}) -> {whole} {{\n{body}\n"
        f"func.return %r : {whole}\n}}"
    )
    for extents in SHAPES:
        # Few enough that no exponential is too large for f16.
        x, y = (operand(n, extents, type, k) / 4 for k, n in enumerate((WHOLE, names)))
        x, y = x.astype(el.BY_NAME[type].dtype), y.astype(el.BY_NAME[type].dtype)
        with np.errstate(over="ignore"):
            wanted = expected(name, x, y, type)
        found: Any = function(x, y)
        assert_same_bits(found, wanted, str(extents))
