"""What values are known to be is read from constants, extents and operators of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from xdsl.ir import Block, SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import tensor_type
from opc.frontend.models.known import Known
from opc.frontend.models.known_values import known_value
from opc.frontend.models.op_builder import Builder
from opc.frontend.models.traced import NodeTrace, gathered, quotient

N, M = ex.sym("N"), ex.sym("M")


def trace() -> NodeTrace:
    """A trace into a block of its own."""
    return NodeTrace(Builder(Block().add_op))


def shape(t: NodeTrace) -> Any:
    """The list [N, 4, M]."""
    return onp.stack([t.number(e) for e in (N, ex.const(4), M)])


def exact(value: Known) -> Known | None:
    """Values of these tests do not exceed their type."""
    return value


def extents(value: SSAValue) -> list[ex.Expr] | None:
    """The known elements of a value."""
    known = known_value(value, exact)
    return None if known is None else list(known.exprs)


CASES: dict[str, tuple[Callable[[Any, NodeTrace], Any], list[ex.Expr | int]]] = {
    "list": (lambda x, t: x, [N, 4, M]),
    "sum": (lambda x, t: x + 1, [N + 1, 5, M + 1]),
    "product": (lambda x, t: x * x[::-1], [N * M, 16, N * M]),
    "quotient": (lambda x, t: quotient(x, 2), [ex.floordiv(N, 2), 2, ex.floordiv(M, 2)]),
    "remainder": (lambda x, t: x % 4, [ex.mod(N, 4), 0, ex.mod(M, 4)]),
    "greatest": (lambda x, t: onp.maximum(x, x), [N, 4, M]),
    "part": (lambda x, t: x[1:], [4, M]),
    "reversed": (lambda x, t: x[::-1], [M, 4, N]),
    "one": (lambda x, t: x[1], [4]),
    "gathered": (lambda x, t: gathered(x, [0], t.constant([2, 0], el.I64)), [M, N]),
    "gathered one": (lambda x, t: gathered(x, [0], t.constant(2, el.I64)), [M]),
    "joined": (lambda x, t: onp.concatenate([x[:1], x[2:]]), [N, M]),
    "matrix": (lambda x, t: onp.stack([x, x]).T.reshape(-1), [N, N, 4, 4, M, M]),
    "narrow": (lambda x, t: x.astype("i32"), [N, 4, M]),
    "chosen": (lambda x, t: onp.where(x == -1, 1, x), [N, 4, M]),
    "total": (lambda x, t: onp.sum(x, axis=0), [N + M + 4]),
    "elements": (lambda x, t: onp.prod(x, axis=0), [N * M * 4]),
    "numbers": (lambda x, t: t.positions(ex.const(3)) * 2 + 1, [1, 3, 5]),
}
"""What is computed of [N, 4, M], and the elements that are known of it."""


@pytest.mark.parametrize("name", CASES)
def test_known(name: str) -> None:
    function, expected = CASES[name]
    t = trace()
    assert extents(function(shape(t), t).value) == list(map(ex.Expr.of, expected))


UNKNOWN: dict[str, Callable[[Any, NodeTrace], Any]] = {
    "an extent decides": lambda x, t: x < 3,
    "an extent is an index": lambda x, t: gathered(x, [0], x[:1]),
    "of unknown length": lambda x, t: t.positions(N),
    "floats": lambda x, t: x.astype("f32"),
    "narrow integers may wrap": lambda x, t: x.astype("i8").astype("i64"),
    "an argument": lambda x, t: x + t.array(Block(arg_types=[tensor_type(el.I64, ())]).args[0]),
}
"""What extents alone do not decide."""


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown(name: str) -> None:
    t = trace()
    assert extents(UNKNOWN[name](shape(t), t).value) is None


def test_settled() -> None:
    """What is known becomes constants and extents, which are known to be the same."""
    t = trace()
    value = (shape(t) * 2)[:2].value
    settled = t.node.settled(value)
    assert settled is not value and extents(settled) == extents(value) == [N * 2, ex.const(8)]
