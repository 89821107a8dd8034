"""GatherND and ScatterND."""

from __future__ import annotations

from typing import Any

from opc.dialects import element as el
from opc.dialects.opc.indexing import GatherOp, ScatterOp

from .call import Call


def columns(x: Any) -> list[Any]:
    """The slices of an array along its last axis, whose extent is known."""
    return [x[..., k] for k in range(x.shape[-1])]


def gather_nd(call: Call, batch: int) -> Any:
    """Slices of input 0; the last axis of input 1 has an index for each indexed axis."""
    check_depth(call, batch)
    x, places = call.traced(0), columns(call.traced(1))
    return x.trace.emit(GatherOp, x, *places, axes=range(batch, batch + len(places)), batch=batch)


def scatter_nd(call: Call, updates: Any, reduction: str) -> Any:
    """Input 0 with slices replaced or combined, at the indices of input 1 along its first axes."""
    check_depth(call, 0)
    x, places = call.traced(0), columns(call.traced(1))
    axes = range(len(places))
    return x.trace.emit(ScatterOp, x, updates, *places, axes=axes, reduction=reduction)


def check_depth(call: Call, batch: int) -> None:
    """Raise an error for a wrong last extent of the indices, input 1."""
    rank, indices = call.rank(), call.shape(1)
    if not indices:
        raise call.error("indices have rank 0")
    last = indices[-1].constant
    if last is None:
        raise call.unsupported("how many axes are indexed is not known when compiling")
    if not 1 <= last <= rank - batch:
        raise call.error(f"indices of {last} axes for rank {rank}, {batch} of them in common")
    if not 0 <= batch < len(indices):
        raise call.error(f"{batch} axes in common for indices of rank {len(indices)}")


def is_numeric(call: Call) -> bool:
    """Whether elements of input 0 can be added."""
    return call.element() in el.NUMERIC
