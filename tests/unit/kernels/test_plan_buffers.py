"""Tensors that are alive together lie beside each other, and others share room."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32
from xdsl.ir import Block

from opc.dialects import expr as ex
from opc.dialects.expr import Expr, const, sym
from opc.support.workspace import ALIGNMENT, Slot, place

ROUNDED = ex.floordiv(sym("N") * 4 + (ALIGNMENT - 1), ALIGNMENT) * ALIGNMENT
SYMBOLIC = (ROUNDED, ROUNDED * 2, ex.floordiv(sym("M") + 63, 64) * 64)

sizes = st.one_of(st.integers(0, 9).map(lambda n: const(n * ALIGNMENT)), st.sampled_from(SYMBOLIC))
lives = st.tuples(sizes, st.integers(0, 12), st.integers(0, 5))


def slots_of(drawn: Sequence[tuple[Expr, int, int]]) -> list[Slot]:
    values = Block(arg_types=[f32] * len(drawn)).args
    made = [Slot(v, size, at, at + n) for v, (size, at, n) in zip(values, drawn, strict=True)]
    return sorted(made, key=lambda s: s.first)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(lives, max_size=14), st.integers(0, 40), st.integers(0, 200))
def test_no_overlap(drawn: list[tuple[Expr, int, int]], n: int, m: int) -> None:
    slots = slots_of(drawn)
    offsets, total = place(slots)
    symbols = {"N": n, "M": m}
    assert offsets.keys() == {s.value for s in slots}

    def number(e: Expr) -> int:
        return e.evaluate({}, symbols)

    spans = [(number(offsets[s.value]), number(s.size), s) for s in slots]
    for start, size, slot in spans:
        assert start % ALIGNMENT == 0
        assert start >= 0 and start + size <= number(total)
        for other_start, other_size, other in spans:
            together = slot.first <= other.last and other.first <= slot.last
            if other is not slot and together and size and other_size:
                assert start + size <= other_start or other_start + other_size <= start
    assert number(total) <= sum(size for _, size, _ in spans)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.integers(1, 9).map(lambda n: const(n * ALIGNMENT)), st.integers(0, 12),
                  st.integers(0, 5)),
        min_size=1, max_size=14,
    )
)  # fmt: skip
def test_size_is_reasonable(drawn: list[tuple[Expr, int, int]]) -> None:
    """No plan can be smaller than what is alive at one time; this one is less than twice that."""
    slots = slots_of(drawn)
    _, total = place(slots)
    alive = [sum(s.size.constant or 0 for s in slots if s.first <= t <= s.last) for t in range(20)]
    assert max(alive) <= (total.constant or 0) < 2 * max(alive)


def test_a_chain_needs_two() -> None:
    """Each tensor is needed for the next one only."""
    for size in (const(1024), ROUNDED):
        slots = slots_of([(size, k, 1) for k in range(10)])
        offsets, total = place(slots)
        assert total == size * 2
        assert len({str(e) for e in offsets.values()}) == 2


def test_large_ones_of_unknown_size_share_a_region() -> None:
    """It is as large as the greatest of them, which only a run may know."""
    n, m = sym("N"), sym("M")
    chain = [n * 4096, m * 1024, n * 2048, m * 4096, n * 64]
    slots = slots_of([(size, k, 1) for k, size in enumerate(chain)])
    offsets, total = place(slots)
    most = ex.maximum(n * 4096, m * 4096)
    assert total == most + n * 2048 + m * 1024
    assert [offsets[s.value] for s in slots] == [0, most + n * 2048, most, 0, most]
    slots = slots_of([(size, 2 * k, 0) for k, size in enumerate(chain)])
    assert place(slots)[1] == most


def test_large_ones_come_first() -> None:
    slots = slots_of([(const(64), 0, 9), (const(640), 1, 8), (const(64), 2, 7)])
    offsets, total = place(slots)
    assert [offsets[s.value].constant for s in slots] == [640, 0, 704]
    assert total == 768


def test_nothing() -> None:
    assert place([]) == ({}, const(0))
