"""Finds tensors that can be computed in the buffer of their concatenation, without a copy.

::

    %a = nest {...}; %b = nest {...}
    %c = nest [1] { sweep [32, 49] { load %a; store to [d0, d1, d2] }
                    sweep [64, 49] { load %b; store to [d0, d1 + 32, d2] } }

If a part is one contiguous piece of its parent, its buffer becomes a view of the parent's, and the
sweep is dropped.  Parts may be nested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import kernel
from opc.dialects.layout import linearize
from opc.dialects.shape import Shape, element, shape_of, tensor_of
from opc.support.target import LINE

from .in_place import stores_once
from .kernel_forms import identity, unshaped


@dataclass(frozen=True)
class Part:
    """The position of a tensor in another one, and the sweep that would copy it there."""

    parent: SSAValue
    start: int
    """The number of the first element; it starts a cache line if the parent does."""
    sweep: kernel.SweepOp


def parts_in_place(
    nests: Sequence[kernel.NestOp], may_move: Callable[[SSAValue], bool]
) -> dict[SSAValue, Part]:
    """The tensors that can lie in another one; ``may_move`` tells which are free to move."""
    parts: dict[SSAValue, Part] = {}
    for nest in nests:
        if not stores_once(nest):
            continue
        for sweep in nest.sweeps:
            copied = copied_piece(nest, sweep)
            if copied is None:
                continue
            value, start = copied
            is_aligned = start * element(tensor_of(value)).bytes % LINE == 0
            if is_aligned and value not in parts and may_move(value):
                parts[value] = Part(nest.outputs[0], start, sweep)
    return parts


def copied_piece(nest: kernel.NestOp, sweep: kernel.SweepOp) -> tuple[SSAValue, int] | None:
    """The result of a kernel that a sweep only copies to one piece of another, and its start."""
    match list(sweep.body.block.ops):
        case [kernel.LoadOp() as load, kernel.StoreOp() as store, kernel.YieldOp()]:
            pass
        case _:
            return None
    own = kernel.scope(load)
    part, parent = shape_of(load.source.type), shape_of(nest.outputs[0].type)
    if store.value is not load.result or load.default is not None or part != own:
        return None
    if load.index.data != identity(len(own)) or not _is_piece(part, parent):
        return None
    starts = [e - d for e, d in zip(store.index.data, identity(len(own)), strict=True)]
    start = linearize(starts, parent).constant
    value = unshaped(load.source)
    if start is None or not isinstance(value.owner, kernel.NestOp) or value.owner is nest:
        return None
    return value, start


def _is_piece(part: Shape, parent: Shape) -> bool:
    """Whether a part is contiguous: it has all of its parent behind the first axis above 1."""
    first = next((k for k, e in enumerate(part) if e != 1), len(part))
    known = all(e.constant is not None for e in (*part, *parent))
    return known and part[first + 1 :] == parent[first + 1 :]
