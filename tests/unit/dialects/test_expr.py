"""Expressions mean what their values say: every simplification is compared with plain integers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from xdsl.parser import Parser

from opc.dialects import expr as ex
from opc.dialects.bounds import greatest, is_extent
from opc.dialects.budgets import BudgetExceeded, Budgets, applied
from opc.dialects.expr import Expr, const, dim, sym
from opc.dialects.layout import delinearize, linearize, recombine
from opc.dialects.opc.parts import positions_of
from opc.dialects.registry import context
from opc.dialects.shape import IndexAttr

pytestmark = pytest.mark.smoke

SYMBOLS = ("N", "M", "batch")
EXTENTS = (const(7), sym("N"), sym("N") * sym("M"), const(1), sym("batch"), const(12))
"""Extents of d0, d1, ...: static, symbolic and products, as in a real nest."""
RANGES = dict(enumerate(EXTENTS))

many = settings(max_examples=150, deadline=None, derandomize=True)


@dataclass(frozen=True)
class Point:
    """Values for symbols, and for dimensions within their extents."""

    dims: Mapping[int, int]
    symbols: Mapping[str, int]


@st.composite
def points(draw: st.DrawFn) -> Point:
    """A place inside the iteration space; extents are at least 1, since others have no points."""
    symbols = {name: draw(st.integers(1, 9)) for name in SYMBOLS}
    dims: dict[int, int] = {}
    for k, extent in enumerate(EXTENTS):
        dims[k] = draw(st.integers(0, extent.evaluate({}, symbols) - 1))
    return Point(dims, symbols)


atoms = st.one_of(
    st.integers(-9, 9).map(const),
    st.sampled_from(range(len(EXTENTS))).map(dim),
    st.sampled_from(SYMBOLS).map(sym),
)
extents = st.one_of(
    st.integers(1, 12).map(const),
    st.sampled_from(SYMBOLS).map(sym),
    st.tuples(st.sampled_from(SYMBOLS), st.integers(1, 4)).map(lambda p: sym(p[0]) * p[1]),
    st.just(sym("N") * sym("M")),
)
polynomials = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        inner.map(lambda e: -e),
    ),
    max_leaves=6,
)
expressions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] - p[1]),
        st.tuples(inner, atoms).map(lambda p: p[0] * p[1]),
        st.tuples(inner, extents).map(lambda p: ex.floordiv(*p)),
        st.tuples(inner, extents).map(lambda p: ex.mod(*p)),
        st.tuples(inner, extents).map(lambda p: ex.floordiv(*p, RANGES)),
        st.tuples(inner, extents).map(lambda p: ex.mod(*p, RANGES)),
        st.tuples(inner, inner).map(lambda p: ex.minimum(*p)),
        inner.map(ex.nonunit),
    ),
    max_leaves=8,
)
"""Anything at all, negative values among them."""
indices = st.recursive(
    st.one_of(st.integers(0, 9).map(const), st.sampled_from(range(len(EXTENTS))).map(dim)),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, extents).map(lambda p: p[0] * p[1]),
        st.tuples(inner, extents).map(lambda p: ex.floordiv(*p, RANGES)),
        st.tuples(inner, extents).map(lambda p: ex.mod(*p, RANGES)),
    ),
    max_leaves=8,
)
"""What index maps are made of: never negative."""


few = st.integers(1, 5).map(const)
sizes = st.recursive(
    st.one_of(st.integers(0, 9).map(const), st.sampled_from(SYMBOLS).map(sym)),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, inner).map(lambda p: ex.minimum(*p)),
        st.tuples(inner, inner).map(lambda p: ex.maximum(*p)),
        st.tuples(inner, inner).map(lambda p: p[0] - ex.minimum(*p)),
        st.tuples(inner, few).map(lambda p: ex.floordiv(*p)),
        st.tuples(inner, few).map(lambda p: ex.mod(*p)),
        st.tuples(inner, few).map(lambda p: ex.atleast(*p)),
        inner.map(ex.nonunit),
    ),
    max_leaves=7,
)
"""What extents are made of: never negative."""


def value(e: Expr, at: Point) -> int:
    return e.evaluate(at.dims, at.symbols)


def parsed(text: str) -> Expr:
    return IndexAttr(IndexAttr.parse_parameter(Parser(context(), f"<{text}>"))).data[0]


@many
@given(expressions, expressions, points())
def test_arithmetic(a: Expr, b: Expr, at: Point) -> None:
    x, y = value(a, at), value(b, at)
    assert value(a + b, at) == x + y
    assert value(a - b, at) == x - y
    assert value(a * b, at) == x * y
    assert value(-a, at) == -x
    assert value(3 - a, at) == 3 - x
    assert value(ex.minimum(a, b), at) == min(x, y)
    assert value(ex.nonunit(a), at) == int(x != 1)


@many
@given(polynomials, polynomials, polynomials)
def test_equal_polynomials_are_equal_objects(a: Expr, b: Expr, c: Expr) -> None:
    for left, right in (
        (a + b, b + a),
        (a * b, b * a),
        (a * (b + c), c * a + b * a),
        ((a + b) - b, a),
        (a - a, const(0)),
        ((a * b) * c, a * (b * c)),
    ):
        assert left == right
        assert hash(left) == hash(right)
        assert str(left) == str(right)


@many
@given(expressions, extents, points())
def test_division(e: Expr, d: Expr, at: Point) -> None:
    """With and without ranges, and of values below 0 too."""
    x, y = value(e, at), value(d, at)
    for ranges in (None, RANGES):
        assert value(ex.floordiv(e, d, ranges), at) == x // y
        assert value(ex.mod(e, d, ranges), at) == x % y


@many
@given(indices, extents, points())
def test_division_of_indices(e: Expr, d: Expr, at: Point) -> None:
    quotient, rest = ex.floordiv(e, d, RANGES), ex.mod(e, d, RANGES)
    assert value(quotient, at) == value(e, at) // value(d, at)
    assert value(rest, at) == value(e, at) % value(d, at)
    assert value(recombine(quotient * d + rest), at) == value(e, at)


@many
@given(sizes, sizes, sizes, points(), st.integers(0, 3))
def test_greatest(a: Expr, b: Expr, c: Expr, at: Point, factor: int) -> None:
    """Where symbols are 0, too."""
    empty = Point({}, dict.fromkeys(SYMBOLS, 0))
    quotients = [ex.floordiv(a + factor, n) * n * 2 - a * 2 - b for n in (1, 2, 3)]
    minima = ex.minimum(a, b) - c, c - ex.minimum(c - ex.minimum(a, c), b)
    for e in (a, -a, a * factor - b, *minima, *quotients):
        most = greatest(e)
        for point in (at, empty):
            assert most is None or value(e, point) <= most, (e, most)
            assert not is_extent(e) or value(e, point) >= 0, e


@pytest.mark.parametrize("end", [2**31 - 1, 2**62, 5])
def test_greatest_of_the_last_element(end: int) -> None:
    """``x[-1:end]`` has one element at most, whatever x has."""
    n, most = sym("N"), ex.minimum(end, sym("N"))
    length = most - ex.minimum(n - ex.minimum(1, n), most)
    assert [greatest(length * k + 1) for k in (1, 2, 3)] == [2, 3, 4]
    assert greatest(n) is None and greatest(n - ex.minimum(n, 7)) is None
    assert greatest(ex.minimum(4, n) * 2 - 3) == 5
    half = ex.floordiv(n + 1, 2)
    assert greatest(half * 2 - n) == 1 and greatest(half - n) is None
    assert greatest(ex.floordiv(half + 1, 2) * 2 - half) == 1
    assert greatest(ex.floordiv(ex.minimum(n, 5), 2) * 2) == 4


@many
@given(indices, points())
def test_upper_bound(e: Expr, at: Point) -> None:
    bound = ex.upper_bound(e, RANGES)
    assume(bound is not None)
    assert bound is not None
    assert not bound.dims()
    assert value(e, at) <= value(bound, at)


def test_upper_bound_of_a_block() -> None:
    start = ex.dim(0)
    end = ex.minimum(start + 16, ex.const(300))
    assert ex.upper_bound(end * 3 - start * 3, {}) == 48
    assert ex.upper_bound(start - end, {}) is None


@many
@given(expressions, points())
def test_recombine(e: Expr, at: Point) -> None:
    assert value(recombine(e), at) == value(e, at)


@many
@given(expressions, st.lists(polynomials, min_size=3, max_size=3), points())
def test_substitute(e: Expr, given_: list[Expr], at: Point) -> None:
    """Replacing dimensions by expressions is evaluating at what these are."""
    places: dict[int, Expr] = {}
    for k, x in zip((0, 1, 4), given_, strict=True):
        # The ranges that e was simplified with hold for its own dimensions.
        is_inside = 0 <= value(x, at) < value(EXTENTS[k], at)
        places[k] = x if is_inside else ex.mod(x, EXTENTS[k])
    dims = dict(at.dims) | {k: value(x, at) for k, x in places.items()}
    assert value(e.substitute(places), at) == e.evaluate(dims, at.symbols)


def test_what_one_budget_allows_another_one_refuses() -> None:
    """Results are remembered, but not beyond the limits that they were computed under."""
    long = Expr.of(0)
    for k in range(20):
        long += sym(f"n{k}")
    e = dim(0) * 3 + 1
    assert len(e.substitute({0: long}).terms) == 21
    for compute in (
        lambda: e.substitute({0: long}),
        lambda: long + 1,
        lambda: 1 - long,
        lambda: long * (dim(0) + 1),
    ):
        compute()
        with applied(Budgets(terms=20)), pytest.raises(BudgetExceeded):
            compute()


@many
@given(expressions, st.sampled_from(SYMBOLS), points())
def test_substitute_symbols(e: Expr, name: str, at: Point) -> None:
    known = {name: const(at.symbols[name])}
    assert value(e.substitute(known), at) == value(e, at)
    assert name not in e.substitute(known).symbols()


@many
@given(expressions, points())
def test_text_reads_back(e: Expr, at: Point) -> None:
    again = parsed(str(e))
    assert value(again, at) == value(e, at)
    assert str(parsed(str(again))) == str(again)


@many
@given(polynomials)
def test_polynomials_read_back(e: Expr) -> None:
    assert parsed(str(e)) == e


@many
@given(indices)
def test_indices_read_back(e: Expr) -> None:
    assert parsed(str(e)) == e


@many
@given(expressions, st.integers(0, 5), points())
def test_coefficient(e: Expr, d: int, at: Point) -> None:
    """Linear in a dimension: one step more changes the value by the coefficient."""
    step = e.coefficient(d)
    if step is None:
        assert d in e.dims()
        return
    moved = dict(at.dims) | {d: at.dims[d] + 1}
    assert e.evaluate(moved, at.symbols) - value(e, at) == value(step, at)


shapes = st.lists(extents, max_size=4).map(tuple)


@many
@given(shapes, points())
def test_round_trip(shape: tuple[Expr, ...], at: Point) -> None:
    """An index, its offset and back: nothing is left to divide."""
    index = tuple(dim(k) for k in range(len(shape)))
    ranges = dict(enumerate(shape))
    offset = linearize(index, shape)
    again = delinearize(offset, shape, ranges)
    wanted = tuple(const(0) if e == 1 else i for i, e in zip(index, shape, strict=True))
    assert again == wanted
    sizes = [value(e, at) for e in shape]
    place = [(7 * k + 3) % n for k, n in enumerate(sizes)]
    assert offset.evaluate(dict(enumerate(place)), at.symbols) == (
        np.ravel_multi_index(place, sizes) if place else 0
    )


@many
@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.data())
def test_reshape(shape: list[int], data: st.DataObject) -> None:
    """An index after a reshape leads to the element before it."""
    count = math.prod(shape)
    first = data.draw(st.sampled_from([k for k in range(1, count + 1) if count % k == 0]))
    before, after = (const(first), const(count // first)), tuple(map(const, shape))
    index = tuple(dim(k) for k in range(len(shape)))
    there = delinearize(linearize(index, after), before, dict(enumerate(after)))
    for place in np.ndindex(*shape):
        at = dict(enumerate(place))
        found = np.ravel_multi_index([e.evaluate(at, {}) for e in there], (first, count // first))
        assert found == np.ravel_multi_index(place, shape)
    back = linearize(there, before)
    for place in np.ndindex(*shape):
        at = dict(enumerate(place))
        assert back.evaluate(at, {}) == np.ravel_multi_index(place, shape)


@many
@given(st.lists(st.sampled_from([1, 5]), min_size=2, max_size=5), st.randoms())
def test_broadcast(extents: list[int], random: object) -> None:
    """One form for all orders, and the right extent where all fit."""
    names = [sym(f"S{k}") for k in range(len(extents))]
    symbols = {f"S{k}": n for k, n in enumerate(extents)}
    forward, backward = names[0], names[-1]
    for e in names:
        forward = ex.broadcast(forward, e)
    for e in reversed(names):
        backward = ex.broadcast(e, backward)
    assert forward == backward
    assert forward.evaluate({}, symbols) == max(extents)
    assert parsed(str(forward)) == forward


def test_broadcast_of_constants() -> None:
    n = sym("N")
    assert ex.broadcast(n, 1) == ex.broadcast(1, n) == n
    assert ex.broadcast(n, 4) == ex.broadcast(4, n) == 4
    assert ex.broadcast(n, n) == n
    assert ex.broadcast(n, 0) == 0


@pytest.mark.parametrize(
    "text, printed",
    [
        ("d1 + 8*d0", "d0*8 + d1"),
        ("(N + 1)*(N - 1)", "N*N - 1"),
        ("d0 - d0", "0"),
        ("2 - d0", "-d0 + 2"),
        ("floordiv(d0*8 + 12, 8)", "d0 + 1"),
        ("floordiv(12, 8)", "1"),
        ("mod(-1, 4)", "3"),
        ("floordiv(-1, 4)", "-1"),
        ("floordiv(floordiv(d0, 4), 8)", "floordiv(d0, 32)"),
        ("mod(mod(d0, 4), 4)", "mod(d0, 4)"),
        ("mod(d0*N + d1, N)", "mod(d1, N)"),
        ("min(N + 8, N)", "N"),
        ("nonunit(1)", "0"),
        ("atleast(N + 2, N)", "1"),
        ("d10 + d2", "d2 + d10"),
    ],
)
def test_normal_form(text: str, printed: str) -> None:
    assert str(parsed(text)) == printed


@pytest.mark.parametrize(
    "text, d, quotient, rest",
    [
        ("d0*12 + d1", "48", "floordiv(d0, 4)", "mod(d0, 4)*12 + d1"),
        ("d0*48 + d1*4", "192", "floordiv(d0, 4)", "mod(d0, 4)*48 + d1*4"),
        ("d0*24 + d2", "48", "floordiv(d0*24 + d2, 48)", "mod(d0*24 + d2, 48)"),
        ("d0*N + d3", "N*4", "floordiv(d0, 4)", "N*mod(d0, 4) + d3"),
        ("d4*12 + d1", "96", "0", "d4*12 + d1"),
    ],
)
def test_divisor_with_a_common_factor(text: str, d: str, quotient: str, rest: str) -> None:
    ranges = {0: const(32), 1: const(12), 2: const(25), 3: ex.sym("N"), 4: const(8)}
    e, divisor = parsed(text), parsed(d)
    assert ex.floordiv(e, divisor, ranges) == parsed(quotient)
    assert ex.mod(e, divisor, ranges) == parsed(rest)


def test_upper_bound_of_a_quotient() -> None:
    ranges = {0: const(32)}
    assert ex.mod(ex.floordiv(dim(0), 8), 4, ranges) == ex.floordiv(dim(0), 8)
    assert ex.mod(ex.floordiv(dim(0), 8), 3, ranges) != ex.floordiv(dim(0), 8)


def test_arrays_of_points() -> None:
    """evaluate() takes NumPy arrays for dimensions, as the interpreter does."""
    d0, d1 = np.ogrid[:3, :4]
    e = dim(0) * 4 + ex.mod(dim(1), 3) + ex.floordiv(dim(1), 3) + ex.minimum(dim(0), dim(1))
    wanted = d0 * 4 + d1 % 3 + d1 // 3 + np.minimum(d0, d1)
    np.testing.assert_array_equal(e.evaluate({0: d0, 1: d1}, {}), wanted)


@pytest.mark.parametrize("stride", [1, 2, 3, 5])
@pytest.mark.parametrize("reach", [1, 2, 3, 4])
def test_positions_of_windows(reach: int, stride: int) -> None:
    positions = positions_of(sym("N"), reach, stride)
    for n in range(12):
        begins = [k for k in range(0, n, stride) if k + reach <= n]
        assert positions.substitute({"N": const(n)}).constant == len(begins)
    # What does not overlap is divided, so that extents of networks that pool often stay short.
    assert ("min" in str(positions)) == (stride < reach)
