"""Remove loops, choices and computations that are not needed.

``for i = 3 to 4 { ... }  -->  ...  with i = 3``

Loops that never run, choices whose condition is known, and unused computations disappear.  Of equal
constants in nested blocks the outermost one stays.

``ge(x, 0)`` of an unsigned x  -->  ``true``, since C compilers warn about comparisons that the type
decides.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from opc.dialects import body, loop
from opc.dialects import element as el
from opc.dialects.body import scalar_type
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass

from .loop_parts import replace

_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


_OF_ITSELF = {
    "eq": True, "le": True, "ge": True, "ne": False, "lt": False, "gt": False, "xor": False,
}  # fmt: skip
"""Comparisons of a value with itself; of floats, NaN is the exception."""


def decided(op: body.ApplyOp) -> bool | None:
    """The value of a comparison that an integer type or equal operands decide."""
    name = op.function.data
    if name in _OF_ITSELF and op.args[0] is op.args[1] and not scalar_type(op.args[0]).is_float:
        return _OF_ITSELF[name]
    if name not in _MIRRORED:
        return None
    x, limit = op.args
    if isinstance(x.owner, body.ConstantOp):
        name, x, limit = _MIRRORED[name], limit, x
    type = scalar_type(x)
    if type.is_float or not isinstance(limit.owner, body.ConstantOp):
        return None
    if name in ("ge", "lt") and limit.owner.number == type.lowest:
        return name == "ge"
    if name in ("le", "gt") and limit.owner.number == type.highest:
        return name == "le"
    return None


def _fold(op: body.ApplyOp) -> None:
    """Replace a decided comparison by a constant, and a choice by a constant by what it chooses."""
    value = decided(op)
    if value is not None:
        Rewriter.insert_op(constant := body.ConstantOp.of(value, el.I1), InsertPoint.before(op))
        op.result.replace_all_uses_with(constant.result)
    elif op.function.data == "select" and isinstance(op.args[0].owner, body.ConstantOp):
        chosen = op.args[1] if op.args[0].owner.number else op.args[2]
        op.result.replace_all_uses_with(chosen)


def simplify(block: Block) -> None:
    """Simplify a block and the loops in it."""
    _simplify_loops(block)
    _clean(block, {})


def _clean(block: Block, outer: dict[tuple[Attribute, Attribute], SSAValue]) -> None:
    """Clean a block and the loops in it; ``outer`` has the constants of the blocks around."""
    constants = dict(outer)
    for op in list(block.ops):
        if isinstance(op, body.ConstantOp):
            key = (op.value, op.result.type)
            known = constants.setdefault(key, op.result)
            if known is not op.result:
                op.result.replace_all_uses_with(known)
        elif isinstance(op, body.ApplyOp):
            _fold(op)
        elif isinstance(op, loop.ForOp):
            _clean(op.body.block, constants)
            if op.body.block.is_empty:
                Rewriter.erase_op(op)
        elif isinstance(op, loop.IfOp):
            for inside in op.blocks:
                _clean(inside, constants)
    for op in reversed(list(block.ops)):
        # What is left in a loop or a choice has an effect, or is used for one.
        is_left = isinstance(op, loop.ForOp) or (
            isinstance(op, loop.IfOp) and not all(inside.is_empty for inside in op.blocks)
        )
        if not is_left and is_trivially_dead(op):
            Rewriter.erase_op(op)


def drop_unread(block: Block) -> bool:
    """Remove variables that nothing reads; return whether there were any."""
    has_dropped = False
    for op in list(walk(block)):
        if not isinstance(op, loop.LocalOp):
            continue
        users = [use.operation for use in op.result.uses]
        if all(_only_writes(u, op.result) for u in users):
            for dead in (*dict.fromkeys(users), op):
                Rewriter.erase_op(dead)
            has_dropped = True
    return has_dropped


def _only_writes(user: Operation, local: SSAValue) -> bool:
    match user:
        case loop.StoreOp() | loop.TransposeOp() | loop.NarrowOp():
            return user.target is local
        case loop.LookUpOp():
            return user.target is local and local not in (user.source, user.table)
        case loop.WidenOp() | loop.RoundOp():
            return user.wide is local
        case loop.CascadeOp() | loop.GroupOp():
            return user.lanes is local
        case _:
            return False


def _simplify_loops(block: Block) -> None:
    """Replace loops of at most one iteration, and decided choices, by the block that runs."""
    op = block.first_op
    while op is not None:
        if not isinstance(op, loop.ForOp | loop.IfOp):
            op = op.next_op
            continue
        runs = _known(op)
        if runs is None:
            for region in op.regions:
                _simplify_loops(region.block)
            op = op.next_op
            continue
        if isinstance(op, loop.ForOp) and not runs.is_empty:
            for use in list(op.variable.uses):
                replace(use.operation, op.variable, (op.bounds[0], []))
        replaced, op = op, runs.first_op or op.next_op
        Rewriter.inline_block(runs, InsertPoint.before(replaced))
        Rewriter.erase_op(replaced)


def _known(op: loop.ForOp | loop.IfOp) -> Block | None:
    """The block that runs once, an empty one if none runs, None if that is unknown."""
    if isinstance(op, loop.ForOp):
        lower, upper, step = op.bounds
        span = (upper - lower).constant
        if span is None or any(isinstance(o, loop.BreakOp) for o in op.body.block.ops):
            return None
        if 0 < span <= step and lower.constant is not None:
            return op.body.block
        return Block() if span <= 0 else None
    if op.holds.constant is not None:
        chosen = op.blocks[0 if op.holds == 1 else 1 :]
        return chosen[0] if chosen else Block()
    return None


class SimplifyLoopsPass(FunctionPass):
    """for i = 3 to 4 {...}  -->  ... with i = 3; unused values disappear."""

    name = "simplify-loops"

    def rewrite(self, function: FuncOp) -> None:
        """Simplify one function until every array that it writes is read."""
        block = function.body.block
        simplify(block)
        while drop_unread(block):
            simplify(block)
