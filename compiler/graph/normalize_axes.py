"""Makes axes of reductions explicit, sorted, unique and counted from the front.

::

    reduce_sum(x) {axes = [-1, 0], keepdims = true}, x of shape [2, 3, 4]
      --> reshape (reduce_sum(x) {axes = [0, 2]}) to [1, 3, 1]

    reduce_sum(x)                  --> reduce_sum(x) {axes = [0, 1, 2]}
    reduce_sum(x) {axes = []}      --> x, unless empty_axes = "all"
    argmax(x) {axis = -1}          --> argmax(x) {axis = 2}
    cum_sum(x) {axis = -1}         --> cum_sum(x) {axis = 2}
    matmul(a, b), a of shape [4]   --> reshape (matmul(reshape a to [1, 4], b)) to [...]

On a rank-0 tensor, ``reduce_l1(x)`` without axes is |x|: it reduces no axis, but is not the
identity.  It stays for decompose.  Runs after infer-shapes, since it needs types.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.cumulative import Cumulative
from opc.dialects.opc.reduction import ArgReduction, Reduction
from opc.dialects.shape import shape_of, tensor_of

from .rewriting import Builder, OperatorPass
from .run_time_axes import UNCHANGED


def normalize_reduction(op: Reduction, builder: Builder) -> SSAValue | None:
    """reduce(axes=[-1], keepdims) --> reshape (reduce(axes=[2]))."""
    if len(op.operands) != 1:
        return None
    x, params = op.operands[0], op.values()
    rank = len(shape_of(tensor_of(x)))
    axes = Reduction.axes(rank, params)
    is_identity = params["axes"] == () and params["empty_axes"] == "identity"
    if is_identity or (rank == 0 and op.name in UNCHANGED):
        return x
    if rank == 0:
        is_plain = params == {p.name: p.default for p in op.params}
        return None if is_plain else builder.add(type(op)(x))
    if params["axes"] == axes and not params["keepdims"]:
        return None
    return builder.reshape(builder.add(type(op)(x, axes=axes)), shape_of(op.type))


def normalize_arg_reduction(op: ArgReduction, builder: Builder) -> SSAValue | None:
    """argmax(axis=-1, keepdims) --> reshape (argmax(axis=2))."""
    x, params = op.operands[0], op.values()
    axis = params["axis"] % len(shape_of(tensor_of(x)))
    if params["axis"] == axis and not params["keepdims"]:
        return None
    last = params["select_last_index"] or None
    indices = builder.add(type(op)(x, axis=axis, select_last_index=last))
    return builder.reshape(indices, shape_of(op.type))


def normalize_cumulative(op: Cumulative, builder: Builder) -> SSAValue | None:
    """cum_sum(axis=-1) --> cum_sum(axis=2)."""
    params = op.values()
    if params["axis"] >= 0:
        return None
    params["axis"] %= len(shape_of(op.type))
    return builder.add(type(op)(op.operands[0], **params))


def normalize_matmul(op: MatmulOp, builder: Builder) -> SSAValue | None:
    """matmul(vector, b) --> reshape (matmul(matrix of one row, b)); on the right, of one column."""
    a, b = op.operands
    left, right = shape_of(tensor_of(a)), shape_of(tensor_of(b))
    if len(left) > 1 and len(right) > 1:
        return None
    if len(left) == 1:
        a = builder.reshape(a, (ex.const(1), *left))
    if len(right) == 1:
        b = builder.reshape(b, (*right, ex.const(1)))
    return builder.reshape(builder.add(MatmulOp(a, b)), shape_of(op.type))


class NormalizeAxesPass(OperatorPass):
    """reduce(x) {axes = [-1], keepdims = true}  -->  reshape (reduce(x) {axes = [2]})."""

    name = "normalize-axes"

    def rewrite(self, op: OpcOp) -> None:
        """Replace an operator that is not in normal form."""
        builder, value = Builder(op), None
        match op:
            case Reduction():
                value = normalize_reduction(op, builder)
            case ArgReduction():
                value = normalize_arg_reduction(op, builder)
            case Cumulative():
                value = normalize_cumulative(op, builder)
            case MatmulOp():
                value = normalize_matmul(op, builder)
            case _:
                pass
        if value is not None:
            builder.replace(value)
