"""Extents that the function computes become what another function gives, before it starts.

::

    %w = opc.add %v, %v
    opc.read_extents plain %w -> ["s0"] : tensor<1xi64>

    --> opc.read_extents plain @extents0 gives 1 (%v) -> ["s0"] : (tensor<1xi64>)

        func.func private @extents0(%v: tensor<1xi64>) -> tensor<1xi64> { return %v + %v }

The function has all arguments of the one around it, and the symbols of these.  Extents that were
read before, which the values may depend on, are given to it (``opc.given_extents``).  The C calls
it before anything has a place.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.elementwise import Elementwise
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.functions import add_body, function_named
from opc.dialects.opc.indexing import IndexingOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import SliceOp, WindowsOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.reduction import ArgReduction, Reduction
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import element, shape_of, tensor_of, tensor_type
from opc.errors import InputError, UnsupportedError
from opc.support.locations import location_of
from opc.support.target import FRAME


def outline(op: ReadExtentsOp, block: Block, infer: Callable[[FuncOp], None]) -> ReadExtentsOp:
    """Replace what reads computed values; ``infer`` gives types to the function that is made.

    Raises UnsupportedError where the values depend on control flow, or on extents that are found
    on the way.
    """
    needed = _needed(op)
    _check_memory(op, needed)
    inner = Block(arg_types=[a.type for a in block.args])
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, inner.args, strict=True))
    for each in block.ops:
        if each in needed:
            copy = each.clone(values)
            inner.add_op(copy)
            values[each.results[0]] = copy.results[0]
    found = values[op.values]
    count = ex.product(shape_of(tensor_of(found)))
    if element(tensor_of(found)) is not el.I64:
        type = tensor_type(el.I64, shape_of(tensor_of(found)))
        inner.add_op(cast := CastOp(found, result_type=type))
        found = cast.result
    if shape_of(tensor_of(found)) != (count,):
        inner.add_op(line := ReshapeOp(found, result_type=tensor_type(el.I64, (count,))))
        found = line.result
    inner.add_op(ReturnOp(found))
    name = add_body(op, "extents", inner)
    body = function_named(op, name)
    assert body is not None
    try:
        infer(body)
    except InputError as error:
        body.detach()
        raise UnsupportedError(
            f"{op.name}: the values depend on extents that are computed: {error.message}",
            location_of(op),
        ) from None
    made = op.computed(name, count.constant or 0, block.args)
    made.location = op.location
    block.insert_op_before(made, op)
    block.erase_op(op)
    return made


def _check_memory(op: ReadExtentsOp, needed: set[Operation]) -> None:
    """UnsupportedError where the values need more memory than a stack has, or checks of indices.

    Then they are computed once, on the way: a network that says how long its result is, totals of
    lengths.  What goes element by element is computed where it is read; all else is stored.
    """
    for each in needed:
        types = [tensor_of(v) for v in each.results]
        if isinstance(each, IndexingOp):
            indices = each.operands[each.FIRST :]
            if not all(isinstance(v.owner, ConstantOp) for v in indices):
                raise UnsupportedError(
                    f"{op.name}: what computes the values must check indices", location_of(op)
                )
        elif isinstance(each, _COMPUTED_WHERE_READ):
            if not _is_stored(each, needed):
                continue
        elif not isinstance(each, Reduction | ArgReduction):
            # Weights of products would be laid out once more, other operands are stored too.
            types += [tensor_of(v) for v in each.operands]
        sizes = [ex.product(shape_of(t)).constant for t in types]
        known = [n for n in sizes if n is not None]
        if len(known) != len(sizes) or sum(known) * el.F64.dtype.itemsize > FRAME:
            raise UnsupportedError(
                f"{op.name}: what computes the values takes too much memory", location_of(op)
            )


_COMPUTED_WHERE_READ = (
    Elementwise,
    ConstantOp,
    ReshapeOp,
    BroadcastOp,
    TransposeOp,
    SliceOp,
    WindowsOp,
    ExtentOp,
    IotaOp,
)


def _is_stored(op: Operation, needed: set[Operation]) -> bool:
    """Whether a reduction reads what another operation reads, too."""
    users = {use.operation for use in op.results[0].uses} & needed
    return len(users) > 1 and any(isinstance(user, Reduction) for user in users)


def _needed(op: ReadExtentsOp) -> set[Operation]:
    """The operators that the values are computed by."""
    needed: set[Operation] = set()
    waiting = [op.values]
    while waiting:
        value = waiting.pop()
        owner = value.owner
        if isinstance(value, BlockArgument) or owner in needed:
            continue
        if not isinstance(owner, OpcOp):
            name = owner.name if isinstance(owner, Operation) else "a block"
            raise UnsupportedError(f"{op.name}: the values are computed by {name}", location_of(op))
        needed.add(owner)
        waiting += owner.operands
    return needed
