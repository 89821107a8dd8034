"""Base classes of the loads and stores of the ``loop`` dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from . import expr as ex
from .buffer import buffer_of, check_element, check_index, index_of
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
        return cls(
            operands=[source, list(dims)],
            result_types=[buffer_of(cls.name, source).element_type],
            properties={"index": index_of(index)},
        )

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
        return cls(operands=[value, target, list(dims)], properties={"index": index_of(index)})

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        check_element(self.name, self.target, self.value)
        check_index(self.name, self.index, self.dims)
