"""Loads and stores of the ``loop`` dialect: their bases, ``loop.gather`` and ``loop.scatter``.

The dimensions of an offset that depends on data are loop variables or i64 scalars::

    %v = loop.gather %table[d0*8 + d1](%i, %j) : f32
    loop.scatter %v to %y[d0*8 + d1](%i, %j)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from . import element as el
from . import expr as ex
from .buffer import buffer_of, check_element, check_index
from .formats import Formatted
from .shape import IndexAttr


class Load(Formatted):
    """Loads the element of a buffer at an offset over the values ``dims``, in its stored type."""

    source = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    result = result_def()
    traits = traits_def(MemoryReadEffect())
    FORMAT: ClassVar[str] = "$source custom<At>($index, $dims) `:` type($result)"

    @classmethod
    def of(cls, source: SSAValue, index: ex.Expr, dims: Sequence[SSAValue] = ()) -> Self:
        """The load of the buffer's element type."""
        element = buffer_of(cls.name, source).element_type
        return cls.new(source, dims, results=[element], index=index)

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        check_element(self.name, self.source, self.result)
        check_index(self.name, self.index, self.dims)


class Store(Formatted):
    """Stores an element to a buffer at an offset over the values ``dims``."""

    value = operand_def()
    target = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    traits = traits_def(MemoryWriteEffect())
    FORMAT: ClassVar[str] = "$value `to` $target custom<At>($index, $dims)"

    @classmethod
    def of(
        cls, value: SSAValue, target: SSAValue, index: ex.Expr, dims: Sequence[SSAValue] = ()
    ) -> Self:
        """The store of a scalar to a buffer."""
        return cls.new(value, target, dims, index=index)

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        check_element(self.name, self.target, self.value)
        check_index(self.name, self.index, self.dims)


def _check_dims(op: Load | Store) -> None:
    # loop_indirect_c1: an offset depends on loop variables and i64 scalars alone.
    for v in op.dims:
        if v.type not in (IndexType(), el.I64.type):
            raise VerifyException(
                f"{op.name}: an offset depends on {v.type}, expected index or i64"
            )


@irdl_op_definition
class GatherOp(Load):
    """Loads the element of a buffer at a data-dependent offset, in its stored type."""

    name = "loop.gather"
    FORMAT: ClassVar[str] = "$source custom<Index>($index) custom<Scalars>($dims) `:` type($result)"

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        super().verify_()
        _check_dims(self)


@irdl_op_definition
class ScatterOp(Store):
    """Stores an element to a buffer at a data-dependent offset."""

    name = "loop.scatter"
    FORMAT: ClassVar[str] = "$value `to` $target custom<Index>($index) custom<Scalars>($dims)"

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        super().verify_()
        _check_dims(self)
