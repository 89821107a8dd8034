"""Rewrites ``opc.read_extents`` of computed values as data-dependent extents."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import GivenExtentsOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of
from opc.errors import UnsupportedError
from opc.frontend.models.data_dependent import data_extents
from opc.frontend.models.op_builder import Builder
from opc.support.locations import location_of


def extents_from_data(
    op: ReadExtentsOp, most: Shape | None, fresh: Callable[[str], str]
) -> tuple[list[Operation], list[GivenExtentsOp]]:
    """The operations that define read extents as data-dependent ones, and their capacities.

    ``most`` has the upper bounds of the values.  An extent without one gets a capacity, which the
    caller gives.  Raises UnsupportedError for data-dependent axes.
    """
    operations: list[Operation] = []
    capacities: list[GivenExtentsOp] = []
    builder = Builder(operations.append)

    def data_extent(value: SSAValue, bound: ex.Expr | None, name: str) -> ex.Expr:
        capacity = None
        if bound is None:
            bound = ex.sym(capacity := fresh("c"))
            capacities.append(GivenExtentsOp.of([capacity]))
        operations.append(DataExtentOp.of(value, bound, name, capacity))
        return ex.sym(name)

    rule, values = op.rule.data, op.values
    if rule == "plain":
        count = ex.product(shape_of(tensor_of(values)))
        if element(tensor_of(values)) is not el.I64:
            values = builder.cast(values, el.I64)
        line = builder.reshape(values, (count,))
        for k, name in enumerate(op.defined):
            data_extent(builder.part(line, k), None if most is None else most[k], name)
    else:
        extents = data_extents(
            builder,
            rule,
            values,
            op.extents.data,
            most,
            lambda value, bound: data_extent(value, bound, fresh("v")),
        )
        if extents is None:
            raise UnsupportedError(f"{op.name}: axes are data-dependent", location_of(op))
        for e, name in zip(extents, op.defined, strict=True):
            data_extent(builder.add(ExtentOp.of(e)), e, name)
    for new in (*operations, *capacities):
        new.location = op.location
    return operations, capacities
