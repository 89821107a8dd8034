"""Fusion changes no bit: what is computed inside a fused loop is what is computed alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.opc import binary as bi
from opc.dialects.opc import reduction as red
from opc.dialects.opc import unary as un
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.shape import Tensor, shape_of, tensor_of
from tests.unit.common import samples
from tests.unit.common.graphs import Emit, compiled, graph, oracle, tensor
from tests.unit.common.tolerance import assert_close, assert_same_bits, spacing, sum_bound

pytestmark = pytest.mark.sample(4)

ROW = (1,)
SHAPES = ((3, 1), (3, 7), (3, 8), (3, 9), (2, 1000), (1, 1), (0, 5), (4, 0))


def softmax(emit: Emit, x: SSAValue) -> list[SSAValue]:
    top = emit(red.ReduceMaxOp(x, axes=ROW, keepdims=True))
    centred = emit(bi.SubOp(x, top))
    power = emit(un.ExpOp(centred))
    total = emit(red.ReduceSumOp(power, axes=ROW, keepdims=True))
    return [top, centred, power, total, emit(bi.DivOp(power, total))]


def layer_normalization(emit: Emit, x: SSAValue) -> list[SSAValue]:
    mean = emit(red.ReduceMeanOp(x, axes=ROW, keepdims=True))
    centred = emit(bi.SubOp(x, mean))
    square = emit(bi.MulOp(centred, centred))
    variance = emit(red.ReduceMeanOp(square, axes=ROW, keepdims=True))
    epsilon = emit(ConstantOp.of(np.asarray(1e-5), el.element_of(tensor_of(x).element_type)))
    root = emit(un.SqrtOp(emit(bi.AddOp(variance, epsilon))))
    return [mean, centred, square, variance, root, emit(bi.DivOp(centred, root))]


def column_statistics(emit: Emit, x: SSAValue) -> list[SSAValue]:
    total = emit(red.ReduceSumOp(x, axes=(0,)))
    least = emit(red.ReduceMinOp(x, axes=(0,)))
    shifted = emit(bi.SubOp(x, least))
    return [
        total,
        least,
        shifted,
        emit(bi.MulOp(shifted, total)),
        emit(red.ReduceMaxOp(shifted, axes=(0, 1))),
    ]


def transposed(emit: Emit, x: SSAValue) -> list[SSAValue]:
    turned = emit(TransposeOp(x, permutation=(1, 0)))
    power = emit(un.TanhOp(turned))
    total = emit(red.ReduceSumOp(power, axes=ROW))
    return [power, total, emit(bi.AddOp(emit(TransposeOp(power, permutation=(1, 0))), total))]


def gram(emit: Emit, x: SSAValue) -> list[SSAValue]:
    turned = emit(TransposeOp(emit(un.ReluOp(x)), permutation=(1, 0)))
    product = emit(MatmulOp(x, turned))
    return [product, emit(un.SigmoidOp(product)), emit(red.ReduceMaxOp(product, axes=ROW))]


GRAPHS = (softmax, layer_normalization, column_statistics, transposed, gram)
Body = Callable[[Emit, SSAValue], list[SSAValue]]


def check_fusion(
    inputs: Sequence[Tensor],
    body: Callable[..., list[SSAValue]],
    arrays: Sequence[Sequence[np.ndarray]],
) -> None:
    """Every value is computed with the same bits alone, as the last one, and beside all others."""
    every = graph(inputs, body)
    last = graph(inputs, lambda emit, *args: body(emit, *args)[-1:])
    for given_arrays in arrays:
        *_, beside = compiled(every)(*given_arrays)
        (alone,) = compiled(last)(*given_arrays)
        assert_same_bits(alone, beside)


@pytest.mark.sample(24)
@pytest.mark.parametrize("type", [el.F64, el.F32, el.F16, el.BF16], ids=str)
@pytest.mark.parametrize(
    "body", [b for b in GRAPHS if b is not transposed], ids=lambda body: body.__name__
)
def test_intermediate_results_change_nothing(body: Body, type: ElementType) -> None:
    arrays = [[samples.moderate(type, shape, k)] for k, shape in enumerate(SHAPES)]
    check_fusion([tensor(type, "M", "N")], body, arrays)


@pytest.mark.parametrize("type", [el.F64, el.F32, el.F16, el.BF16], ids=str)
def test_a_sum_beside_what_is_stored_across_keeps_its_bound(type: ElementType) -> None:
    """Rows of few columns go side by side only where nothing is stored across them."""
    every = graph([tensor(type, "M", "N")], transposed)
    last = graph([tensor(type, "M", "N")], lambda emit, x: transposed(emit, x)[-1:])
    for k, shape in enumerate(SHAPES):
        x = samples.moderate(type, shape, k)
        power, total, beside = compiled(every)(x)
        (alone,) = compiled(last)(x)
        bound = sum_bound(power, ROW, False, type) + spacing(total)
        assert_close(alone, beside, ulp=1, bound=2 * bound)


@pytest.mark.parametrize("body", GRAPHS, ids=lambda body: body.__name__)
def test_a_part_alone_is_the_part_in_a_whole(body: Body) -> None:
    """Every result of a graph, fed with the graph's own intermediate results by nobody."""
    shape = (3, 9)
    inputs, x = [tensor(el.F32, *shape)], samples.moderate(el.F32, shape)
    whole = compiled(graph(inputs, body))(x)
    for k, wanted in enumerate(whole):
        part = graph(inputs, lambda emit, *args, k=k: [body(emit, *args)[k]])
        assert_same_bits(compiled(part)(x)[0], wanted, what=f"{body.__name__} {k}")


@pytest.mark.parametrize(
    "body", [b for b in GRAPHS if b is not transposed], ids=lambda body: body.__name__
)
def test_static_extents_are_symbolic_ones(body: Body) -> None:
    """From an extent on that fills the lanes of a reduction; below, its order may differ.

    Nor does it hold where only static extents let a row be kept, and with it decide whether memory
    runs along rows or columns, as in ``transposed``: docs/numerics.md promises no more.
    """
    shape = (257, 300)
    x = samples.moderate(el.F32, shape)
    static = compiled(graph([tensor(el.F32, *shape)], body))(x)
    symbolic = compiled(graph([tensor(el.F32, "M", "N")], body))(x)
    for found, wanted in zip(static, symbolic, strict=True):
        assert_same_bits(found, wanted)


@pytest.mark.parametrize("body", GRAPHS[:2], ids=lambda body: body.__name__)
def test_special_values_pass_through(body: Body) -> None:
    rows = np.array([[np.nan, 1, 2], [np.inf, 0, 1], [-np.inf, 0, 1], [0.0, -0.0, 0.0]])
    x = rows.astype(np.float32)
    text = graph([tensor(el.F32, 4, 3)], body)
    for found, wanted in zip(compiled(text)(x), oracle(text, [x]), strict=True):
        assert_close(found, wanted, ulp=16, zero_signs=False)


UNARY: tuple[type[OpcOp], ...] = (
    un.ReluOp, un.NegOp, un.AbsOp, un.FloorOp, un.IdentityOp, un.TanhOp, un.SigmoidOp, un.EluOp,
)  # fmt: skip
BINARY: tuple[type[OpcOp], ...] = (bi.AddOp, bi.SubOp, bi.MulOp, bi.MaxOp, bi.MinOp)
REDUCED: tuple[type[OpcOp], ...] = (
    red.ReduceMaxOp, red.ReduceMinOp, red.ReduceSumOp, red.ReduceMeanOp, red.ReduceLogSumExpOp,
)  # fmt: skip
EXACT_UNARY, EXACT_REDUCED = UNARY[:5], REDUCED[:2]
NO_EXPLANATION = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
"""To explain a failure, hypothesis would compile hundreds of graphs more."""


@dataclass(frozen=True)
class Step:
    """One operator of a random graph; ``left`` and ``right`` choose among the values so far."""

    kind: str
    which: int
    left: int
    right: int
    axis: int


steps = st.lists(
    st.builds(
        Step,
        kind=st.sampled_from(["unary", "binary", "reduce", "transpose", "reshape", "broadcast"]),
        which=st.integers(0, 7),
        left=st.integers(0, 9),
        right=st.integers(0, 9),
        axis=st.integers(0, 2),
    ),
    min_size=2,
    max_size=9,
)


def grow(emit: Emit, values: list[SSAValue], step: Step, exact: bool) -> SSAValue:
    """Apply a step to values of rank 3 whose extents are those of the input, or 1."""
    x, y = values[step.left % len(values)], values[step.right % len(values)]
    full = shape_of(tensor_of(values[0]))
    if step.kind == "binary":
        return emit(BINARY[step.which % len(BINARY)](x, y))
    if step.kind == "reduce":
        reduced = EXACT_REDUCED if exact else REDUCED
        return emit(reduced[step.which % len(reduced)](x, axes=(step.axis,), keepdims=True))
    if step.kind == "broadcast":
        return emit(BroadcastOp(x, result_type=tensor(el.F32, *full)))
    if step.kind == "transpose":
        turned = emit(TransposeOp(x, permutation=(0, 2, 1)))
        return emit(TransposeOp(emit(un.AbsOp(turned)), permutation=(0, 2, 1)))
    if step.kind == "reshape":
        a, b, c = shape_of(tensor_of(x))
        flat = emit(ReshapeOp(x, result_type=tensor(el.F32, a * b, c)))
        return emit(ReshapeOp(emit(un.NegOp(flat)), result_type=tensor_of(x)))
    unary = EXACT_UNARY if exact else UNARY
    return emit(unary[step.which % len(unary)](x))


def random_body(chosen: Sequence[Step], exact: bool) -> Callable[..., list[SSAValue]]:
    def body(emit: Emit, *args: SSAValue) -> list[SSAValue]:
        values = list(args)
        for step in chosen:
            values.append(grow(emit, values, step, exact))
        return values[len(args) :]

    return body


RANDOM = {
    "chosen": steps,
    "shape": st.tuples(*[st.integers(0, 9)] * 3),
    "named": st.booleans(),
}


def random_inputs(shape: tuple[int, ...], named: bool) -> tuple[list[Tensor], list[np.ndarray]]:
    """A full operand, and one to be broadcast along the first axis."""
    extents = ("A", "B", "C") if named else shape
    arrays = [samples.moderate(el.F32, shape), samples.moderate(el.F32, (1, *shape[1:]), 1)]
    return [tensor(el.F32, *extents), tensor(el.F32, 1, *extents[1:])], arrays


@settings(max_examples=12, deadline=None, derandomize=True, phases=NO_EXPLANATION)
@given(**RANDOM)
def test_random_graphs_fused_and_not(
    chosen: list[Step], shape: tuple[int, ...], named: bool
) -> None:
    inputs, arrays = random_inputs(shape, named)
    check_fusion(inputs, random_body(chosen, exact=False), [arrays])


@settings(max_examples=12, deadline=None, derandomize=True, phases=NO_EXPLANATION)
@given(**RANDOM)
def test_random_graphs_of_exact_operators(
    chosen: list[Step], shape: tuple[int, ...], named: bool
) -> None:
    inputs, arrays = random_inputs(shape, named)
    text = graph(inputs, random_body(chosen, exact=True))
    for found, wanted in zip(compiled(text)(*arrays), oracle(text, arrays), strict=True):
        assert_same_bits(found, wanted)
