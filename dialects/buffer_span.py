"""The base of operations with expressions behind a buffer, ``%x[offset, number](%i)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.ir import SSAValue
from xdsl.irdl import prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .formats import Formatted
from .shape import IndexAttr


class SpanOp(Formatted):
    """An operation on elements of buffers, which subclasses declare; ``index`` says which."""

    index = prop_def(IndexAttr)
    dims = var_operand_def()
    COUNT: ClassVar[int] = 2
    """The number of expressions in ``index``: by default an offset and a number."""

    @classmethod
    def of(
        cls,
        buffers: Sequence[SSAValue],
        index: Sequence[ex.Expr],
        dims: Sequence[SSAValue] = (),
    ) -> Self:
        """The operation on its buffers; ``index`` are the expressions in brackets."""
        return cls(operands=[*buffers, list(dims)], properties={"index": IndexAttr(tuple(index))})

    def check_span(self) -> None:
        """VerifyException unless all expressions are there, over the values given."""
        # span_c1: the number of expressions is the operation's.
        if len(self.index.data) != self.COUNT:
            raise VerifyException(
                f"{self.name}: expected {self.COUNT} expressions, found {len(self.index.data)}"
            )
        # span_c2: each of their dimensions has a value.
        if any(d >= len(self.dims) for e in self.index.data for d in e.dims()):
            raise VerifyException(f"{self.name}: more dimensions than values given")
