"""GatherND and ScatterND."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.opc.indexing import GatherOp, ScatterOp
from opc.dialects.shape import element, shape_of, tensor_of

from .op_builder import Builder


def columns(builder: Builder, indices: SSAValue) -> list[SSAValue]:
    """The slices of a tensor along its last axis, whose extent is known."""
    shape = shape_of(tensor_of(indices))
    count = shape[-1].constant
    assert count is not None
    return [builder.part(indices, k, len(shape) - 1) for k in range(count)]


def gather_nd(builder: Builder, x: SSAValue, indices: SSAValue, batch: int) -> SSAValue:
    """GatherND: slices of x; the last axis of ``indices`` has an index for each indexed axis."""
    places = columns(builder, indices)
    axes = range(batch, batch + len(places))
    return builder.add(GatherOp(x, *places, axes=axes, batch=batch))


def scatter_nd(
    builder: Builder, x: SSAValue, indices: SSAValue, updates: SSAValue, reduction: str
) -> SSAValue:
    """ScatterND: x with slices replaced or combined, at indices along its first axes."""
    places = columns(builder, indices)
    axes = range(len(places))
    return builder.add(ScatterOp(x, updates, *places, axes=axes, reduction=reduction))


def depth_of(rank: int, indices: Sequence[object], last: int | None, batch: int) -> str | None:
    """What is wrong with the last extent of ND indices; None if nothing is."""
    if not indices:
        return "indices have rank 0"
    if last is None:
        return "how many axes are indexed is not known when compiling"
    if not 1 <= last <= rank - batch:
        return f"indices of {last} axes for rank {rank}, {batch} of them in common"
    if not 0 <= batch < len(indices):
        return f"{batch} axes in common for indices of rank {len(indices)}"
    return None


def is_numeric(x: SSAValue) -> bool:
    """Whether elements can be added."""
    return element(tensor_of(x)) in el.NUMERIC
