"""Operators that move or hold data, and the rows of the operator table that no other test walks."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.expr import sym
from opc.dialects.opc import OPERATORS
from opc.dialects.opc.contraction import ContractOp, ConvOp, ConvTransposeOp, MatmulOp
from opc.dialects.opc.cumulative import CumProdOp, CumSumOp
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.indexing import IndexingOp, Scatter
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import TO_THE_END, ConcatOp, SliceOp, WindowsOp
from opc.dialects.opc.reduction import ArgReduction, ReduceMaxOp, Reduction
from opc.dialects.opc.walk import WIDTHS, WalkOp
from opc.errors import ArgumentError
from tests.unit.common import samples
from tests.unit.common.elementwise_cases import elementwise_operators
from tests.unit.common.graphs import RUNNERS, Emit, Runner, graph, oracle, tensor
from tests.unit.common.tolerance import assert_same_bits

pytestmark = [pytest.mark.sample(16), pytest.mark.level("-O0")]

WAYS = pytest.mark.parametrize("run", RUNNERS.values(), ids=list(RUNNERS))
TYPES = pytest.mark.parametrize("type", el.ELEMENTS, ids=str)

HERE = {
    ConstantOp,
    ReshapeOp,
    BroadcastOp,
    TransposeOp,
    ExtentOp,
    IotaOp,
    SliceOp,
    ConcatOp,
    WindowsOp,
    WalkOp,
}
INDEXING = {*IndexingOp.__subclasses__(), *Scatter.__subclasses__()} - {Scatter}
ELSEWHERE = {ContractOp, ConvOp, ConvTransposeOp, CumProdOp, CumSumOp, MatmulOp, *INDEXING}


def check(text: str, run: Runner, *inputs: np.ndarray) -> None:
    results = zip(run(text)(*inputs), oracle(text, inputs), strict=True)
    for k, (found, wanted) in enumerate(results):
        assert_same_bits(found, wanted, what=f"result {k}")


def test_every_operator_has_a_numerics_test() -> None:
    """A new operator belongs to a family that is walked, or is named here."""
    walked = {op for op in OPERATORS if issubclass(op, Reduction | ArgReduction)}
    assert walked | set(elementwise_operators()) | HERE | ELSEWHERE == set(OPERATORS)


@WAYS
@TYPES
def test_moving_every_type(run: Runner, type: ElementType) -> None:
    def body(emit: Emit, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        moved = emit(TransposeOp(x, permutation=(2, 0, 1)))
        return [
            moved,
            emit(ReshapeOp(moved, result_type=tensor(type, 3, 8))),
            emit(BroadcastOp(y, result_type=tensor(type, 2, 4, 3))),
            emit(ReshapeOp(y, result_type=tensor(type, 1, 3, 1, 4))),
            emit(ConstantOp.of(samples.special_values(type), type)),
            emit(ConstantOp.of(samples.special_values(type)[-1].reshape(()), type)),
            emit(ConstantOp.of(np.zeros((0, 3), type.dtype), type)),
        ]

    text = graph([tensor(type, 2, 3, 4), tensor(type, 4, 3)], body)
    check(text, run, samples.values(type, (2, 3, 4)), samples.values(type, (4, 3), 1))


@WAYS
def test_every_permutation(run: Runner) -> None:
    text = graph(
        [tensor(el.F32, "A", "B", "C", "D")],
        lambda emit, x: [emit(TransposeOp(x, permutation=p)) for p in permutations(range(4))],
    )
    for shape in ((2, 3, 4, 5), (1, 9, 1, 8), (3, 0, 2, 1), (1, 1, 1, 1)):
        check(text, run, samples.values(el.F32, shape))


@WAYS
def test_rank_16(run: Runner) -> None:
    shape = samples.SHAPES["rank 16"]
    order = tuple(reversed(range(16)))

    def body(emit: Emit, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        turned = emit(TransposeOp(x, permutation=order))
        return [
            turned,
            emit(ReshapeOp(turned, result_type=tensor(el.F32, 4, 12))),
            emit(BroadcastOp(y, result_type=tensor(el.F32, *shape))),
        ]

    last = (3, 1, 1, 2, 1, 1, 1, 2)
    text = graph([tensor(el.F32, *shape), tensor(el.F32, *last)], body)
    check(text, run, samples.values(el.F32, shape), samples.values(el.F32, last))


@WAYS
def test_rank_0_and_ones(run: Runner) -> None:
    def body(emit: Emit, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        return [
            emit(ReshapeOp(x, result_type=tensor(el.F32, 1, 1))),
            emit(ReshapeOp(y, result_type=tensor(el.F32))),
            emit(BroadcastOp(x, result_type=tensor(el.F32, 2, 0))),
            emit(BroadcastOp(x, result_type=tensor(el.F32, 2, 3))),
            emit(TransposeOp(x, permutation=())),
        ]

    text = graph([tensor(el.F32), tensor(el.F32, 1, 1, 1)], body)
    check(text, run, samples.values(el.F32, ()), samples.values(el.F32, (1, 1, 1)))


def symbolic() -> str:
    """Reshapes and broadcasts of extents that are known when the function runs."""

    def body(emit: Emit, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        wide = tensor(el.F32, "M", sym("N") * 4)
        return [
            emit(ReshapeOp(x, result_type=wide)),
            emit(ReshapeOp(x, result_type=tensor(el.F32, "?", 2))),
            emit(ReshapeOp(x, result_type=tensor(el.F32, sym("M") * sym("N") * 4))),
            emit(BroadcastOp(y, result_type=tensor(el.F32, "M", 5, "N"))),
            emit(ExtentOp.of(sym("M") * 3 + sym("N"))),
            emit(IotaOp.of(sym("M") * 3 + sym("N"))),
        ]

    return graph([tensor(el.F32, "M", "N", 4), tensor(el.F32, "N")], body)


@WAYS
def test_symbolic_shapes(run: Runner) -> None:
    for m, n in ((2, 3), (1, 1), (7, 9), (5, 0), (0, 5)):
        x, y = samples.values(el.F32, (m, n, 4)), samples.values(el.F32, (n,))
        check(symbolic(), run, x, y)


@WAYS
@pytest.mark.parametrize("shapes", [((2, 3, 4), (2,)), ((2, 3, 5), (3,)), ((2, 3), (3,))])
def test_equal_symbols_are_checked(run: Runner, shapes: tuple[tuple[int, ...], ...]) -> None:
    inputs = [np.zeros(shape, np.float32) for shape in shapes]
    with pytest.raises(ArgumentError):
        oracle(symbolic(), inputs)
    with pytest.raises(ArgumentError):
        run(symbolic())(*inputs)


@WAYS
def test_a_reshape_that_does_not_fit(run: Runner) -> None:
    text = graph(
        [tensor(el.F32, "?")],
        lambda emit, x: [emit(ReshapeOp(x, result_type=tensor(el.F32, "?", 4)))],
    )
    check(text, run, np.arange(12, dtype=np.float32))
    check(text, run, np.zeros(0, dtype=np.float32))
    with pytest.raises(ArgumentError):
        run(text)(np.zeros(10, np.float32))


def chain() -> str:
    """Transpose, reshape and broadcast one after the other, over unknown extents."""

    def body(emit: Emit, x: SSAValue) -> list[SSAValue]:
        turned = emit(TransposeOp(x, permutation=(2, 0, 1)))
        flat = emit(ReshapeOp(turned, result_type=tensor(el.F32, sym("C") * sym("A"), "B")))
        back = emit(TransposeOp(flat, permutation=(1, 0)))
        split = emit(ReshapeOp(back, result_type=tensor(el.F32, "B", "C", "A")))
        return [split, emit(BroadcastOp(split, result_type=tensor(el.F32, 2, "B", "C", "A")))]

    return graph([tensor(el.F32, "A", "B", "C")], body)


@WAYS
@settings(max_examples=30, deadline=None, derandomize=True)
@given(shape=st.tuples(*[st.integers(0, 9)] * 3))
def test_chains_of_moves(run: Runner, shape: tuple[int, ...]) -> None:
    check(chain(), run, samples.values(el.F32, shape))


BOUNDS = [
    (0, TO_THE_END, 1),
    (2, 5, 1),
    (-3, -1, 1),
    (1, 100, 2),
    (-100, 100, 3),
    (5, 2, 1),
    (-1, -TO_THE_END, -1),
    (4, 0, -2),
    (100, -100, -3),
    (0, 3, -1),
    (1, TO_THE_END, TO_THE_END),
    (-1, -TO_THE_END, -TO_THE_END - 1),
    (0, 9, 2**62),
]


@WAYS
@pytest.mark.parametrize("bound", BOUNDS, ids=str)
def test_slices_of_known_and_unknown_extents(run: Runner, bound: tuple[int, int, int]) -> None:
    """The oracle is NumPy, whose rule for bounds is the operator's."""
    for last in (6, "N"):
        text = graph(
            [tensor(el.F32, 3, last)],
            lambda emit, x: [
                emit(SliceOp(x, starts=[0, bound[0]], stops=[2, bound[1]], steps=[1, bound[2]]))
            ],
        )
        for n in (6,) if last == 6 else (0, 1, 2, 6, 9):
            x = samples.values(el.F32, (3, n))
            assert_same_bits(run(text)(x)[0], x[0:2, slice(*bound)], what=f"extent {n}")


@WAYS
@TYPES
def test_concat_along_every_axis(run: Runner, type: ElementType) -> None:
    def body(emit: Emit, x: SSAValue, y: SSAValue, z: SSAValue, none: SSAValue) -> list[SSAValue]:
        turned = [emit(TransposeOp(v, permutation=(1, 0))) for v in (x, y)]
        return [
            emit(ConcatOp(x, y, x, axis=1)),
            emit(ConcatOp(*turned, axis=-2)),
            emit(ConcatOp(x, z, axis=0)),
            emit(ConcatOp(y, axis=0)),
            emit(ConcatOp(x, none, x, none, axis=1)),
            emit(ConcatOp(none, none, axis=1)),
        ]

    for m in (3, "M"):
        shapes = (m, 2), (m, "N"), ("K", 2), (m, 0)
        text = graph([tensor(type, *shape) for shape in shapes], body)
        for n, k in ((5, 1), (0, 0), (1, 40)):
            check(
                text,
                run,
                samples.values(type, (3, 2)),
                samples.values(type, (3, n)),
                samples.values(type, (k, 2)),
                samples.values(type, (3, 0)),
            )


@WAYS
def test_windows(run: Runner) -> None:
    """Against NumPy's view of all windows, of which every so many are taken."""

    def body(emit: Emit, x: SSAValue) -> list[SSAValue]:
        windows = emit(WindowsOp(x, sizes=[3, 2], strides=[2, 3], dilations=[1, 2]))
        return [windows, emit(ReduceMaxOp(windows, axes=[-1, -2]))]

    for extent in (8, "N"):
        text = graph([tensor(el.F32, 2, extent, 11)], body)
        for n in (8,) if extent == 8 else (0, 2, 3, 4, 5, 40):
            x = samples.values(el.F32, (2, n, 11))
            check(text, run, x)
            if n >= 3:
                every = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(1, 2))
                assert_same_bits(run(text)(x)[0], every[:, ::2, ::3, :, ::2], what=f"{n} rows")


@WAYS
@pytest.mark.parametrize("end", [2**31 - 1, 2**62, TO_THE_END])
def test_slices_to_ends_far_away_are_no_large_arrays(run: Runner, end: int) -> None:
    def body(emit: Emit, x: SSAValue) -> list[SSAValue]:
        forward = emit(SliceOp(x, starts=[1, 2, 0], stops=[end] * 3, steps=[1, 1, 1]))
        return [emit(SliceOp(forward, starts=[end] * 3, stops=[-end] * 3, steps=[-1, -2, -1]))]

    x = samples.values(el.F32, (3, 9, 4))
    text = graph([tensor(el.F32, "A", "B", "C")], body)
    assert_same_bits(run(text)(x)[0], x[1:, 2:][::-1, ::-2, ::-1], what="both ways")


def table(type: ElementType, count: int, leaves: int, missing: float = 0.5) -> np.ndarray:
    """Nodes of which each leads to later ones or to a value; NaN goes left from some, or all."""
    rng, kind = np.random.default_rng(count), WIDTHS[type].dtype
    features, splits = rng.integers(0, 3, count), samples.special_values(type)
    if missing == 1:
        splits = splits[~np.isnan(splits)]
    nodes = np.zeros((count, 4), kind)
    nodes[:, 0] = np.where(rng.random(count) < missing, ~features, features)
    nodes[:, 1] = rng.choice(splits, count).view(kind)
    nodes[:, 2:] = ~rng.integers(0, leaves, (count, 2))
    for k in range(count - 1):
        goes_on = rng.random(2) < 0.7
        nodes[k, 2:] = np.where(goes_on, rng.integers(k + 1, count, 2), nodes[k, 2:])
    return nodes


def walked(x: np.ndarray, nodes: np.ndarray, roots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """One walk after the other, from its root to its value."""
    result = np.zeros((len(x), len(roots), *values.shape[1:]), values.dtype)
    for r, t in np.ndindex(len(x), len(roots)):
        at = int(roots[t])
        while at >= 0:
            feature, _, left, right = nodes[at].tolist()
            number, split = x[r, max(feature, ~feature)], nodes[at, 1:2].view(x.dtype)[0]
            goes_left = feature < 0 if np.isnan(number) else number <= split
            at = left if goes_left else right
        result[r, t] = values[~at]
    return result


TABLES = [(0, 1, 1, 0), (1, 2, 3, 1), (7, 9, 8, 0), (30, 9, 16, 1), (60, 9, 33, 0.5)]
"""Nodes, values, roots, and how many nodes NaN goes left from."""


@WAYS
@pytest.mark.parametrize("type", WIDTHS, ids=str)
def test_walks(run: Runner, type: ElementType) -> None:
    """Against a walk in plain Python: rows around the vector widths, values of every rank."""
    kind, parts = WIDTHS[type], []
    for count, leaves, trees, missing in TABLES:
        roots = np.random.default_rng(count).integers(-leaves, count, trees).astype(kind.dtype)
        for rest in ((), (3,), (2, 1, 2), (0,)):
            values = samples.values(type, (leaves, *rest), len(parts))
            parts.append((table(type, count, leaves, missing), roots, values))

    def body(emit: Emit, x: SSAValue) -> list[SSAValue]:
        constants = [
            [emit(ConstantOp.of(a, t)) for a, t in zip(p, (kind, kind, type), strict=True)]
            for p in parts
        ]
        return [emit(WalkOp(x, *tables)) for tables in constants]

    for rows in ("N", 9):
        text = graph([tensor(type, rows, 3)], body)
        for n in (9,) if rows == 9 else (0, 1, 7, 8, 9, 100):
            x = np.random.default_rng(n).choice(samples.special_values(type), (n, 3))
            for k, (found, p) in enumerate(zip(run(text)(x), parts, strict=True)):
                assert_same_bits(found, walked(x, *p), what=f"{n} rows, result {k}")


@WAYS
def test_walks_to_values_of_every_type(run: Runner) -> None:
    nodes = table(el.F32, 20, 12)
    roots = np.arange(-3, 3, dtype=np.int32)
    values = {type: samples.values(type, (12,)) for type in el.ELEMENTS}

    def body(emit: Emit, x: SSAValue) -> list[SSAValue]:
        tables = [emit(ConstantOp.of(a, el.BY_NAME["i32"])) for a in (nodes, roots)]
        return [emit(WalkOp(x, *tables, emit(ConstantOp.of(v, t)))) for t, v in values.items()]

    x = np.random.default_rng(1).choice(samples.special_values(el.F32), (33, 3))
    results = run(graph([tensor(el.F32, "N", 3)], body))(x)
    for found, (type, v) in zip(results, values.items(), strict=True):
        assert_same_bits(found, walked(x, nodes, roots, v), what=str(type))
