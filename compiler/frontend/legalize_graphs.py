"""Graph attributes of ONNX nodes: inlined, or outlined as bodies of control flow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects.onnx import NodeOp
from opc.dialects.opc.control import bodies_below
from opc.dialects.opc.functions import add_body
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import Tensor, shape_of, tensor_of
from opc.dialects.walking import walk
from opc.frontend.models.bodies import Outlined, Symbols
from opc.frontend.models.containers import Held, listed
from opc.frontend.models.known_values import constant, known_value
from opc.frontend.models.op_builder import Builder, Result

from .legalizer import Legalizer, N


def copied(op: NodeOp, name: str) -> Block:
    """A copy of the block of a graph."""
    return op.graphs[name].clone().detach_block(0)


def write(
    into: Legalizer[N, Any], op: Operation, block: Block, arguments: Sequence[Result]
) -> list[Result]:
    """Move the nodes of a block before a node; returns the values that the block yields."""
    into.written.count(block)
    for argument, value in zip(block.args, arguments, strict=True):
        if isinstance(value, SSAValue):
            argument.replace_all_uses_with(value)
        else:
            into.held[argument] = value
    end = block.last_op
    assert end is not None
    # Legalizing a node replaces its results, also as operands of the yield.
    put(into, op, [inner for inner in block.ops if inner is not end])
    yielded = list(end.operands)
    end.detach()
    end.drop_all_references()
    into.kept.append(block)
    return [into.held.get(v, v) for v in yielded]


def put(into: Legalizer[N, Any], op: Operation, nodes: Sequence[Operation]) -> None:
    """Move nodes of a block before a node, and legalize them."""
    for inner in nodes:
        inner.detach()
        into.block.insert_op_before(inner, op)
    for inner in nodes:
        if isinstance(inner, into.written_as) and inner not in into.done:
            into.legalize(inner)
            into.finish(inner)


def _captured(block: Block) -> list[SSAValue]:
    """The outer values that a block uses."""
    inside: set[object] = set()
    blocks = [block]
    for op in walk(block):
        blocks += [b for region in op.regions for b in region.blocks]
    for inner in blocks:
        inside.update(inner.args)
        inside.update(r for op in inner.ops for r in op.results)
    used = (v for op in walk(block) for v in op.operands)
    return [v for v in dict.fromkeys(used) if v not in inside]


def _typed(
    block: Block, types: Iterable[Tensor], sequences: Sequence[Held | None], kept: list[Block]
) -> dict[SSAValue, Held]:
    """Set types of arguments; returns sequence arguments with the arguments for their values."""
    from opc.graph.rewriting import set_type

    rest, stand_ins = iter(types), dict[SSAValue, Held]()
    for argument, sequence in zip(list(block.args), sequences, strict=True):
        if sequence is None:
            set_type(argument, next(rest))
            continue
        place = argument.index
        values = [block.insert_arg(next(rest), place + k) for k in range(len(sequence.items))]
        kept.append(Block(arg_types=[argument.type]))
        (stands_for_it,) = kept[-1].args
        stand_ins[stands_for_it] = sequence.holding(values)
        argument.replace_all_uses_with(stands_for_it)
        block.erase_arg(argument)
    return stand_ins


def outline_block(
    outer: Legalizer[N, Any],
    op: Operation,
    block: Block,
    types: Sequence[Tensor],
    sequences: Sequence[Held | None] = (),
    ranks: Sequence[int | None] = (),
) -> Outlined:
    """Make a private function from the nodes of a block, with arguments of these types.

    ``sequences`` has the sequence of each argument that is one; ``types`` has the types of its
    values, which become arguments.  ``ranks`` are the required ranks of results.
    """
    symbols = Symbols(outer.names)
    wanted = map(symbols.type, types)
    stand_ins = _typed(block, wanted, sequences or [None] * len(block.args), outer.kept)
    captured: list[SSAValue] = []

    def take(value: SSAValue) -> SSAValue:
        """An outer value as an argument."""
        argument = block.insert_arg(symbols.type(tensor_of(value)), len(block.args))
        captured.append(value)
        return argument

    first, end = block.first_op, block.last_op
    assert first is not None and end is not None
    needed = set[str]()

    def insert(new: Operation) -> None:
        new.location = op.location
        block.insert_op_before(new, first)

    for value in _captured(block):
        if value in stand_ins:
            continue
        if value in outer.held:
            stand_ins[value] = outer.held[value].of_others(take)
            continue
        known = known_value(value, lambda known: known)
        if isinstance(value.owner, ConstantOp):
            copy = value.owner.clone()
            block.insert_op_before(copy, first)
            inside = copy.result
        elif known is not None:
            inside = Builder(insert).tensor(known)
            needed.update(name for e in known.exprs for name in e.symbols())
        else:
            inside = take(value)
        value.replace_uses_with_if(inside, lambda use: _is_in(use.operation, block))
    captured += _with_symbols(outer, block, symbols, needed)
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
    inner.held.update(outer.held)
    inner.held.update(stand_ins)
    inner.names |= outer.names | {n for e in symbols.inside.values() for n in e.symbols()}
    try:
        inner.run()
    except Exception:
        # The loop may be unrolled instead.
        body.detach()
        raise
    outer.names |= inner.names
    captured += inner.capacities.captured
    results = list(back.operands)
    truth = constant(results[0]) if results else None
    is_true = truth is not None and truth.array.size == 1 and truth.exprs[0].constant == 1
    return Outlined(
        body_name,
        body,
        captured,
        [symbols.outside(tensor_of(v)) for v in results],
        bool(results) and (is_true or results[0] is condition),
        [listed(inner.held.get(v)) for v in yielded],
    )


def drop_unused(module: ModuleOp) -> None:
    """Remove bodies without a user: those of unrolled loops."""
    functions = [f for f in module.body.block.ops if isinstance(f, FuncOp)]
    used = {body for f in functions if f.sym_visibility is None for body in bodies_below(f)}
    for function in functions:
        if function.sym_visibility is not None and function not in used:
            function.detach()
            function.erase()


def _is_in(op: Operation, block: Block) -> bool:
    at = op.parent
    while at is not None and at is not block:
        around = at.parent_op()
        at = around.parent if around is not None else None
    return at is block


def _with_symbols(
    outer: Legalizer[N, Any], block: Block, symbols: Symbols, needed: set[str]
) -> list[SSAValue]:
    """Arguments of the outer function with symbols that known values in the body use."""
    bound = {e for a in block.args for e in shape_of(a.type)}
    arguments: list[SSAValue] = []
    for value in outer.block.args:
        mine = {e.symbol() for e in shape_of(value.type)} & needed
        mine -= {e.symbol() for e in bound}
        if mine:
            argument = block.insert_arg(symbols.type(tensor_of(value)), len(block.args))
            bound |= set(shape_of(argument.type))
            arguments.append(value)
    return arguments
