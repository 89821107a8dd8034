"""Reduce an axis that another, or a broadcast, keeps apart on its own: short ones last, long first.

``reduce_sum(x) {axes = [0, 2]}  -->  reduce_sum(reduce_sum(x) {axes = [0]}) {axes = [1]}``

Rows of 12 values that lie apart fill no vector, and to turn them takes longer than to add them.
Down the columns of all axes that stay for now, memory is read as it lies, and what is left for the
inner axes is small.  The result may come back to the values that it was made of, as a mean does
that is subtracted: then one nest does both for rows that fill vectors, and they stay, unless no
cache holds the values.

Long rows that lie apart are reduced first instead: those of one result are pages apart in memory,
and processors see what comes next only while they go through it in order.

Neighbouring axes go as one, however short the inner one is; but not where a broadcast tells them
apart, as in the sum of all values of x[40000, 12] * broadcast y[12], or of x[40000, N]: unknown
rows may be too short for vectors, while down few columns several go side by side.  If that comes
back, columns that leave some over after full vectors are added in one nest all the same, and so are
those of unknown number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.elementwise import Elementwise
from opc.dialects.opc.movement import BroadcastOp
from opc.dialects.opc.reduction import Reduction
from opc.dialects.shape import Shape, element, shape_of, tensor_of

from .loop_places import VECTOR, leaves_over
from .rewriting import REDUCTIONS, Builder, functions, operators

LONGEST = 64
"""Values of the inner axes up to which it is worth it."""
LEAVING = 128
"""The same where values are left over after full vectors of them."""
LARGE = 1 << 21
"""Values from which on that is worth it where the result comes back: no cache holds them."""
SHORT = 16
"""The same where the result comes back."""
COLUMNS = 32
"""Columns from which on it is worth it."""
LONG = 512
"""Values of the inner axes from which on these are reduced first: each row is a few pages."""
FAR = 32
"""Operators that are looked at to see what comes back, or what is broadcast."""
APART = {"sum": 31, "prod": 31, "max": 64, "min": 64}
"""Values of inner axes that a broadcast keeps apart up to which it is worth it."""
SHARED = 4
"""Reductions of parts of one chain up to which it is."""
ROWS = 64
"""Rows of them from which on it is."""


def inner_axes(shape: Shape, axes: Sequence[int]) -> list[int]:
    """The axes to reduce later, if there are such: the last ones, behind one that stays."""
    inner: list[int] = []
    axis = len(shape)
    while axis > 0 and (axis - 1 in axes or shape[axis - 1] == 1):
        axis -= 1
        inner = [axis, *inner] if axis in axes else inner
    columns = ex.const(1)
    while axis > 0 and (axis - 1 not in axes or shape[axis - 1] == 1):
        axis -= 1
        columns = columns * shape[axis]
    points = ex.product(shape[k] for k in inner)
    is_outer = any(k < axis and shape[k] != 1 for k in axes)
    n = points.constant
    if not is_outer or n is None or not 1 < n <= (LEAVING if leaves_over(n) else LONGEST):
        return []
    known = (columns * points).constant
    return inner if known is None or known >= COLUMNS else []


def apart_axes(op: Reduction, shape: Shape, axes: Sequence[int]) -> list[int]:
    """The last axes to reduce later, if a broadcast keeps them apart from others right before."""
    inner: list[int] = []
    axis, last = len(shape) - 1, None
    still = _broadcasts(op.operands[0])
    while axis >= 0 and (axis in axes or shape[axis] == 1):
        if shape[axis] != 1:
            if last is not None and any((axis in s) != (last in s) for s in still):
                break
            last = axis
        inner = [axis, *inner] if axis in axes else inner
        axis -= 1
    points = ex.product(shape[k] for k in inner).constant
    rows = ex.product(shape[k] for k in axes if k not in inner).constant
    kind, type = op.name.removeprefix("opc.reduce_"), element(tensor_of(op.operands[0]))
    # Of an unknown number of floats, rows go side by side if they are few.
    is_short = 1 < points <= APART.get(kind, 0) if points else kind in APART and type.is_float
    if axis not in axes or not is_short:
        return []
    return inner if rows is None or rows >= ROWS else []


def long_axes(shape: Shape, axes: Sequence[int]) -> list[int]:
    """The last axes to reduce first, if these are long rows, and one that stays is before them."""
    start = len(shape)
    while start > 0 and (start - 1 in axes or shape[start - 1] == 1):
        start -= 1
    points = ex.product(shape[start:]).constant
    is_outer = any(k < start and shape[k] != 1 for k in axes)
    if not is_outer or points is None or points < LONG:
        return []
    return [k for k in axes if k >= start]


def _broadcasts(value: SSAValue) -> list[set[int]]:
    """Along which axes each operand is broadcast that a value is computed of, point by point.

    Nothing for long chains, and where several reductions are of parts of one: C compilers take
    longer for loops down columns, and there would be many.
    """
    pending, seen, found, reductions = [value], set[SSAValue](), list[set[int]](), 0
    while pending:
        value = pending.pop(0)
        op = value.owner
        if not isinstance(op, OpcOp) or value in seen:
            continue
        seen.add(value)
        reductions += sum(isinstance(use.operation, Reduction) for use in value.uses)
        if len(seen) > FAR or reductions > SHARED:
            return []
        if isinstance(op, BroadcastOp):
            shape, own = shape_of(op.type), shape_of(tensor_of(op.operands[0]))
            first = len(shape) - len(own)
            found.append({k for k in range(len(shape)) if k < first or own[k - first] == 1})
        elif isinstance(op, Elementwise):
            pending += op.operands
    return found


def _comes_back(result: SSAValue, shape: Shape) -> bool:
    """Whether something of the shape of the operand is made of the result."""
    pending, seen = [result], set[SSAValue]()
    while pending and len(seen) < FAR:
        value = pending.pop(0)
        if value in seen:
            continue
        seen.add(value)
        users = dict.fromkeys(use.operation for use in value.uses)
        made = [r for op in users if isinstance(op, OpcOp) for r in op.results]
        if any(shape_of(tensor_of(r)) == shape for r in made):
            return True
        pending += made
    return bool(pending)


def split(op: Reduction) -> None:
    """Make a reduction two, if that is worth it."""
    shape, axes = shape_of(tensor_of(op.operands[0])), op.values()["axes"] or ()
    kind = op.name.removeprefix("opc.reduce_")
    if kind not in REDUCTIONS or any(e == 0 for e in shape):
        return
    inner = inner_axes(shape, axes)
    is_apart = not inner
    inner = inner or apart_axes(op, shape, axes)
    if not inner:
        _rows_first(op, kind, long_axes(shape, axes), axes)
        return
    n, size = ex.product(shape[k] for k in inner).constant, ex.product(shape).constant
    is_large = n is not None and leaves_over(n) and size is not None and size >= LARGE
    stays = n not in range(SHORT) and not is_large and not (is_apart and _is_easy(kind, n))
    if stays and _comes_back(op.results[0], shape):
        return
    builder, outer = Builder(op), [k for k in axes if k not in inner]
    first = builder.reduce(kind, op.operands[0], outer)
    builder.replace(builder.reduce(kind, first, [k - len(outer) for k in inner]))


def _rows_first(op: Reduction, kind: str, rows: list[int], axes: Sequence[int]) -> None:
    """Make a reduction two, of which the first takes long rows, if that is worth it."""
    if not rows or _comes_back(op.results[0], shape_of(tensor_of(op.operands[0]))):
        return
    builder = Builder(op)
    first = builder.reduce(kind, op.operands[0], rows)
    builder.replace(builder.reduce(kind, first, [k for k in axes if k not in rows]))


def _is_easy(kind: str, n: int | None) -> bool:
    """Whether that many columns are reduced in vectors, with few instructions for the last."""
    return n is not None and (kind in ("max", "min") or n % VECTOR == 0)


@dataclass(frozen=True)
class SplitReductionsPass(ModulePass):
    """See the module's docstring."""

    name = "split-reductions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function."""
        for _, block in functions(op):
            for operator in operators(block):
                if isinstance(operator, Reduction):
                    split(operator)
