"""Operators of which two are folded to one or to none: the bits are those that both gave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from xdsl.ir import SSAValue

import opc
import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import elementary, order
from opc.dialects.opc import OPERATORS
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import AddOp, MulOp
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.movement import ConstantOp, TransposeOp
from opc.dialects.opc.parts import ConcatOp, SliceOp
from opc.dialects.opc.unary import AbsOp, ExpOp, NegOp, ReluOp
from opc.dialects.shape import tensor_type
from opc.frontend.python.builder import trace
from opc.frontend.python.spec import element_like
from opc.graph.constant_chains import EXACT_IN_PARTS
from opc.interpret.graph import evaluate
from tests.unit.graph.test_graph_passes import PARAMS, graph, of_one, run_pass, same_bits, values

pytestmark = pytest.mark.smoke

FOLDED = [op for op in OPERATORS if op.is_idempotent or op.is_involution]


def cases() -> Iterator[tuple[type[OpcOp], el.ElementType]]:
    for op in FOLDED:
        for type in el.ELEMENTS:
            if type in op.types:
                yield op, type


@pytest.mark.parametrize(("op", "type"), list(cases()), ids=lambda x: getattr(x, "name", str(x)))
def test_two_of_one_operator(op: type[OpcOp], type: el.ElementType) -> None:
    x = values(np.random.default_rng(5), type, (1000,))
    function = graph([tensor_type(type, (1000,))], lambda add, inputs: [add(op(add(op(*inputs))))])
    plain = evaluate(function, [x])
    run_pass(function, "fold-constants")
    left = [o for o in function.body.block.ops if isinstance(o, op)]
    assert len(left) == (1 if op.is_idempotent else 0)
    assert same_bits(plain[0], evaluate(function, [x])[0])


def in_parts() -> Iterator[tuple[type[OpcOp], el.ElementType, dict[str, Any]]]:
    for op in OPERATORS:
        for type in el.ELEMENTS:
            if op.name in EXACT_IN_PARTS and type in op.types:
                yield from ((op, type, params) for params in PARAMS.get(op.name, ({},)))


@pytest.mark.parametrize(
    ("op", "type", "params"), list(in_parts()), ids=lambda x: getattr(x, "name", str(x))
)
def test_operators_of_exact_parts(
    op: type[OpcOp], type: el.ElementType, params: dict[str, Any]
) -> None:
    """Folded, they have the bits that their parts give."""
    rng, count = np.random.default_rng(6), max(op.operand_count[0], min(op.operand_count[1], 3))
    arrays = [values(rng, type, (1000,)) for _ in range(count)]

    def of_constants(add: Callable[[OpcOp], SSAValue], _: Sequence[SSAValue]) -> list[SSAValue]:
        return [add(op(*(add(ConstantOp.of(a, type)) for a in arrays), **params))]

    folded = graph([tensor_type(type, (1,))], of_constants)
    run_pass(folded, "fold-constants")
    assert [o.name for o in folded.body.block.ops if isinstance(o, OpcOp)] == ["opc.constant"]
    parts = of_one(op, *(tensor_type(type, a.shape) for a in arrays), **params)
    for step in ("infer-shapes", "decompose"):
        run_pass(parts, step)
    (constant,), (expected,) = evaluate(folded, [arrays[0][:1]]), evaluate(parts, arrays)
    assert same_bits(constant, expected)


def test_which_are_folded() -> None:
    assert {AbsOp, ReluOp, NegOp} < {*FOLDED}
    assert not any(op.is_idempotent and op.is_involution for op in OPERATORS)


@pytest.mark.parametrize("times", [1, 2])
def test_large_constants_are_put_together(times: int) -> None:
    """Where every part is there once, however large it is; a copy of it would be in memory."""
    rng = np.random.default_rng(6)
    a, b = (rng.normal(size=shape).astype(np.float32) for shape in ((300, 400), (400, 300)))

    def build(add: Callable[[OpcOp], SSAValue], inputs: Sequence[SSAValue]) -> list[SSAValue]:
        first, second = (add(ConstantOp.of(array, el.F32)) for array in (a, b))
        turned = add(TransposeOp(second, permutation=(1, 0)))
        return [add(AddOp(*inputs, add(ConcatOp(*[first, turned] * times, axis=0))))]

    shape = (600 * times, 400)
    x = rng.normal(size=shape).astype(np.float32)
    function = graph([tensor_type(el.F32, shape)], build)
    plain = evaluate(function, [x])
    run_pass(function, "fold-constants")
    left = [o for o in function.body.block.ops if isinstance(o, ConcatOp)]
    assert len(left) == times - 1
    assert same_bits(plain[0], evaluate(function, [x])[0])


def test_filters_that_are_moved_lie_in_order() -> None:
    """Those of a large transposed convolution were read in pieces, in tiles of two rows, which
    took 4 times as long from 24 x 24 elements on.
    """
    w = np.random.default_rng(5).normal(size=(256, 128, 4, 4)).astype(np.float32)
    text = f"""
    func.func @main(%x: tensor<1x256x24x24xf32>) -> tensor<1x128x48x48xf32> {{
      %w = opc.constant dense<"0x{w.tobytes().hex()}"> : tensor<256x128x4x4xf32>
      %y = opc.conv_transpose %x, %w {{strides = [2, 2], pads = [1, 1, 1, 1]}}
      func.return %y : tensor<1x128x48x48xf32>
    }}"""
    schedule = opc.lower(text, target="avx512").ir("schedule")
    # Filters and phases are one axis, of which a tile has vectors.
    assert "schedule.for [d1, d2] by 16 vector" in schedule


def test_constants_that_are_joined() -> None:
    # More elements than are folded otherwise: the gates of a recurrence, as torch exports them.
    rng = np.random.default_rng(3)
    i, f = (rng.standard_normal((300, 200)).astype(np.float32) for _ in range(2))

    def build(add: Callable[[OpcOp], SSAValue], inputs: Sequence[SSAValue]) -> list[SSAValue]:
        first, second = add(ConstantOp.of(i, el.F32)), add(ConstantOp.of(f, el.F32))
        part = add(SliceOp(second, starts=(100, 0), stops=(300, 200), steps=(1, 1)))
        turned = add(TransposeOp(add(ConcatOp(first, part, axis=0)), permutation=(1, 0)))
        return [add(MatmulOp(*inputs, turned))]

    function = graph([tensor_type(el.F32, (1, 200))], build)
    x = rng.standard_normal((1, 200)).astype(np.float32)
    plain = evaluate(function, [x])
    run_pass(function, "fold-constants")
    left = [o for o in function.body.block.ops if isinstance(o, ConcatOp | SliceOp)]
    (joined,) = (o for o in function.body.block.ops if isinstance(o, ConstantOp))
    assert not left
    assert same_bits(joined.array(), np.concatenate([i, f[100:]]))
    assert same_bits(plain[0], evaluate(function, [x])[0])


def relative(p: Any, w: Any, x: Any) -> Any:
    """Positions that are normed and multiplied by weights, as a network with relative ones has."""
    shifted = p - onp.mean(p, axis=-1, keepdims=True)
    normed = shifted / onp.sqrt(onp.mean(shifted * shifted, axis=-1, keepdims=True) + 1e-5)
    return x @ (normed @ w).T / onp.sqrt(onp.sum(w * w))


@pytest.mark.sample(3)
@pytest.mark.parametrize("type", [np.float16, np.float32, np.float64])
def test_sums_and_products_of_constants_have_the_bits_of_a_call(type: type[np.floating]) -> None:
    rng = np.random.default_rng(8)
    shapes = ((90, 700), (700, 40), (5, 40))
    p, w, x = (rng.standard_normal(shape).astype(type) for shape in shapes)
    specs = [f"{element_like(a.dtype)}{list(a.shape)}" for a in (p, w, x)]
    run = opc.compile(trace(relative, specs))

    def of_constants(x: Any) -> Any:
        return relative(*(x.trace.constant(a, element_like(a.dtype)) for a in (p, w)), x)

    made_once = opc.compile(trace(of_constants, specs[2:]))
    assert "matmul" in run.ir("normal") and made_once.ir("normal").count("opc.matmul") == 1
    assert same_bits(made_once(x), run(p, w, x))


def test_a_chain_of_constants_is_one_constant() -> None:
    rng = np.random.default_rng(9)
    p, w = (rng.standard_normal(shape).astype(np.float32) for shape in ((90, 700), (700, 40)))

    def build(add: Callable[[OpcOp], SSAValue], inputs: Sequence[SSAValue]) -> list[SSAValue]:
        left, right = add(ConstantOp.of(p, el.F32)), add(ConstantOp.of(w, el.F32))
        product = add(MatmulOp(add(MulOp(left, left)), right))
        return [add(AddOp(*inputs, product)), add(ExpOp(product))]

    function = graph([tensor_type(el.F32, (90, 40))], build)
    run_pass(function, "fold-constants")
    names = [o.name for o in function.body.block.ops if isinstance(o, OpcOp)]
    assert sorted(names) == ["opc.add", "opc.constant", "opc.exp"]


def test_what_would_grow_or_take_long_is_left_to_run() -> None:
    def products(rows: int, inner: int, columns: int) -> int:
        a, b = (np.ones(shape, np.float32) for shape in ((rows, inner), (inner, columns)))

        def build(add: Callable[[OpcOp], SSAValue], inputs: Sequence[SSAValue]) -> list[SSAValue]:
            left, right = add(ConstantOp.of(a, el.F32)), add(ConstantOp.of(b, el.F32))
            return [add(AddOp(*inputs, add(MatmulOp(left, right))))]

        function = graph([tensor_type(el.F32, (rows, columns))], build)
        run_pass(function, "fold-constants")
        return sum(isinstance(o, MatmulOp) for o in function.body.block.ops)

    assert products(300, 300, 300) == 0
    assert products(300, 2, 300) == 1  # 90000 elements of 1200
    assert products(1100, 1100, 1100) == 1  # 1.3e9 products


def rounded(exact: Fraction) -> np.float32:
    """The number of f32 that is nearest, of two the even one."""
    near = np.float32(float(exact))
    around = [np.nextafter(near, np.float32(end)) for end in (-np.inf, np.inf)]

    def distance(x: np.float32) -> tuple[Fraction, int]:
        return abs(Fraction(float(x)) - exact), int(x.view(np.int32)) % 2

    return min((near, *around), key=distance)


@pytest.mark.parametrize("scale", [1.0, 2.0**-70, 2.0**-145])
def test_the_interpreter_rounds_a_product_and_a_sum_once(scale: float) -> None:
    # Few bits of a and b, and many of c: often between two numbers, and just beside that.
    rng = np.random.default_rng(10)
    a, b = (rng.integers(-(2**13), 2**13, 400).astype(np.float32) for _ in range(2))
    c = (rng.integers(-(2**24), 2**24, 400) * rng.choice([1, 4, 2**10, 2.0**26], 400)).astype(
        a.dtype
    )
    left, added = (x * np.float32(scale) for x in (a, c))
    found = elementary.fma(left, b, added)
    for x, y, z, one in zip(left, b, added, found, strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        assert one == rounded(exact)
        assert elementary.fma(x, y, z) == one


def test_a_product_of_two_rows_of_zeros() -> None:
    zeros = np.zeros(5, np.float32)
    found = order.chain(zeros, zeros)
    assert found.shape == () and found == 0 and found.dtype == np.float32


def test_nothing_of_unknown_extents_is_no_constant() -> None:
    """A sum of no elements has as many results as a run says."""
    text = """
func.func @main(%x: tensor<?x8xf32, #opc.dims<N, 8>>) -> tensor<?x3x0xf32, #opc.dims<N, 3, 0>> {
  %c = opc.constant dense<1.0> : tensor<f32>
  %0 = opc.broadcast %c : tensor<f32> -> tensor<?x3x0x0xf32, #opc.dims<N, 3, 0, 0>>
  %1 = opc.reduce_sum %0 {keepdims = false, axes = [-2]}
  func.return %1 : tensor<?x3x0xf32, #opc.dims<N, 3, 0>>
}"""
    assert opc.compile(text)(np.zeros((5, 8), np.float32)).shape == (5, 3, 0)
