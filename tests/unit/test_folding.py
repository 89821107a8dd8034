"""Operators of which two are folded to one or to none: the bits are those that both gave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from test_graph_passes import graph, run_pass, same_bits, values
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.opc import OPERATORS
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import AddOp
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.movement import ConstantOp, TransposeOp
from opc.dialects.opc.parts import ConcatOp, SliceOp
from opc.dialects.opc.unary import AbsOp, NegOp, ReluOp
from opc.dialects.shape import tensor_type
from opc.interpret.graph import evaluate

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
