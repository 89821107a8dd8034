"""Which contractions of small integers may take several products in a step.

One instruction multiplies vectors of 16-bit or 8-bit numbers and adds neighbouring products to sums
of 32 bits.  Both operands lie in groups of such neighbours along the innermost contracted axis: the
right one in panels, the left one in panels too, or padded with that axis innermost.  Panels of the
right operand fill up the last group with 0.  Sums of integers wrap, so no order shows.

Steps of 64 products are those of matrix registers (``dialects.matrix_ops``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from opc.dialects.body import intervals, is_within, scalar_type
from opc.dialects.element import BY_NAME, ElementType
from opc.dialects.matrix_ops import BESIDE, PRODUCTS
from opc.dialects.schedule import Axis

from .contraction import Contraction, Operand

SUM = BY_NAME["i32"]
"""The type of the sum."""
_I16, _I8, _UI8 = (BY_NAME[name] for name in ("i16", "i8", "ui8"))
STEPS: dict[int, tuple[tuple[ElementType, ElementType], ...]] = {
    2: (
        *((narrow, _I16) for narrow in (_I8, _UI8)),
        *((_I16, narrow) for narrow in (_I8, _UI8)),
        (_I16, _I16),
    ),
    **dict.fromkeys((4, PRODUCTS), ((_UI8, _I8), (_I8, _UI8), (_I8, _I8), (_UI8, _UI8))),
}
"""The types of the left and the right factor, by the number of products in a step.

The first that hold all values are taken.  Only constants are narrower than the other factor, which
they are widened to: so weights of 8 bits take a byte.
"""


def factor_types(c: Contraction, count: int) -> tuple[ElementType, ElementType] | None:
    """The types in which the factors lie for steps of ``count`` products; None if illegal.

    For one product that is the type of the sum.
    """
    if count == 1:
        return c.type, c.type
    if c.type is not SUM or not c.reduced or c.row in c.right.axes or not _has_neighbours(c):
        return None
    if c.around is not None and (c.block(count) or 0) % min(count, BESIDE):
        # A step would take products of the next block.
        return None
    if count == PRODUCTS and not _fits_matrices(c):
        return None
    for left, right in STEPS.get(count, ()):
        narrow = c.left if left.bytes < right.bytes else c.right
        if left.bytes != right.bytes and not c.is_constant(narrow):
            continue
        if _fits(c.left, left) and _fits(c.right, right):
            return left, right
    return None


def type_of(c: Contraction, operand: Operand, count: int) -> ElementType:
    """The type in which an operand lies for legal steps of ``count`` products."""
    types = factor_types(c, count)
    assert types is not None
    return types[operand is c.right]


def are_in_steps(c: Contraction, group: int, counts: Iterable[tuple[str, int]]) -> bool:
    """Whether steps of ``group`` are legal for operands in groups of these ``counts``.

    Columns lie in fours for steps of 4 and of 64.
    """
    fours = (c.right.name, BESIDE) if group == PRODUCTS else None
    is_legal = factor_types(c, group) is not None
    return is_legal and all(at[1] == group or at == fours for at in counts)


def is_narrow(c: Contraction, operand: Operand, group: int) -> bool:
    """Whether an operand lies in fewer bits than the other factor of a step has."""
    types = factor_types(c, group)
    if types is None:
        return False
    own, other = types if operand is c.left else types[::-1]
    return own.bytes < other.bytes


def widest(c: Contraction, count: int) -> ElementType:
    """The type of the wider factor of legal steps of ``count`` products."""
    types = factor_types(c, count)
    assert types is not None
    return max(types, key=lambda type: type.bytes)


def lies_in_groups(c: Contraction, rows: int, count: int) -> bool:
    """Whether tiles of ``rows`` rows can read groups of the left operand without a copy.

    Its load must have the type that a step takes.
    """
    load = c.left.load
    is_of_type = load is not None and scalar_type(load.result) is type_of(c, c.left, count)
    return is_of_type and c.reads_groups(rows, count)


def matrix_chain(c: Contraction) -> tuple[Axis, ...]:
    """The innermost contracted axes along which steps of matrix registers go on.

    Those are the last one, and of a window the one before, if its values lie behind one another in
    the copy with the padding, where the last axis fills fours.  They do not where that copy has the
    channels of other groups between them.
    """
    window = c.window(c.left)
    if window is None or window.gap or len(c.reduced) < 2:
        return c.reduced[-1:]
    if window.pitch != c.extent(c.reduced[-1]):
        return c.reduced[-1:]
    step = window.at.coefficient(c.reduced[-2][-1])
    return c.reduced[-2:] if step == window.pitch else c.reduced[-1:]


def matrix_block(c: Contraction) -> int | None:
    """The products after which steps of matrix registers begin anew within a chain; None if never.

    Those are blocks of integers that are no whole steps.
    """
    size = c.block(PRODUCTS) or 0
    return size if size % PRODUCTS else None


def matrix_products(c: Contraction) -> int:
    """The products along these axes, in fours; of blocks of integers, those of one."""
    *outer, inner = (c.extent(axis).constant or 0 for axis in matrix_chain(c))
    if c.around is not None:
        inner = c.block(PRODUCTS) or 0
    return math.prod(outer) * -(-inner // BESIDE) * BESIDE


def matrix_rest(c: Contraction) -> int:
    """The products of a last step of matrix registers that has fewer than the others, or 0."""
    return matrix_products(c) % matrix_step(c)


def matrix_step(c: Contraction) -> int:
    """The products of each other step: 64, or all if these are fewer."""
    return min(PRODUCTS, matrix_products(c))


def _has_neighbours(c: Contraction) -> bool:
    """Whether a window is contiguous along the innermost contracted axis."""
    window = c.window(c.left)
    is_beside = window is None or window.at.coefficient(c.reduced[-1][-1]) == 1
    return is_beside and c.window(c.right) is None


def _fits_matrices(c: Contraction) -> bool:
    """Whether rows of the left operand are one distance apart, and a sum has all products.

    Of these, the number along the axes of a step must be known.
    """
    window = c.window(c.left)
    has_rows = c.row is not None and c.column is not None
    has_rows = has_rows and bool(matrix_products(c))
    is_apart = window is None or (c.row and window.at.coefficient(c.row[-1]) is not None)
    return has_rows and bool(is_apart)


def _fits(operand: Operand, type: ElementType) -> bool:
    """Whether a type can hold all values of an operand."""
    return is_within(intervals(operand.ops).get(operand.value), type)
