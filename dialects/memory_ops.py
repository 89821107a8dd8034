"""Memory operations of the ``loop`` dialect: transposes, non-temporal stores, prefetches."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition, operand_def, traits_def
from xdsl.utils.exceptions import VerifyException

from .buffer import SpanOp, buffer_of
from .effects import KEPT, READ_AND_WRITE


class MoveOp(SpanOp):
    """Copies elements of one buffer to another."""

    source = operand_def()
    target = operand_def()
    traits = traits_def(*READ_AND_WRITE)
    FORMAT: ClassVar[str] = "$source `to` $target custom<At>($index, $dims)"

    def verify_(self) -> None:
        """Check types and dimensions."""
        source, target = (buffer_of(self.name, v) for v in (self.source, self.target))
        # transpose_c1: source and target have one element type.
        # stream_c1: likewise.
        if source.element_type != target.element_type:
            raise VerifyException(f"{self.name}: {source} into {target}")
        self.check_span()


@irdl_op_definition
class TransposeOp(MoveOp):
    """``target[t + c * u + r] = source[s + r * v + c]`` for rows r and columns c.

    The six expressions in brackets are s, v, t, u, the number of rows and the number of columns.
    """

    name = "loop.transpose"
    COUNT: ClassVar[int] = 6


@irdl_op_definition
class NonTemporalOp(MoveOp):
    """``target[t + k] = source[s + k]`` for k below a number, by non-temporal stores if possible.

    Plain stores would load each cache line first, and keep lines that nothing reads soon.  The four
    expressions in brackets are s, t, the number, and the number of elements that ``source`` has in
    all.  Calls copy its parts in order; a part may be cut at the end of a cache line, and the next
    one then begins there.
    """

    name = "loop.non_temporal"
    COUNT: ClassVar[int] = 4


@irdl_op_definition
class PrefetchOp(SpanOp):
    """Prefetches elements that will be read soon; they may lie outside of the buffer.

    Hardware prefetchers stop at the end of a page.
    """

    name = "loop.prefetch"
    source = operand_def()
    traits = traits_def(KEPT)
    FORMAT: ClassVar[str] = "$source custom<At>($index, $dims)"

    def verify_(self) -> None:
        """Check the buffer and the dimensions."""
        buffer_of(self.name, self.source)
        self.check_span()
