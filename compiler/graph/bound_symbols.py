"""Checks that each symbolic extent of a function is defined once, before its first use."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Block, Operation

from opc.dialects import expr as ex
from opc.dialects.opc.data_extent import DataExtentOp, data_extents
from opc.dialects.opc.symbols import SymbolSource, given_extents
from opc.dialects.shape import Shape, shape_of, tensor_of
from opc.errors import InputError, UnsupportedError
from opc.support.locations import location_of


def check_bound(
    block: Block, sources: Iterable[SymbolSource], written: Iterable[tuple[Operation, Shape]]
) -> None:
    """Check the extents of operations, in order.

    Raises InputError for an extent that is not defined, or twice, and UnsupportedError for one that
    is computed after its use.
    """
    bound = set[str]()
    for arg in block.args:
        bound = bound.union(*(e.symbols() for e in shape_of(tensor_of(arg))))
    for source in sources:
        needed = [] if source.body is None else given_extents(source.body)
        _check(block, source, (*source.extents.data, *map(ex.sym, needed)), bound)
        for name in source.defined:
            if name in bound:
                raise InputError(f"extent {name} is defined twice", location_of(source))
        bound.update(source.defined)
    for op, extents in written:
        _check(block, op, extents, bound)
        if isinstance(op, DataExtentOp):
            if op.defined in bound:
                raise InputError(f"extent {op.defined} is defined twice", location_of(op))
            bound.add(op.defined)


def _check(block: Block, op: Operation, extents: Shape, bound: set[str]) -> None:
    for name in sorted({n for e in extents for n in e.symbols()} - bound):
        if any(other.defined == name for other in data_extents(block)):
            raise UnsupportedError(
                f"extent {name} is needed before it is computed", location_of(op)
            )
        raise InputError(f"extent {name} is not an extent of any argument", location_of(op))
