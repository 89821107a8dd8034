"""Reductions, argmax, argmin and matmul against the oracle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.opc import OPERATORS
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.reduction import (
    ArgMaxOp,
    ArgMinOp,
    ArgReduction,
    ReduceL1Op,
    ReduceMaxOp,
    ReduceMeanOp,
    ReduceSumOp,
    Reduction,
)
from opc.errors import ArgumentError
from opc.interpret import tolerance
from tests.unit.common import samples
from tests.unit.common.graphs import RUNNERS, Emit, Runner, graph, oracle, tensor
from tests.unit.common.tolerance import assert_close, assert_same_bits, is_float, matmul_bound

pytestmark = [pytest.mark.level("-O0"), pytest.mark.sample(4)]

WAYS = pytest.mark.parametrize("run", RUNNERS.values(), ids=list(RUNNERS))
TYPES = pytest.mark.parametrize("type", el.ELEMENTS, ids=str)

AXES: tuple[tuple[int, ...] | None, ...] = (
    (2,), (0,), None, (1,), (-1, 0), (), (1, -1), (-3, 1), (2, 0, 1),
)  # fmt: skip
SHAPES = (
    (2, 3, 1000), (9, 8, 7), (1000, 1, 2), (1, 1, 1), (1, 9, 1), (0, 3, 2), (0, 3, 40), (3, 0, 2),
    (2, 3, 0),
)  # fmt: skip


def reductions(type: ElementType) -> list[type[Reduction]]:
    return [op for op in OPERATORS if issubclass(op, Reduction) and type in op.types]


@dataclass(frozen=True)
class Case:
    """A reduction of one input."""

    op: type[Reduction]
    axes: tuple[int, ...] | None
    keepdims: bool = False
    empty_axes: str = "identity"

    def emit(self, emit: Emit, x: SSAValue, *axes: SSAValue) -> SSAValue:
        given = {} if axes else {"axes": self.axes}
        return emit(self.op(x, *axes, keepdims=self.keepdims, empty_axes=self.empty_axes, **given))

    def __str__(self) -> str:
        return f"{self.op.name} {self.axes} {self.keepdims} {self.empty_axes}"

    def check(self, actual: np.ndarray, expected: np.ndarray, x: np.ndarray, rank: int) -> None:
        """Compare within the error that the order of a sum leaves open."""
        every = self.axes is None or (not self.axes and self.empty_axes == "all")
        axes = tuple(range(rank)) if every else tuple(a % rank for a in self.axes or ())
        what = f"{self} on {x.dtype}{list(x.shape)}"
        allowed = tolerance.Allowed()
        if axes or every:
            allowed = tolerance.reduction(self.op.name, x, expected, axes, self.keepdims)
        if is_float(x):
            assert_close(actual, expected, allowed.ulp, allowed.bound, allowed.zero_signs, what)
            return
        error = np.abs(actual.astype(np.longdouble) - expected.astype(np.longdouble))
        assert np.all(error <= allowed.bound), what


def cases(type: ElementType, full: bool) -> Iterator[Case]:
    """Every reduction; over every set of axes if ``full``, else over three of them in turn."""
    for k, op in enumerate(reductions(type)):
        chosen = AXES if full else [AXES[(k + i) % len(AXES)] for i in (0, 3, 6)]
        for i, axes in enumerate(chosen):
            yield Case(op, axes, keepdims=(i + k) % 2 == 0)
        yield Case(op, (), empty_axes="all")


def check(text: str, chosen: Sequence[Case], run: Runner, x: np.ndarray) -> None:
    failures: list[str] = []
    results = zip(chosen, run(text)(x), oracle(text, [x]), strict=True)
    for case, found, wanted in results:
        try:
            case.check(found, wanted, x, x.ndim)
        except AssertionError as e:
            failures.append(str(e))
    assert not failures, "\n".join(failures)


def text_of(chosen: Sequence[Case], type: ElementType, *shape: int | str) -> str:
    return graph([tensor(type, *shape)], lambda emit, x: [case.emit(emit, x) for case in chosen])


LIKE_OTHERS = ("bf16", "i16", "ui16", "ui32")
"""Types whose lanes and loops are those of another one, which the short form has."""


@pytest.mark.sample(24)
@WAYS
@pytest.mark.parametrize(
    "type",
    [pytest.param(t, marks=pytest.mark.long if str(t) in LIKE_OTHERS else ()) for t in el.ELEMENTS],
    ids=str,
)
def test_every_reduction(run: Runner, type: ElementType) -> None:
    chosen = list(cases(type, full=type in (el.F32, el.BY_NAME["i32"])))
    text = text_of(chosen, type, "M", "N", "K")
    for seed, shape in enumerate(SHAPES):
        check(text, chosen, run, samples.moderate(type, shape, seed))


@WAYS
@pytest.mark.parametrize("type", [el.F64, el.F32, el.F16, el.BF16], ids=str)
def test_special_values_in_reductions(run: Runner, type: ElementType) -> None:
    """Rows with NaN, infinities and zeros of both signs."""
    inf, nan = math.inf, math.nan
    rows = [[inf, 1, 2], [-inf, 1, 2], [inf, -inf, 0], [nan, inf, 1], [-inf] * 3, [-0.0] * 3,
            [0.0, -0.0, 0.0], [-0.0, 0.0, -0.0], [1, nan, -1], [inf, nan, inf]]  # fmt: skip
    chosen = [Case(op, (1,)) for op in reductions(type)]
    check(text_of(chosen, type, len(rows), 3), chosen, run, np.array(rows).astype(type.dtype))


@WAYS
@pytest.mark.parametrize("type", [el.F32, el.F16, el.BY_NAME["i8"]], ids=str)
def test_static_lengths(run: Runner, type: ElementType) -> None:
    """Sums and maxima of every length, as rows and as columns, in one function."""
    shapes = [s for n in samples.LENGTHS for s in ((3, n), (n, 3))] + [(0, 4), (4, 0), (), (5,)]
    chosen = [
        Case(op, None if len(s) < 2 else (int(s[0] == 3),))
        for s in shapes
        for op in (ReduceSumOp, ReduceMaxOp)
    ]

    def body(emit: Emit, *args: SSAValue) -> list[SSAValue]:
        return [case.emit(emit, args[k // 2]) for k, case in enumerate(chosen)]

    text = graph([tensor(type, *shape) for shape in shapes], body)
    arrays = [samples.moderate(type, shape, k) for k, shape in enumerate(shapes)]
    results = zip(chosen, run(text)(*arrays), oracle(text, arrays), strict=True)
    for k, (case, found, wanted) in enumerate(results):
        case.check(found, wanted, arrays[k // 2], len(shapes[k // 2]))


@WAYS
@pytest.mark.parametrize("axes", [(3,), (-1, 0, 4), None], ids=str)
def test_rank_16(run: Runner, axes: tuple[int, ...] | None) -> None:
    shape = samples.SHAPES["rank 16"]
    chosen = [Case(ReduceSumOp, axes, keepdims) for keepdims in (True, False)]
    check(text_of(chosen, el.F32, *shape), chosen, run, samples.moderate(el.F32, shape))


def arg_cases() -> list[tuple[type[ArgReduction], int, bool, bool]]:
    return [
        (op, axis, keepdims, last)
        for op in (ArgMaxOp, ArgMinOp)
        for axis, keepdims in ((0, False), (1, True), (-1, False))
        for last in (False, True)
    ]


def arg_text(type: ElementType, *shape: int | str) -> str:
    def body(emit: Emit, x: SSAValue) -> list[SSAValue]:
        return [
            emit(op(x, axis=axis, keepdims=keepdims, select_last_index=last))
            for op, axis, keepdims, last in arg_cases()
        ]

    return graph([tensor(type, *shape)], body)


@WAYS
@pytest.mark.parametrize("type", sorted(ArgMaxOp.types, key=str), ids=str)
def test_indices_of_extremes(run: Runner, type: ElementType) -> None:
    text = arg_text(type, "M", "N", "K")
    few = samples.special_values(type)[:5]
    for seed, shape in enumerate([(2, 3, 1000), (9, 8, 7), (1, 1, 1), (1000, 2, 1)]):
        x = samples.values(type, shape, seed)
        ties = np.random.default_rng(seed).choice(few, size=shape)
        for array in (x, np.where(np.isnan(x), np.zeros_like(x), x), ties, np.full_like(x, few[0])):
            for found, wanted in zip(run(text)(array), oracle(text, [array]), strict=True):
                assert_same_bits(found, wanted)


@WAYS
def test_indices_in_nothing(run: Runner) -> None:
    """There is no index along an empty axis, and none to find along the others."""
    text = graph([tensor(el.F32, "M", "N")], lambda emit, x: [emit(ArgMaxOp(x, axis=1))])
    assert run(text)(np.zeros((0, 3), np.float32))[0].shape == (0,)
    with pytest.raises(ArgumentError):
        run(text)(np.zeros((3, 0), np.float32))


@dataclass(frozen=True)
class RunTime:
    """Reductions over axes that arrive with the data."""

    keepdims: bool
    count: int

    def text(self) -> str:
        def body(emit: Emit, x: SSAValue, axes: SSAValue) -> list[SSAValue]:
            return [
                emit(op(x, axes, keepdims=self.keepdims))
                for op in (ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceL1Op)
            ]

        return graph([tensor(el.F32, "M", "N", 4), tensor(el.I64, self.count)], body)


@pytest.mark.sample(8)
@WAYS
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axes", [(0,), (2,), (-2,), (0, 1), (2, -3), (-1, 1), (1, 0, 2), ()])
def test_run_time_axes(run: Runner, axes: tuple[int, ...], keepdims: bool) -> None:
    text = RunTime(keepdims, len(axes)).text()
    for shape in ((2, 3, 4), (1, 9, 4), (0, 3, 4)):
        x = samples.moderate(el.F32, shape)
        inputs = [x, np.array(axes, dtype=np.int64)]
        results = zip(
            (ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceL1Op),
            run(text)(*inputs),
            oracle(text, inputs),
            strict=True,
        )
        for op, found, wanted in results:
            Case(op, axes, keepdims).check(found, wanted, x, 3)


@WAYS
@pytest.mark.parametrize("axes", [(0, 0), (1, -2), (3, 0), (-4, 1)])
def test_run_time_axes_that_do_not_fit(run: Runner, axes: tuple[int, ...]) -> None:
    text = RunTime(False, 2).text()
    x = samples.moderate(el.F32, (2, 3, 4))
    with pytest.raises(ArgumentError):
        run(text)(x, np.array(axes, dtype=np.int64))


@WAYS
@pytest.mark.parametrize("empty", ["identity", "all"])
def test_an_unknown_number_of_run_time_axes(run: Runner, empty: str) -> None:
    text = graph(
        [tensor(el.F32, 2, 3), tensor(el.I64, "?")],
        lambda emit, x, axes: [emit(ReduceSumOp(x, axes, keepdims=True, empty_axes=empty))],
    )
    x = samples.moderate(el.F32, (2, 3))
    for axes in ((), (1,), (0, -1)):
        inputs = [x, np.array(axes, dtype=np.int64)]
        (found,), (wanted,) = run(text)(*inputs), oracle(text, inputs)
        Case(ReduceSumOp, axes, True, empty).check(found, wanted, x, 2)


MATMULS = (
    ((3, 4), (4, 5)), ((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 5)), ((2, 3, 4), (4, 5)),
    ((2, 1, 3, 7), (5, 7, 2)), ((1, 9), (9, 1)), ((3, 0), (0, 2)), ((0, 3), (3, 2)),
    ((8, 1000), (1000, 9)),
)  # fmt: skip


@WAYS
@pytest.mark.parametrize("type", sorted(MatmulOp.types, key=str), ids=str)
def test_matmul(run: Runner, type: ElementType) -> None:
    def body(emit: Emit, *args: SSAValue) -> list[SSAValue]:
        return [emit(MatmulOp(a, b)) for a, b in zip(args[::2], args[1::2], strict=True)]

    text = graph([tensor(type, *shape) for pair in MATMULS for shape in pair], body)
    arrays = [samples.moderate(type, s, k) for pair in MATMULS for k, s in enumerate(pair)]
    results = zip(run(text)(*arrays), oracle(text, arrays), strict=True)
    for k, (found, wanted) in enumerate(results):
        a, b = arrays[2 * k : 2 * k + 2]
        bound = matmul_bound(a, b, type) if type.is_float else None
        ulp = int(type.is_small_float)
        assert_close(found, wanted, ulp, bound, zero_signs=False, what=f"{type} {MATMULS[k]}")


@WAYS
def test_matmul_of_symbolic_extents(run: Runner) -> None:
    text = graph(
        [tensor(el.F32, "?", "?", "?"), tensor(el.F32, "?", "?")],
        lambda emit, a, b: [emit(MatmulOp(a, b))],
    )
    for left, right in (((2, 3, 4), (4, 5)), ((1, 1, 1), (1, 9)), ((2, 7, 0), (0, 3))):
        a, b = samples.moderate(el.F32, left), samples.moderate(el.F32, right)
        (found,), (wanted,) = run(text)(a, b), oracle(text, [a, b])
        assert_close(found, wanted, 0, matmul_bound(a, b, el.F32), zero_signs=False)
    with pytest.raises(ArgumentError):
        run(text)(np.zeros((2, 3, 4), np.float32), np.zeros((3, 5), np.float32))


@WAYS
@settings(max_examples=30, deadline=None, derandomize=True)
@given(extents=st.tuples(*[st.integers(0, 12)] * 3), seed=st.integers(0, 99))
def test_random_extents(run: Runner, extents: tuple[int, ...], seed: int) -> None:
    chosen = list(cases(el.F32, full=True))
    check(
        text_of(chosen, el.F32, "M", "N", "K"), chosen, run, samples.moderate(el.F32, extents, seed)
    )


def test_no_operator_is_left_out() -> None:
    tried = {case.op for type in el.ELEMENTS for case in cases(type, full=False)}
    assert tried == {op for op in OPERATORS if issubclass(op, Reduction)}
    searches = {case[0] for case in arg_cases()}
    assert searches == {op for op in OPERATORS if issubclass(op, ArgReduction)}
