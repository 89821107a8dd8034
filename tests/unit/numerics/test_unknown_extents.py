"""One function for every extent: the bits of the interpreter, which knows the extents.

Of each function there are two versions of the loops at most: for short rows and for long ones, or
for few columns and for many.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import opc
from opc.dialects import element as el
from opc.errors import ArgumentError
from tests.unit.common.graphs import oracle
from tests.unit.common.tolerance import assert_same_bits

pytestmark = pytest.mark.sample(4)

BODIES = {
    "values": "%r = opc.reduce_sum %x {A}",
    "products": "%r = opc.reduce_prod %x {A}",
    "squares": "%y = opc.mul %x, %x\n%r = opc.reduce_sum %y {A}",
    "functions": "%y = opc.exp %x\n%r = opc.reduce_sum %y {A}",
    "beside": "%s = opc.reduce_sum %x {A}\n%m = opc.reduce_max %x {A}\n%r = opc.sub %s, %m",
    "kept": """
        %m = opc.reduce_max %x {axes = [AXIS], keepdims = true}
        %c = opc.sub %x, %m
        %e = opc.exp %c
        %s = opc.reduce_sum %e {axes = [AXIS], keepdims = true}
        %q = opc.div %e, %s
        %r = opc.reduce_sum %q {A}""",
    "normalized": """
        %s = opc.reduce_sum %x {axes = [AXIS], keepdims = true}
        %q = opc.div %x, %s
        %r = opc.reduce_sum %q {A}""",
    "transposed": "%y = opc.transpose %x {permutation = [1, 0]}\n%r = opc.reduce_sum %y {A}",
}
"""What is reduced; a transposed operand is reduced along what are columns in memory."""
PLAIN = {"functions": "values", "kept": "normalized"}
"""What reduces exponentials as a body does."""
SCHEMAS = [
    (5, n) for n in (0, *range(1, 20), 31, 32, 33, 63, 64, 65, 100, 129, 511, 512, 777, 1024)
]
SCHEMAS += [
    (70, 7),
    (200, 31),
    (64, 16),
    (129, 33),
    (3, 8192),
    (2, 8193),
    (2, 20_000),
    (1, 140_000),
]
COLUMNS = [(n, 5) for n in (0, 1, 7, 8, 9, 96, 97, 1100, 1537)]
COLUMNS += [(300, n) for n in (1, 2, 3, 4, 11, 12, 13, 16, 17, 21, 31, 32, 33, 34, 63, 64, 65)]
COLUMNS += [(129, 1023), (130, 1025), (2, 2100), (70_000, 3), (20_000, 12), (17, 0)]


def text(body: str, axis: str, type: str, extents: tuple[int, int] | None) -> str:
    """A reduction along one axis, of extents that are known or named."""
    rows, columns = extents or ("N", "M")
    sizes = [str(rows), str(columns)]
    turned = sizes[::-1] if body == "transposed" else sizes

    def tensor(names: list[str]) -> str:
        marks = ["?" if name in ("N", "M") else name for name in names]
        return f"tensor<{'x'.join([*marks, type])}, #opc.dims<{', '.join(names)}>>"

    result = [n for k, n in enumerate(turned) if str(k) != axis]
    lines = BODIES[body].replace("{A}", f"{{axes = [{axis}], keepdims = false}}")
    return f"""
        func.func @main(%x: {tensor(sizes)}) -> {tensor(result)} {{
          {lines.replace("AXIS", axis)}
          func.return %r : {tensor(result)}
        }}"""


@cache
def exponential(type: str) -> opc.Function:
    """The exponential of any matrix."""
    t = f"tensor<?x?x{type}, #opc.dims<N, M>>"
    return opc.compile(f"func.func @main(%x: {t}) -> {t} {{\n%y = opc.exp %x\nreturn %y : {t}\n}}")


@pytest.mark.sample(96)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("type", ["f32", "f64", "f16"])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("axis", ["0", "1"])
def test_bits(axis: str, body: str, type: str, threads: int) -> None:
    function = opc.compile(text(body, axis, type, None), cache=None, threads=threads)
    rng, exp = np.random.default_rng(7), exponential(type)
    for extents in COLUMNS if (axis == "0") != (body == "transposed") else SCHEMAS:
        x = rng.normal(size=extents) * np.exp2(rng.integers(-3, 4, extents))
        x = x.astype(el.BY_NAME[type].dtype)
        plain, given = body, x
        if body in ("functions", "kept") and x.size:
            # NumPy's exponentials have other bits.
            least = x.max(int(axis), keepdims=True) if body == "kept" else x.dtype.type(0)
            plain, given = PLAIN[body], exp(x - least)
        wanted = oracle(text(plain, axis, type, extents), [given])
        assert_same_bits(function(x), wanted[0], f"{body} of {extents}, along {axis}")


@pytest.mark.parametrize("columns", [2, 17, 33, 40, 513, 1000, 3000])
@pytest.mark.parametrize("type", ["f32", "f64"])
def test_known_columns_of_unknown_rows(columns: int, type: str) -> None:
    """Sums down columns that are more than a block, or fewer, in each row of an unknown number."""
    unknown = f"""func.func @main(%x: tensor<{columns}x?x4x{type}, #opc.dims<{columns}, N, 4>>)
        -> tensor<?x{columns}x{type}, #opc.dims<N, {columns}>> {{
      %t = opc.transpose %x {{permutation = [2, 1, 0]}}
      %r = opc.reduce_log_sum_exp %t {{axes = [0]}}
      return %r : tensor<?x{columns}x{type}, #opc.dims<N, {columns}>>
    }}"""
    named = opc.compile(unknown)
    for rows in (0, 1, 5):
        known = unknown.replace("?", str(rows)).replace("N", str(rows))
        x = np.random.default_rng(rows).normal(size=(columns, rows, 4))
        x = x.astype(type.replace("f", "float"))
        assert_same_bits(named(x), opc.compile(known)(x))


def test_a_table_that_is_cut_to_a_length() -> None:
    """Positions fit rows up to the length of their table, and one row; more rows are refused."""
    rows, table = "tensor<?x4xf32, #opc.dims<N, 4>>", "tensor<8x4xf32>"
    add = opc.compile(
        f"""
func.func @main(%x: {rows}, %t: {table}) -> {rows} {{
  %p = opc.slice %t {{starts = [0, 0], stops = #opc.dims<N, 4>, steps = [1, 1]}} : {table}
  %y = opc.add %x, %p
  func.return %y : {rows}
}}""",
        cache=None,
    )
    t = np.arange(32, dtype=np.float32).reshape(8, 4)
    for count in (0, 1, 3, 8):
        x = np.ones((count, 4), np.float32)
        assert (add(x, t) == x + t[:count]).all()
    for count in (9, 600):
        with pytest.raises(ArgumentError, match=f"do not broadcast: {count} and 8"):
            add(np.ones((count, 4), np.float32), t)
