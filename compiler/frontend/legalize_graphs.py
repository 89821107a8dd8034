"""Graphs among the attributes of ONNX nodes: written in place, or made bodies of control flow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects.onnx import NodeOp
from opc.dialects.opc.control import bodies_below
from opc.dialects.opc.functions import add_body
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import Tensor, shape_of, tensor_of
from opc.frontend.models import known as kn
from opc.frontend.models.bodies import Symbols
from opc.frontend.models.known import Held, Known
from opc.frontend.models.op_builder import Result
from opc.frontend.models.outlined import Outlined

from .legalizer import Legalizer, N

if TYPE_CHECKING:
    from opc.frontend.onnx.function import LegalizeOnnxFunction


def copied(op: NodeOp, name: str) -> Block:
    """The block of a graph, to be changed."""
    return op.graphs[name].clone().detach_block(0)


def inline(
    into: LegalizeOnnxFunction, op: NodeOp, name: str, arguments: Sequence[Result]
) -> list[Result]:
    """Put a graph in front of its node; what it gives."""
    return write(into, op, copied(op, name), arguments)


def write(
    into: Legalizer[N], op: Operation, block: Block, arguments: Sequence[Result]
) -> list[Result]:
    """Put the nodes of a block, which is emptied, in front of a node; what it yields."""
    into.written.count(block)
    for argument, value in zip(block.args, arguments, strict=True):
        if isinstance(value, SSAValue):
            argument.replace_all_uses_with(value)
        else:
            into.known[argument] = value
    end = block.last_op
    assert end is not None
    # A node's results are replaced once it is legalized, and so are operands of the yield.
    put(into, op, [inner for inner in block.ops if inner is not end])
    given = list(end.operands)
    end.detach()
    end.drop_all_references()
    into.kept.append(block)
    return [into.known.get(v, v) for v in given]


def put(into: Legalizer[N], op: Operation, nodes: Sequence[Operation]) -> None:
    """Put nodes of a block in front of a node and legalize them."""
    for inner in nodes:
        inner.detach()
        into.block.insert_op_before(inner, op)
    for inner in nodes:
        if isinstance(inner, into.written_as) and inner not in into.done:
            into.legalize(inner)
            into.finish(inner)


def _captured(block: Block) -> list[SSAValue]:
    """The values from outside that a block uses."""
    inside: set[object] = set()
    blocks = [block]
    for op in block.walk():
        blocks += [b for region in op.regions for b in region.blocks]
    for each in blocks:
        inside.update(each.args)
        inside.update(r for op in each.ops for r in op.results)
    used = (v for op in block.walk() for v in op.operands)
    return [v for v in dict.fromkeys(used) if v not in inside]


def outline(
    outer: LegalizeOnnxFunction,
    op: NodeOp,
    name: str,
    types: Sequence[Tensor],
    sequences: Sequence[Held | None],
) -> Outlined:
    """Make a private function of a graph, with arguments of these types."""
    return outline_block(outer, op, copied(op, name), types, sequences)


def _typed(
    block: Block, types: Iterable[Tensor], sequences: Sequence[Held | None], kept: list[Block]
) -> dict[SSAValue, Known]:
    """Give types to arguments, of which sequences become their values; what stands for those."""
    from opc.graph.rewriting import set_type

    rest, given = iter(types), dict[SSAValue, Known]()
    for argument, sequence in zip(list(block.args), sequences, strict=True):
        if sequence is None:
            set_type(argument, next(rest))
            continue
        place = argument.index
        values = [block.insert_arg(next(rest), place + k) for k in range(len(sequence.items))]
        kept.append(Block(arg_types=[argument.type]))
        (stands_for_it,) = kept[-1].args
        given[stands_for_it] = sequence.holding(values)
        argument.replace_all_uses_with(stands_for_it)
        block.erase_arg(argument)
    return given


def outline_block(
    outer: Legalizer[N],
    op: Operation,
    block: Block,
    types: Sequence[Tensor],
    sequences: Sequence[Held | None] = (),
    ranks: Sequence[int | None] = (),
) -> Outlined:
    """Make a private function of a block, which is emptied, with arguments of these types.

    ``sequences`` says which arguments are some, if any: these are given by the types of their
    values, which the function takes one by one.  ``ranks`` are those that results must have.
    """
    symbols = Symbols(outer.names)
    wanted = map(symbols.type, types)
    given = _typed(block, wanted, sequences or [None] * len(block.args), outer.kept)
    captured: list[SSAValue] = []

    def take(value: SSAValue) -> SSAValue:
        """A value of outside as an argument."""
        argument = block.insert_arg(symbols.type(tensor_of(value)), len(block.args))
        captured.append(value)
        return argument

    for value in _captured(block):
        if value in given:
            continue
        if value in outer.known:
            known = outer.known[value]
            if isinstance(known, Held):
                given[value] = known.of_others(take)
            continue
        if isinstance(value.owner, ConstantOp):
            copy = value.owner.clone()
            first = block.first_op
            assert first is not None
            block.insert_op_before(copy, first)
            value.replace_uses_with_if(copy.result, lambda use: _is_in(use.operation, block))
            continue
        argument = take(value)
        value.replace_uses_with_if(argument, lambda use: _is_in(use.operation, block))
    captured += _with_symbols(outer, block, symbols)
    end = block.last_op
    assert end is not None
    condition = block.args[1] if len(block.args) > 1 else None
    yielded = list(end.operands)
    back = ReturnOp(*yielded)
    block.insert_op_before(back, end)
    end.detach()
    end.drop_all_references()
    body_name = add_body(op, "body", block)
    body = block.parent_op()
    assert isinstance(body, FuncOp)
    inner = outer.__class__(body, block)
    inner.written, inner.ranks = outer.written, ranks
    inner.capacities.outer = outer.capacities
    inner.ones.chosen = symbols.chosen(outer.ones)
    outer.written.count(block)
    inner.known.update(outer.known)
    inner.known.update(given)
    inner.names |= outer.names | {n for e in symbols.inside.values() for n in e.symbols()}
    try:
        inner.run()
    except Exception:
        # The loop may be written out instead.
        body.detach()
        raise
    outer.names |= inner.names
    captured += inner.capacities.captured
    results = list(back.operands)
    found = kn.constant(results[0]) if results else None
    is_true = found is not None and found.array.size == 1 and found.exprs[0].constant == 1
    return Outlined(
        body_name,
        body,
        captured,
        [symbols.outside(tensor_of(v)) for v in results],
        [tensor_of(a) for a in block.args],
        [tensor_of(v) for v in results],
        bool(results) and (is_true or results[0] is condition),
        [kn.listed(inner.known.get(v)) for v in yielded],
    )


def drop_unused(module: ModuleOp) -> None:
    """Remove bodies that nothing names any more: those of loops that were written out."""
    listed = [f for f in module.body.block.ops if isinstance(f, FuncOp)]
    used = {body for f in listed if f.sym_visibility is None for body in bodies_below(f)}
    for function in listed:
        if function.sym_visibility is not None and function not in used:
            function.detach()
            function.erase()


def _is_in(op: Operation, block: Block) -> bool:
    at = op.parent
    while at is not None and at is not block:
        around = at.parent_op()
        at = around.parent if around is not None else None
    return at is block


def _with_symbols(outer: Legalizer[N], block: Block, symbols: Symbols) -> list[SSAValue]:
    """Arguments of the outer function whose extents a known value in the body may be made of."""
    bound = {e for a in block.args for e in shape_of(a.type)}
    needed = {
        name
        for op in block.walk()
        for v in op.operands
        if v in outer.known
        for e in outer.known[v].exprs
        for name in e.symbols()
    }
    found: list[SSAValue] = []
    for value in outer.block.args:
        mine = {e.symbol() for e in shape_of(value.type)} & needed
        mine -= {e.symbol() for e in bound}
        if mine:
            argument = block.insert_arg(symbols.type(tensor_of(value)), len(block.args))
            bound |= set(shape_of(argument.type))
            found.append(value)
    return found
