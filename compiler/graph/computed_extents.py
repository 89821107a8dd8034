"""Outlines the computation of extents into a function that runs before the others.

::

    %w = opc.add %v, %v
    opc.read_extents plain %w -> ["s0"] : tensor<1xi64>

    --> opc.read_extents plain @extents0 gives 1 %v -> ["s0"] : tensor<1xi64>

        func.func private @extents0(%v: tensor<1xi64>) -> tensor<1xi64> { return %v + %v }

The new function has all arguments of the original one, and their symbols.  It is given the extents
that were read before (``opc.given_extents``), since the values may depend on them.  The C calls it
before it lays out the workspace.
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
    """Replace an operation that reads computed values; ``infer`` types the new function.

    Raises UnsupportedError where the values depend on control flow or data-dependent extents.
    """
    needed = _needed(op)
    _check_memory(op, needed)
    inner = Block(arg_types=[a.type for a in block.args])
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, inner.args, strict=True))
    for producer in block.ops:
        if producer in needed:
            copy = producer.clone(values)
            inner.add_op(copy)
            values[producer.results[0]] = copy.results[0]
    result = values[op.values]
    count = ex.product(shape_of(tensor_of(result)))
    if element(tensor_of(result)) is not el.I64:
        type = tensor_type(el.I64, shape_of(tensor_of(result)))
        inner.add_op(cast := CastOp(result, result_type=type))
        result = cast.result
    if shape_of(tensor_of(result)) != (count,):
        inner.add_op(line := ReshapeOp(result, result_type=tensor_type(el.I64, (count,))))
        result = line.result
    inner.add_op(ReturnOp(result))
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
    outlined = op.computed(name, count.constant or 0, block.args)
    outlined.location = op.location
    block.insert_op_before(outlined, op)
    block.erase_op(op)
    return outlined


def _check_memory(op: ReadExtentsOp, needed: set[Operation]) -> None:
    """UnsupportedError where the values need more memory than a stack has, or checks of indices.

    Such extents become data-dependent, such as totals of lengths.  Elementwise operators need no
    memory, since they are computed where they are read; all other results are stored.
    """
    for producer in needed:
        types = [tensor_of(v) for v in producer.results]
        if isinstance(producer, IndexingOp):
            indices = producer.operands[producer.FIRST :]
            if not all(isinstance(v.owner, ConstantOp) for v in indices):
                raise UnsupportedError(
                    f"{op.name}: computing the values needs checks of indices", location_of(op)
                )
        elif isinstance(producer, _COMPUTED_WHERE_READ):
            users = {use.operation for use in producer.results[0].uses} & needed
            # A result is stored only if a reduction and another operation read it.
            if len(users) == 1 or not any(isinstance(user, Reduction) for user in users):
                continue
        elif not isinstance(producer, Reduction | ArgReduction):
            # Weights of contractions would be packed once more; other operands are stored, too.
            types += [tensor_of(v) for v in producer.operands]
        sizes = [ex.product(shape_of(t)).constant for t in types]
        known = [n for n in sizes if n is not None]
        if len(known) != len(sizes) or sum(known) * el.F64.dtype.itemsize > FRAME:
            raise UnsupportedError(
                f"{op.name}: computing the values takes too much memory", location_of(op)
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


def _needed(op: ReadExtentsOp) -> set[Operation]:
    """The operators that compute the values."""
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
