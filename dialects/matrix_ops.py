"""Operations of the ``loop`` dialect on sums in matrix registers.

Some processors multiply whole matrices of bytes: a row of 64 products is added to each of 16 rows
and 16 columns of 32-bit sums by one instruction.  The sums of a tile stay in such registers::

    loop.matrix_begin rows 32 columns 32              // the shapes of the registers
    loop.matrix_clear %sums rows 32 columns 32        // all sums are 0
    loop.for %k = <0> to <1024> step 64 serial {
      loop.matrix_multiply %a, %b to %sums rows 32 columns 32 [d0, 1024, d0*32](%k)
    }
    loop.matrix_store %sums rows 32 columns 32        // the array has the sums
    loop.matrix_end

Between ``clear`` and ``store`` the array ``%sums``, of one dimension, need not have them: it does
where there are no such registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

from xdsl.dialects.builtin import IntegerAttr, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from . import element as el
from . import expr as ex
from .buffer import buffer_of, element_in
from .effects import KEPT, READ_AND_WRITE
from .formats import Formatted
from .shape import IndexAttr, shape_of

PRODUCTS = 64
"""Products that one step adds to each sum: a row of a matrix register has so many bytes."""
ROWS = 16
"""Rows of a matrix register."""
COLUMNS = 16
"""Sums of 32 bits in a row of one."""
REGISTERS = 8
"""Matrix registers."""
BESIDE = 4
"""Neighbours along the contracted axis that lie side by side in the right factor."""


def registers(rows: int, columns: int, rest: int = 0) -> tuple[int, int] | None:
    """How many registers have the rows and the columns of sums; None if they do not fit.

    All have as many rows.  The factors need registers, too: all of the side that has fewer, and one
    of the other; as many again if a last step has a ``rest`` of the products.
    """
    high, wide = -(-rows // ROWS), columns // COLUMNS
    if high < 1 or wide < 1 or rows % high or columns % COLUMNS:
        return None
    factors = (min(high, wide) + 1) * (2 if rest else 1)
    return (high, wide) if high * wide + factors <= REGISTERS else None


class Shape(NamedTuple):
    """The shape of a tile in matrix registers and of its steps."""

    rows: int
    columns: int
    rest: int = 0
    """The products of a last step that has fewer than the others; 0 without one."""
    step: int = PRODUCTS
    """The products of each other step: 64, or all where a sum has fewer."""


class OfMatrix(Formatted):
    """An operation on the sums of a tile of ``rows`` by ``columns``.

    A step adds ``step`` products to each, 64 where that is not said; ``rest`` are those of a last
    step that has fewer.  Both are multiples of four.
    """

    rows = prop_def(IntegerAttr)
    columns = prop_def(IntegerAttr)
    rest = opt_prop_def(IntegerAttr)
    step = opt_prop_def(IntegerAttr)
    SHAPE: ClassVar[str] = "`rows` $rows `columns` $columns (`rest` $rest^)? (`step` $step^)?"
    FORMAT: ClassVar[str] = SHAPE

    @classmethod
    def of(cls, tile: Shape, *operands: SSAValue) -> Self:
        """The operation on a tile; ``operands`` are its sums, if it has some."""
        return cls.new(*operands, **_properties(tile))

    @property
    def shape(self) -> Shape:
        """The shape of the tile and its steps."""
        rest = 0 if self.rest is None else int(self.rest.value.data)
        step = PRODUCTS if self.step is None else int(self.step.value.data)
        return Shape(int(self.rows.value.data), int(self.columns.value.data), rest, step)

    def verify_(self) -> None:
        """Check the shape."""
        rows, columns, rest, step = self.shape
        are_fours = step in range(BESIDE, PRODUCTS + 1, BESIDE) and rest in range(0, step, BESIDE)
        # matrix_c1: matrix registers hold the sums and factors of the tile.
        if registers(rows, columns, rest) is None or not are_fours:
            raise VerifyException(
                f"{self.name}: found {rows} rows, {columns} columns, steps of {step} and a rest of "
                f"{rest}, expected as many rows in each of {REGISTERS} registers of sums and "
                f"factors, and fours of at most {PRODUCTS} products"
            )

    def check_sums(self, sums: SSAValue) -> None:
        """VerifyException unless an array has room for the sums."""
        rows, columns, *_ = self.shape
        # matrix_c2: the array has a sum of 32 bits for each row and column.
        type = buffer_of(self.name, sums)
        if type.element_type != el.BY_NAME["i32"].type or shape_of(type) != (rows * columns,):
            raise VerifyException(f"{self.name}: found {type}, expected {rows * columns} of i32")


class OfSums(OfMatrix):
    """An operation on all sums of a tile, in their array."""

    sums = operand_def()
    traits = traits_def(*READ_AND_WRITE)
    FORMAT: ClassVar[str] = "$sums " + OfMatrix.SHAPE

    def verify_(self) -> None:
        """Check the shape and the array."""
        super().verify_()
        self.check_sums(self.sums)


@irdl_op_definition
class MatrixBeginOp(OfMatrix):
    """Gives the matrix registers of this thread the shapes of a tile and its factors."""

    name = "loop.matrix_begin"
    traits = traits_def(KEPT)


@irdl_op_definition
class MatrixEndOp(Formatted):
    """Frees the matrix registers of this thread."""

    name = "loop.matrix_end"
    traits = traits_def(KEPT)
    FORMAT: ClassVar[str] = ""


@irdl_op_definition
class MatrixClearOp(OfSums):
    """Sets all sums of a tile to 0."""

    name = "loop.matrix_clear"


@irdl_op_definition
class MatrixStoreOp(OfSums):
    """Puts the sums of a tile into their array, row after row."""

    name = "loop.matrix_store"


@irdl_op_definition
class MatrixMultiplyOp(OfMatrix):
    """Adds the products of a step, or the rest, to the sum of each row r and column c::

        left[a + r * s + k] * right[b + (k / 4 * columns + c) * 4 + k % 4]

    for each product k.  The three expressions in brackets are a, s and b.
    """

    name = "loop.matrix_multiply"
    left = operand_def()
    right = operand_def()
    sums = operand_def()
    last = opt_prop_def(UnitAttr)
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    traits = traits_def(*READ_AND_WRITE)
    FORMAT: ClassVar[str] = (
        "(`last` $last^)? $left `,` $right `to` $sums "
        + OfMatrix.SHAPE
        + " custom<At>($index, $dims)"
    )

    @classmethod
    def at(
        cls,
        tile: Shape,
        buffers: Sequence[SSAValue],
        index: Sequence[ex.Expr],
        dims: Sequence[SSAValue],
        is_last: bool,
    ) -> Self:
        """The operation on the left and the right factor and the sums; the last one has a rest."""
        return cls.new(*buffers, dims, **_properties(tile), index=tuple(index), last=is_last)

    @property
    def products(self) -> int:
        """Products that each sum takes."""
        return self.shape.step if self.last is None else self.shape.rest

    def verify_(self) -> None:
        """Check the shape, the factors and the array."""
        super().verify_()
        self.check_sums(self.sums)
        # matrix_c3: factors are bytes.
        types = [element_in(factor) for factor in (self.left, self.right)]
        if any(type.bytes != 1 or not type.is_integer for type in types):
            raise VerifyException(f"{self.name}: found {types[0]}, {types[1]}, expected bytes")
        # matrix_c4: all three expressions are there, over the values given.
        count, used = len(self.index.data), {d for e in self.index.data for d in e.dims()}
        if count != len(("a", "s", "b")) or max(used, default=-1) >= len(self.dims):
            raise VerifyException(
                f"{self.name}: found {count} expressions over {len(self.dims)} values, expected "
                "three, and a value for each dimension"
            )
        # matrix_c5: only the last step has a rest.
        if not self.products:
            raise VerifyException(f"{self.name}: found last, expected a rest")


def _properties(tile: Shape) -> dict[str, Any]:
    rows, columns, rest, step = tile
    fewer = step if step < PRODUCTS else None
    return {"rows": rows, "columns": columns, "rest": rest or None, "step": fewer}
