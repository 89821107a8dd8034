"""Collapsed loops visit the same elements in the same order."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opc.dialects import expr as ex
from opc.dialects.collapse import Collapsed, collapse
from opc.dialects.expr import Expr, const, dim, sym
from opc.dialects.layout import linearize


def rows(*strides: int | Expr, first: int = 0) -> Expr:
    """d0*s0 + d1*s1 + ..."""
    total = const(0)
    for k, stride in enumerate(strides):
        total = total + dim(first + k) * stride
    return total


def shapes(*extents: int | str) -> tuple[Expr, ...]:
    return tuple(sym(e) if isinstance(e, str) else const(e) for e in extents)


N, M = sym("N"), sym("M")


@pytest.mark.parametrize(
    "extents, offsets, collapsed",
    [
        (shapes(4, 8), [rows(8, 1)], shapes(32)),
        (shapes(4, 8), [rows(8, 1), rows(1, 4)], shapes(4, 8)),
        (shapes(2, 3, 4), [rows(12, 4, 1), rows(0, 4, 1)], shapes(2, 12)),
        (shapes(2, 3, 4), [rows(12, 4, 1), rows(4, 0, 1)], shapes(2, 3, 4)),
        (shapes(2, 3, 4), [rows(12, 4, 1), rows(0, 0, 1)], shapes(6, 4)),
        (shapes(1, 8, 1), [rows(8, 1, 1)], shapes(8)),
        (shapes(1, 1), [rows(1, 1)], ()),
        ((), [const(5)], ()),
        (shapes("M", "N"), [rows(N, 1)], (M * N,)),
        (shapes("M", "N"), [rows(M, 1)], shapes("M", "N")),
        (shapes(4, 8), [ex.floordiv(rows(8, 1), 3)], shapes(4, 8)),
        (shapes(4, 8), [], shapes(32)),
        (shapes(0, 8), [rows(8, 1)], shapes(0)),
    ],
)
def test_extents(
    extents: tuple[Expr, ...], offsets: list[Expr], collapsed: tuple[Expr, ...]
) -> None:
    assert collapse(0, extents, offsets).extents == collapsed


def test_numbers() -> None:
    """Dimensions 2 and 3 of a larger space become dimension 0 of a new one."""
    found = collapse(2, shapes(4, 8), [dim(0) * 32 + rows(8, 1, first=2)])
    places = {2: const(0), 3: dim(0)}
    assert found == Collapsed(shapes(32), places)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(st.integers(0, 4), max_size=4),
    st.lists(
        st.lists(st.sampled_from([0, 1, 2, 3, 4, 6, 8, 12]), min_size=4, max_size=4), max_size=3
    ),
    st.booleans(),
)
def test_same_elements_in_order(
    extents: list[int], strides: list[list[int]], row_major: bool
) -> None:
    shape = tuple(map(const, extents))
    offsets = [rows(*s[: len(extents)]) for s in strides]
    if row_major:
        offsets.append(linearize([dim(k) for k in range(len(shape))], shape))
    found = collapse(0, shape, offsets)
    new = [e.constant for e in found.extents]
    assert None not in new
    before = [
        [o.evaluate(dict(enumerate(point)), {}) for o in offsets]
        for point in itertools.product(*map(range, extents))
    ]
    moved = [o.substitute(found.places) for o in offsets]
    after = [
        [o.evaluate(dict(enumerate(point)), {}) for o in moved]
        for point in itertools.product(*(range(n or 0) for n in new))
    ]
    assert before == after
