"""Sinks concatenations behind the functions that make their elements narrower.

::

    cast(round(div(concat(%a, %b), %s))) : ui8
      --> concat(cast(round(div(%a, %s))), cast(round(div(%b, %s)))), of a scalar %s

A quantized network dequantizes what it joins, and quantizes the result: the parts are stored and
joined as bytes then, and the nests that compute them compute the functions.  All users of the
concatenation are such functions; equal ones become one, and all results together are narrower than
what was joined.  Each value is computed as before.  Runs before integer-contractions, which takes
the integers of a part that is dequantized with the scale of the result; fold-constants evaluates
the functions of parts that are constants, such as padding.  Of a part that one value fills, it is
the value that functions take.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.elementwise import Elementwise
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.opc.unary import Conversion
from opc.dialects.shape import element, shape_of, tensor_of, tensor_type

from .rewriting import Builder, erase, functions, operators, set_type


@dataclass(frozen=True)
class SinkConcatsPass(ModulePass):
    """cast(f(concat(a, b)))  -->  concat(cast(f(a)), cast(f(b))), if that is narrower."""

    name = "sink-concats"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Sink all concatenations, those of others first."""
        for _, block in functions(op):
            for operator in reversed(operators(block)):
                if isinstance(operator, ConcatOp):
                    _sink(operator, block)


def _sink(concat: ConcatOp, block: Block) -> None:
    """Sink a concatenation, if only functions that make it narrower read it."""
    users = dict.fromkeys(use.operation for use in concat.result.uses)
    chains = [_narrowing(concat.result, user) for user in users]
    if not chains or not all(chains):
        return
    alike: dict[Hashable, list[list[OpcOp]]] = {}
    for chain in chains:
        alike.setdefault(_key(concat.result, chain), []).append(chain)
    results = sum(_width(same[0][-1].result) for same in alike.values())
    if results >= _width(concat.result):
        return
    order = {op: k for k, op in enumerate(block.ops)}
    for same in alike.values():
        first = min(same, key=lambda chain: order[chain[-1]])
        joined = _joined(concat, first)
        for chain in same:
            chain[-1].result.replace_all_uses_with(joined)
    for op in (op for chain in chains for op in reversed(chain)):
        erase(op)
    erase(concat)


def _narrowing(x: SSAValue, user: Operation) -> list[OpcOp]:
    """The functions of x alone from one of its users to the first that is narrowest.

    None, if that is not narrower than x.
    """
    chain: list[OpcOp] = []
    at = x
    while _is_function(at, user):
        assert isinstance(user, OpcOp)
        chain.append(user)
        at = user.result
        if not at.has_one_use():
            break
        user = next(iter(at.uses)).operation
    widths = [_width(op.result) for op in chain]
    if not chain or min(widths) >= _width(x):
        return []
    return chain[: widths.index(min(widths)) + 1]


def _is_function(x: SSAValue, op: Operation) -> bool:
    """Whether an operation is a scalar function of each element of x and of scalars."""
    return (
        isinstance(op, Elementwise)
        and shape_of(op.type) == shape_of(x.type)
        and all(v is x or _scalar(v) is not None for v in op.operands)
    )


def _scalar(x: SSAValue) -> SSAValue | None:
    """The one value that x repeats."""
    while isinstance(x.owner, ReshapeOp | BroadcastOp):
        x = x.owner.operands[0]
    return x if all(e == 1 for e in shape_of(x.type)) else None


def _width(x: SSAValue) -> int:
    """Bytes of an element."""
    return element(tensor_of(x)).bytes


def _key(x: SSAValue, chain: Sequence[OpcOp]) -> Hashable:
    """What is equal for chains that compute the same of x."""
    keys: list[Hashable] = []
    for op in chain:
        operands = tuple(None if v is x else _value(v) for v in op.operands)
        keys.append((op.name, op.type, frozenset(op.properties.items()), operands))
        x = op.result
    return tuple(keys)


def _value(x: SSAValue) -> Hashable:
    """What is equal for equal scalars."""
    scalar = _scalar(x)
    op = None if scalar is None else scalar.owner
    if isinstance(op, ConstantOp):
        return element(op.type), op.array().tobytes()
    if isinstance(op, Elementwise):
        operands = tuple(map(_value, op.operands))
        return op.name, element(op.type), frozenset(op.properties.items()), operands
    return scalar or x


def _joined(concat: ConcatOp, chain: Sequence[OpcOp]) -> SSAValue:
    """The concatenation of what functions give of each part, in front of the last of them."""
    end, builder = chain[-1], Builder(chain[-1])
    distinct = dict.fromkeys(concat.operands)
    parts = {part: _applied(chain, concat, part, builder) for part in distinct}
    new = ConcatOp(*(parts[part] for part in concat.operands), **concat.values())
    joined = builder.add(new)
    new.location = concat.location
    joined.name_hint = end.result.name_hint
    return set_type(joined, end.type)


def _applied(
    chain: Sequence[OpcOp], concat: ConcatOp, part: SSAValue, builder: Builder
) -> SSAValue:
    """What functions of a concatenation give of one of its parts, or of the value that fills it."""
    is_filled = isinstance(part.owner, BroadcastOp) and _scalar(part) is not None
    before, at = concat.result, _rank_0(part, builder) if is_filled else part
    for op in chain:
        operands = [at if v is before else _rank_0(v, builder) for v in op.operands]
        params = op.values()
        if isinstance(op, Conversion):
            params["result_type"] = tensor_type(op.type.element_type, shape_of(at.type))
        new = op.__class__(*operands, **params)
        before, at = op.result, builder.add(new)
        new.location = op.location
    return builder.broadcast(at, shape_of(part.type))


def _rank_0(x: SSAValue, builder: Builder) -> SSAValue:
    scalar = _scalar(x)
    assert scalar is not None
    return builder.reshape(scalar, ())
