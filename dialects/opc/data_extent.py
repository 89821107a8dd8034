"""``opc.data_extent``: data-dependent extents, such as the number of non-zeros.

Such an extent is a symbol like others, so every operator takes tensors that have it.  It has a
value only after the operation that defines it.  Buffers and outputs, which are allocated before,
have the size of its upper bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, cast

from xdsl.dialects.builtin import MemRefType, StringAttr, TensorType
from xdsl.ir import Block, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, traits_def
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from ..bounds import Bounds, at_most
from ..effects import KEPT
from ..element import element_of
from ..formats import Formatted
from ..shape import Buffer, DimsAttr, Tensor, shape_of, type_text
from .symbols import RequireOp


@irdl_op_definition
class DataExtentOp(Formatted):
    """Defines a symbol by a computed i64 of rank 0, which must be in 0 ... most.

    ::

        opc.data_extent %count most <N*3> -> "k0" : tensor<i64>

    Operations after it may use the symbol.  The call fails if the value is outside.

    If nothing bounds the value, the caller of the public function passes the bound
    (``opc.given_extents``).  ``of`` names it, also in bodies that have another symbol for it::

        opc.data_extent %count most <s1> of "c0" -> "k0" : tensor<i64>
    """

    name = "opc.data_extent"
    value = operand_def()
    most = prop_def(DimsAttr)
    symbol = prop_def(StringAttr)
    capacity = opt_prop_def(StringAttr)
    traits = traits_def(KEPT)
    FORMAT: ClassVar[str] = "$value `most` $most (`of` $capacity^)? `->` $symbol `:` type($value)"

    @staticmethod
    def of(
        value: SSAValue, most: ex.Expr, symbol: str, capacity: str | None = None
    ) -> DataExtentOp:
        """The operation; ``capacity`` names the bound if the caller passes it."""
        return DataExtentOp(
            operands=[value],
            properties={
                "most": DimsAttr((most,)),
                "symbol": StringAttr(symbol),
                "capacity": None if capacity is None else StringAttr(capacity),
            },
        )

    @property
    def bound(self) -> ex.Expr:
        """The upper bound, in symbols that are defined before."""
        return self.most.data[0]

    @property
    def defined(self) -> str:
        """The symbol."""
        return self.symbol.data

    def verify_(self) -> None:
        """Check the value, the bound and the symbol."""
        # data_extent_c1: there is one bound.
        if len(self.most.data) != 1:
            raise VerifyException(f"{self.name}: expected one bound, found {len(self.most.data)}")
        # data_extent_c2: the value is an i64 of rank 0.
        shaped = isinstance(self.value.type, TensorType | MemRefType)
        type = cast("Tensor | Buffer", self.value.type)
        if not shaped or element_of(type.element_type) is not el.I64 or shape_of(type):
            raise VerifyException(
                f"{self.name}: expected an i64 of rank 0, found {type_text(type)}"
            )
        # data_extent_c3: the symbol can be written in an extent.
        name = self.defined
        if not ex.SYMBOL.match(name) or ex.DIM.match(name) or name in ex.FUNCTIONS:
            raise VerifyException(f"{self.name}: {name!r} cannot be a symbol")


def data_extents(block: Block) -> list[DataExtentOp]:
    """The definitions of data-dependent symbols in a block, in order."""
    return [op for op in block.ops if isinstance(op, DataExtentOp)]


def data_bounds(ops: Iterable[DataExtentOp]) -> Bounds:
    """The upper bound of each data-dependent symbol, in symbols that are not."""
    bounds: dict[str, ex.Expr] = {}
    for op in ops:
        bounds[op.defined] = at_most(op.bound, bounds)
    return bounds


def is_data_dependent(op: RequireOp, from_data: Iterable[str]) -> bool:
    """Whether a requirement has data-dependent symbols, and is checked at its own position."""
    return not frozenset(from_data).isdisjoint(
        op.sides.data[0].symbols() | op.sides.data[1].symbols()
    )
