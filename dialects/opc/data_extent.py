"""``opc.data_extent`` and ``opc.require_range``: what data is for extents and indices.

A data-dependent extent, such as the number of non-zeros, is a symbol like others, so every operator
takes tensors that have it.  It has a value only after the operation that defines it.  Buffers and
outputs, which are allocated before, have the size of its upper bound.
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
from ..shape import Buffer, DimsAttr, IndexAttr, Tensor, require_integers, shape_of, type_text
from .symbols import RequireOp, check_symbol


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
        return DataExtentOp.new(value, most=DimsAttr((most,)), symbol=symbol, capacity=capacity)

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
        check_symbol(self.name, self.defined)


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


@irdl_op_definition
class RequireRangeOp(Formatted):
    """Fails the call unless every element of a tensor of integers is in a range.

    Operations after it can index with the elements safely::

        opc.require_range %i from <-N> to <N - 1> "opc.gather: an index is outside of axis 0"
            : tensor<4xi64>
    """

    name = "opc.require_range"
    values = operand_def()
    low = prop_def(IndexAttr)
    high = prop_def(IndexAttr)
    message = prop_def(StringAttr)
    traits = traits_def(KEPT)
    FORMAT: ClassVar[str] = "$values `from` $low `to` $high $message `:` type($values)"

    @staticmethod
    def of(values: SSAValue, low: ex.Expr, high: ex.Expr, message: str) -> RequireRangeOp:
        """The check of some values."""
        return RequireRangeOp.new(values, low=low, high=high, message=message)

    @property
    def bounds(self) -> tuple[ex.Expr, ex.Expr]:
        """The least value and the greatest."""
        return self.low.data[0], self.high.data[0]

    def described(self, low: str, high: str) -> str:
        """The message with the bounds, unless these are equal: then the message has the number."""
        message = self.message.data
        return message if low == high else f"{message}, expected those in [{low}, {high}]"

    def verify_(self) -> None:
        """Check the values and the bounds."""
        # require_range_c1: there is one expression for each bound.
        if len(self.low.data) != 1 or len(self.high.data) != 1:
            raise VerifyException("opc.require_range: expected one expression for each bound")
        # require_range_c2: the values are an integer tensor.
        require_integers("opc.require_range", self.values)
