"""Elementwise operators against the oracle: every operator, element type and shape class."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import AddOp, MaxOp, SubOp, WhereOp, XorOp
from opc.dialects.opc.unary import ExpOp, NegOp, ReluOp
from opc.errors import ArgumentError
from tests.unit.common import samples
from tests.unit.common.elementwise_cases import Case, cases, elementwise_operators
from tests.unit.common.graphs import RUNNERS, Emit, Runner, graph, oracle, tensor
from tests.unit.common.tolerance import assert_close, assert_same_bits

pytestmark = pytest.mark.sample(4)

WAYS = pytest.mark.parametrize("run", RUNNERS.values(), ids=list(RUNNERS))
TYPES = pytest.mark.parametrize("type", el.ELEMENTS, ids=str)


def text_of(chosen: list[Case], type: ElementType, *shape: int | str) -> str:
    """One function with every case as a result."""

    def body(emit: Emit, *args: SSAValue) -> list[SSAValue]:
        return [case.emit(emit, list(args)) for case in chosen]

    inputs = [tensor(type, *shape)] * 3 + [tensor(el.I1, *shape)]
    return graph(inputs, body)


def inputs_of(type: ElementType, count: int) -> list[np.ndarray]:
    """Operand pairs that meet every corner if there is room, a third operand, a condition."""
    first, second = samples.pairs(type)
    order = np.random.default_rng(count).permutation(max(count, len(first)))[:count] % len(first)
    third = samples.values(type, (count,), seed=3)
    return [first[order], second[order], third, samples.values(el.I1, (count,), seed=4)]


def check(text: str, chosen: list[Case], run: Runner, inputs: list[np.ndarray]) -> None:
    expected, actual = oracle(text, inputs), run(text)(*inputs)
    assert len(actual) == len(expected) == len(chosen)
    failures: list[str] = []
    for case, found, wanted in zip(chosen, actual, expected, strict=True):
        try:
            case.check(found, wanted, inputs)
        except AssertionError as e:
            failures.append(str(e))
    assert not failures, "\n".join(failures)


@pytest.mark.sample(32)
@WAYS
@TYPES
def test_every_operator_on_every_length(run: Runner, type: ElementType) -> None:
    chosen = list(cases(type))
    text = text_of(chosen, type, "N")
    everything = len(samples.pairs(type)[0])
    for length in (*samples.LENGTHS, 0, everything):
        check(text, chosen, run, inputs_of(type, length))


def test_no_operator_is_left_out() -> None:
    tried = {case.op for type in el.ELEMENTS for case in cases(type)}
    assert tried == set(elementwise_operators())


@WAYS
@pytest.mark.parametrize("type", [el.F32, el.BF16, el.BY_NAME["i8"]], ids=str)
@pytest.mark.parametrize("length", [1, 7, 9])
def test_static_lengths(run: Runner, type: ElementType, length: int) -> None:
    chosen = [c for c in cases(type) if c.op in (AddOp, MaxOp, WhereOp, ExpOp, NegOp, ReluOp)]
    check(text_of(chosen, type, length), chosen, run, inputs_of(type, length))


def check_bits(text: str, run: Runner, inputs: list[np.ndarray]) -> None:
    for found, wanted in zip(run(text)(*inputs), oracle(text, inputs), strict=True):
        assert_same_bits(found, wanted)


def binary_of(type: ElementType) -> Callable[[SSAValue, SSAValue], OpcOp]:
    """A binary operator that the type admits."""
    return XorOp if type is el.I1 else MaxOp


FEW = pytest.mark.parametrize("type", [el.F32, el.F16, el.BY_NAME["ui64"], el.I1], ids=str)


@WAYS
@FEW
def test_every_rank(run: Runner, type: ElementType) -> None:
    shapes = list(samples.SHAPES.values())

    def body(emit: Emit, *args: SSAValue) -> list[SSAValue]:
        return [emit(binary_of(type)(a, b)) for a, b in zip(args[::2], args[1::2], strict=True)]

    text = graph([tensor(type, *shape) for shape in shapes for _ in range(2)], body)
    check_bits(text, run, [samples.values(type, s, k) for s in shapes for k in range(2)])


@WAYS
@FEW
def test_broadcasts(run: Runner, type: ElementType) -> None:
    pairs = [pair for a, b in samples.BROADCASTS.values() for pair in ((a, b), (b, a))]

    def body(emit: Emit, *args: SSAValue) -> list[SSAValue]:
        operands = zip(args[::3], args[1::3], args[2::3], strict=True)
        return [emit(WhereOp(c, emit(binary_of(type)(a, b)), b)) for a, b, c in operands]

    inputs = [
        t for a, b in pairs for t in (tensor(type, *a), tensor(type, *b), tensor(el.I1, *b[-1:]))
    ]
    arrays = [
        x
        for k, (a, b) in enumerate(pairs)
        for x in (
            samples.values(type, a, k),
            samples.values(type, b, k + 1),
            samples.values(el.I1, b[-1:], k + 2),
        )
    ]
    check_bits(graph(inputs, body), run, arrays)


def unknown_extents() -> str:
    """Operands of ranks 3, 2 and 0, no extent of which is known."""

    def body(emit: Emit, a: SSAValue, b: SSAValue, c: SSAValue) -> list[SSAValue]:
        return [emit(SubOp(emit(AddOp(a, b)), c)), emit(ExpOp(emit(MaxOp(c, b))))]

    unknown = ("?", "?", "?")
    return graph([tensor(el.F32, *unknown[:rank]) for rank in (3, 2, 0)], body)


@WAYS
@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_unknown_extents_broadcast(run: Runner, data: st.DataObject) -> None:
    shapes = data.draw(samples.broadcast_shapes())
    a, b = ((1,) * (rank - len(s)) + s[-rank:] for rank, s in zip((3, 2), shapes, strict=True))
    inputs = [samples.moderate(el.F32, shape, k) for k, shape in enumerate((a, b, ()))]
    text = unknown_extents()
    (difference, power), (wanted, exact) = run(text)(*inputs), oracle(text, inputs)
    assert_same_bits(difference, wanted)
    assert_close(power, exact, ulp=2)


@WAYS
@pytest.mark.parametrize("shapes", [((2, 3, 4), (2, 4)), ((2, 3, 4), (3, 5)), ((2, 0, 4), (2, 1))])
def test_unknown_extents_that_do_not_broadcast(
    run: Runner, shapes: tuple[tuple[int, ...], ...]
) -> None:
    inputs = [samples.moderate(el.F32, shape) for shape in (*shapes, ())]
    with pytest.raises(ArgumentError):
        oracle(unknown_extents(), inputs)
    with pytest.raises(ArgumentError):
        run(unknown_extents())(*inputs)
