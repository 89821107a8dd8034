"""Operations of the ``loop`` dialect that move elements.

There are transposes, non-temporal stores, prefetches, look-ups of bytes, and staging buffers:
arrays of f32 for contiguous values of f16 or bf16, which are widened, computed with, and narrowed
back::

    loop.widen %x[d0*64, 64](%i) to %wide             # wide[k] = x[d0*64 + k] for k < 64
    loop.for %l = <0> to <64> step 1 vector { ... }
    loop.round %wide[64] to f16                       # narrows and widens wide[k]
    loop.narrow %wide to %y[d0*64, 64](%i)            # y[d0*64 + k] = wide[k] for k < 64
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, traits_def
from xdsl.utils.exceptions import VerifyException

from . import element as el
from . import expr as ex
from .buffer import SpanOp, buffer_of, check_index, element_in
from .effects import KEPT, READ_AND_WRITE
from .shape import shape_of


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

    Hardware prefetchers stop at the end of a page.  With ``level 2``, elements come into the
    second-level cache, otherwise into the first one.
    """

    name = "loop.prefetch"
    source = operand_def()
    level = opt_prop_def(IntegerAttr)
    traits = traits_def(KEPT)
    FORMAT: ClassVar[str] = "$source custom<At>($index, $dims) (`level` $level^)?"
    SECOND: ClassVar[int] = 2

    @property
    def is_second(self) -> bool:
        """Whether elements come into the second-level cache alone."""
        return self.level is not None

    def verify_(self) -> None:
        """Check the buffer, the dimensions and the level."""
        buffer_of(self.name, self.source)
        # prefetch_c1: the level is the second one, if it is named.
        if self.level is not None and self.level.value.data != self.SECOND:
            raise VerifyException(f"{self.name}: found level {self.level.value.data}, expected 2")
        self.check_span()


BYTES = el.BY_NAME["ui8"], el.BY_NAME["i8"]
"""The types of bytes that are looked up."""
ENTRIES = 1 << BYTES[0].bits
"""Entries of a table of all bytes."""


@irdl_op_definition
class LookUpOp(SpanOp):
    """``target[t + k] = table[source[s + k] - lowest]`` for k below a number.

    The source has bytes, signed or not, of which ``lowest`` is the least one; the table has an
    entry of one byte for each of them.  The three expressions in brackets are s, t and the number.
    The target may be the source, if s and t are equal.
    """

    name = "loop.look_up"
    source = operand_def()
    table = operand_def()
    target = operand_def()
    traits = traits_def(*READ_AND_WRITE)
    COUNT: ClassVar[int] = 3
    FORMAT: ClassVar[str] = "$source `in` $table `to` $target custom<At>($index, $dims)"

    @property
    def lowest(self) -> int:
        """The byte of the first entry."""
        return int(element_in(self.source).lowest)

    def verify_(self) -> None:
        """Check types and dimensions."""
        source, table, target = (
            buffer_of(self.name, v) for v in (self.source, self.table, self.target)
        )
        # look_up_c1: bytes are looked up, signed or not.
        if source.element_type not in [t.type for t in BYTES]:
            raise VerifyException(f"{self.name}: expected ui8 or i8, found {source.element_type}")
        # look_up_c2: the table has an entry of one byte for each byte.
        if element_in(self.table).bytes != 1 or shape_of(table) != (ex.const(ENTRIES),):
            raise VerifyException(
                f"{self.name}: expected {ENTRIES} entries of a byte, found {table}"
            )
        # look_up_c3: the target has elements of the table's type.
        if table.element_type != target.element_type:
            raise VerifyException(f"{self.name}: {table} into {target}")
        self.check_span()


NARROW = (el.F16, el.BF16)
"""The types that are widened to staging buffers and narrowed from them."""


class StagingOp(SpanOp):
    """The base of operations on staging buffers."""

    wide = operand_def()
    traits = traits_def(*READ_AND_WRITE)

    def check_staged(self, narrow: SSAValue) -> None:
        """Check the types of both sides, and the span."""
        types = [buffer_of(self.name, value).element_type for value in (narrow, self.wide)]
        # strip_c1: one side is f16 or bf16, the other f32.
        if types[0] not in [t.type for t in NARROW] or types[1] != el.F32.type:
            raise VerifyException(
                f"{self.name}: expected f16 or bf16 and f32, found {types[0]}, {types[1]}"
            )
        self.check_span()


@irdl_op_definition
class WidenOp(StagingOp):
    """``wide[k] = source[offset + k]`` for k below a number; offset and number are in brackets."""

    name = "loop.widen"
    source = operand_def()
    FORMAT: ClassVar[str] = "$source custom<At>($index, $dims) `to` $wide"

    @property
    def type(self) -> el.ElementType:
        """The narrow type."""
        return element_in(self.source)

    def verify_(self) -> None:
        """Check types and dimensions."""
        self.check_staged(self.source)


@irdl_op_definition
class NarrowOp(StagingOp):
    """``target[offset + k] = wide[k]``, rounded, for k below a number; both are in brackets."""

    name = "loop.narrow"
    wide = operand_def()
    target = operand_def()
    FORMAT: ClassVar[str] = "$wide `to` $target custom<At>($index, $dims)"

    @property
    def type(self) -> el.ElementType:
        """The narrow type."""
        return element_in(self.target)

    def verify_(self) -> None:
        """Check types and dimensions."""
        self.check_staged(self.target)


@irdl_op_definition
class RoundOp(StagingOp):
    """Rounds the first elements of a staging buffer to values of f16 or bf16; they stay f32."""

    name = "loop.round"
    to = prop_def(Attribute)
    FORMAT: ClassVar[str] = "$wide custom<At>($index, $dims) `to` $to"

    @staticmethod
    def rounding(
        wide: SSAValue, to: el.ElementType, count: ex.Expr, dims: Sequence[SSAValue] = ()
    ) -> RoundOp:
        """The operation for the first ``count`` elements."""
        return RoundOp.new(wide, dims, index=count, to=to.type)

    @property
    def type(self) -> el.ElementType:
        """The narrow type."""
        return next(t for t in NARROW if t.type == self.to)

    def verify_(self) -> None:
        """Check types and dimensions."""
        wide = buffer_of(self.name, self.wide).element_type
        # round_c1: f32 is rounded to f16 or bf16.
        if self.to not in [t.type for t in NARROW] or wide != el.F32.type:
            raise VerifyException(
                f"loop.round: expected f32 to f16 or bf16, found {wide}, {self.to}"
            )
        check_index(self.name, self.index, self.dims)
