"""How far the results of a graph may be from the interpreter's.

The error of a result is the operator's own tolerance plus what the errors of its operands cause:
the operator is evaluated again with each operand moved by its error, in both directions.  The error
is infinite where a partial result may overflow, or where a tie or a jump lies within the error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects.named import has_form
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import (
    CONTRACTIONS,
    ContractOp,
    ConvOp,
    ConvTransposeOp,
    MatmulOp,
    is_weight,
)
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.elementwise import Elementwise
from opc.dialects.opc.indexing import IndexingOp
from opc.dialects.opc.reduction import ArgReduction, Reduction
from opc.dialects.shape import element, tensor_of
from opc.errors import UncertainError

from . import labelled, tolerance, transposed, window
from .control import Runner
from .extents import sufficient
from .graph import Walk, apply_op
from .precision import Array, is_float
from .reduction import reduced_axes
from .tolerance import (
    ELEMENT_OF,
    Allowed,
    greatest_of,
    least_of,
    numeric,
    spacing,
)

SLACK = 2
"""What moved operands show is taken so many times: functions curve."""
PARTS = (-1, 1, -0.5, 0.5)
"""How much of its error an operand is moved by."""
MANY = 1 << 16
"""Elements of an operand from which on it is only moved by all of its error."""
BY_MAGNITUDE = (
    *("opc.reduce_prod", "opc.reduce_l1", "opc.reduce_l2", "opc.reduce_sum_square"),
    "opc.cum_prod",
)
"""Operators whose result changes most where all operands grow."""

WAVES = ("opc.sin", "opc.cos", "opc.tan")
"""Functions that an operand moved by a whole period does not show to change."""


@dataclass(frozen=True, eq=False)
class Bounded:
    """An array and the absolute error of each element, infinite where any value is right.

    Errors are of the type that ``numeric`` gives.
    """

    value: Array
    error: Array

    @staticmethod
    def exact(value: Array) -> Bounded:
        """An array without errors."""
        return Bounded(value, np.zeros_like(numeric(value)))

    @property
    def is_exact(self) -> bool:
        """Whether all errors are 0."""
        return not self.error.any()


def evaluate(
    function: FuncOp, inputs: Sequence[Array], symbols: Mapping[str, int] | None = None
) -> tuple[list[Bounded], dict[SSAValue, Bounded]]:
    """The results of a graph, and all of its values; raises what ``graph.evaluate`` does."""
    bounded = [Bounded.exact(np.asarray(a)) for a in inputs]
    return sufficient(function, symbols, lambda known: _Walk().run(function, bounded, known))


class _Walk(Walk):
    """Computes a graph over arrays with errors."""

    def array(self, value: Bounded, op: Operation) -> Array:
        if isinstance(op, DataExtentOp) and not value.is_exact:
            raise UncertainError(f"{op.name}: {op.defined} depends on rounding")
        return value.value

    def apply(self, op: OpcOp, operands: list[Bounded], symbols: Mapping[str, int]) -> Bounded:
        return apply(op, operands, symbols)

    def control(
        self, op: ControlOp, operands: list[Bounded], symbols: Mapping[str, int]
    ) -> list[Bounded]:
        """The results of control flow; unbounded where a condition is uncertain."""
        runner = _BoundedRunner()
        results = runner.run(op, operands, symbols)
        if runner.is_certain:
            return results
        return [Bounded(x.value, np.full_like(x.error, np.inf)) for x in results]


class _BoundedRunner(Runner):
    """Runs control flow over arrays with errors; ``is_certain`` if every condition is exact."""

    is_certain = True

    def call(self, body: FuncOp, inputs: Sequence[Bounded]) -> list[Bounded]:
        return _Walk().run(body, inputs, None)[0]

    def exact(self, array: Array) -> Bounded:
        return Bounded.exact(array)

    def element(self, value: Bounded, k: int) -> Bounded:
        return Bounded(value.value[k], value.error[k])

    def stack(self, values: Sequence[Bounded], shape: tuple[int, ...], target: SSAValue) -> Bounded:
        if not values:
            return Bounded.exact(super().stack([], shape, target))
        return Bounded(np.stack([v.value for v in values]), np.stack([v.error for v in values]))

    def decides(self, value: Bounded) -> bool:
        self.is_certain &= value.is_exact
        return bool(value.value)


def apply(op: OpcOp, operands: Sequence[Bounded], symbols: Mapping[str, int]) -> Bounded:
    """The result of one operator over operands with errors."""
    if isinstance(op, CONTRACTIONS):
        pairs = zip(op.operands, operands, strict=True)
        operands = [_flushed(op, operand, x) for operand, x in pairs]
    arrays = [x.value for x in operands]
    value = apply_op(op, arrays, symbols)
    with np.errstate(all="ignore"):
        error = np.broadcast_to(_own(op, arrays, value), value.shape)
        if not all(x.is_exact for x in operands):
            error = error + SLACK * _handed_on(op, operands, value, symbols)
        if is_float(value):
            size = np.where(np.isinf(numeric(value)), greatest_of(value), np.abs(numeric(value)))
            error = np.where((error > 0) & (size + error > greatest_of(value)), np.inf, error)
    return Bounded(value, np.asarray(error, numeric(value).dtype))


def difference(a: Array, b: Array) -> Array:
    """|a - b|; 0 where both are the same infinity or NaN, infinite where only one is NaN."""
    x, y = numeric(a), numeric(b)
    with np.errstate(all="ignore"):
        distances = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0, np.abs(x - y))
    return np.where(np.isnan(distances), np.inf, distances)


def _accumulator(x: Array) -> Array:
    """A number of the type that sums and products of floats are formed in."""
    return np.zeros((), np.float64 if x.dtype == np.float64 else np.float32)


def _own(op: OpcOp, arrays: Sequence[Array], value: Array) -> Array:
    """The tolerance of the operator, for exact operands."""
    params = op.values()
    if isinstance(op, Elementwise):
        first = arrays[1] if op.name == "opc.where" else arrays[0]
        return _absolute(tolerance.elementwise(op.name, params, first), value)
    finite = [np.where(np.isfinite(x), x, np.zeros_like(x)) if is_float(x) else x for x in arrays]
    axes = reduced_axes(op.name, arrays, params) if isinstance(op, Reduction) else None
    if axes is None:
        return _absolute(Allowed(), value)
    keepdims = params["keepdims"]
    error = _absolute(tolerance.reduction(op.name, finite[0], value, axes, keepdims), value)
    if not is_float(finite[0]) or op.name in tolerance.EXACT:
        return error
    # NaN of finite numbers comes from partial results that overflow, which others need not.
    is_given = np.any(~np.isfinite(numeric(arrays[0])), axis=axes, keepdims=keepdims)
    known = np.where(is_given, value, np.nan_to_num(value))
    error = _of_partial_results(op.name, finite[0], axes, keepdims, known, error)
    if op.name == "opc.reduce_prod":
        # An intermediate 0 times an infinity is NaN.
        small = np.where(finite[0] == 0, 1, np.minimum(np.abs(numeric(finite[0])), 1))
        least = np.prod(small, axis=axes, keepdims=keepdims)
        infinite = np.any(np.isinf(numeric(arrays[0])), axis=axes, keepdims=keepdims)
        lost = infinite & (least < 2 * least_of(_accumulator(value))) & ~np.isnan(numeric(value))
        return np.where(lost, np.inf, error)
    return error


def _absolute(allowed: Allowed, value: Array) -> Array:
    """A tolerance as an absolute error."""
    error = np.broadcast_to(np.asarray(allowed.bound), value.shape)
    if is_float(value):
        if allowed.ulp:
            # Infinity is the neighbour of the greatest number.
            limited = np.where(np.isinf(value), np.zeros_like(value), value)
            error = error + allowed.ulp * spacing(limited)
        if not allowed.zero_signs:
            error = np.maximum(error, least_of(value))
    return error


def _unless_overflow(largest: Array, x: Array, value: Array, error: Array) -> Array:
    """The error, infinite where partial results may overflow and the result is not NaN."""
    beyond = largest > greatest_of(_accumulator(x))
    return np.where(beyond & ~np.isnan(numeric(value)), np.inf, error)


def _of_partial_results(
    name: str, x: Array, axes: tuple[int, ...], keepdims: bool, value: Array, error: Array
) -> Array:
    """The error with that of partial results that overflow, or are too small to have all digits."""
    size, n = np.abs(numeric(x)), max(math.prod(x.shape[a] for a in axes), 1)
    lost = n * least_of(_accumulator(x))
    if name == "opc.reduce_prod":
        largest = np.prod(np.maximum(size, 1), axis=axes, keepdims=keepdims)
    elif name in ("opc.reduce_l2", "opc.reduce_sum_square"):
        largest = np.sum(size * size, axis=axes, keepdims=keepdims)
        error = error + (np.sqrt(lost) if name == "opc.reduce_l2" else lost)
    elif name == "opc.reduce_log_sum_exp":
        return error
    else:
        largest = np.sum(size, axis=axes, keepdims=keepdims)
    if name == "opc.reduce_log_sum":
        total = np.sum(numeric(x), axis=axes, keepdims=keepdims)
        bound = tolerance.sum_bound(x, axes, keepdims, ELEMENT_OF[x.dtype])
        # A sum of rounding errors alone may have any logarithm.
        error = np.where((largest > 0) & (2 * bound >= np.abs(total)), np.inf, error)
        # A negative sum may be positive within its error, and have a logarithm.
        value = np.zeros_like(value)
    return _unless_overflow(largest, x, value, error)


def sum_of_products(
    op: ContractOp | MatmulOp | ConvOp | ConvTransposeOp,
) -> Callable[..., Array]:
    """The contraction of arrays, in no particular order."""
    if isinstance(op, ContractOp):
        return partial(labelled.total_of, op.values()["equation"])
    if isinstance(op, MatmulOp):
        return np.matmul
    total = window.total_of if isinstance(op, ConvOp) else transposed.total_of
    return partial(total, params=op.values())


def most_of(op: ContractOp | MatmulOp | ConvOp | ConvTransposeOp) -> Callable[..., Array]:
    """An upper bound of all partial results, for arrays without negative numbers."""
    return labelled.most_of if isinstance(op, ContractOp) else sum_of_products(op)


def _handed_on(
    op: OpcOp, operands: Sequence[Bounded], value: Array, symbols: Mapping[str, int]
) -> Array:
    """The error that the operands' errors propagate to the result."""
    if isinstance(op, IndexingOp) and not all(x.is_exact for x in operands[op.FIRST :]):
        return np.full_like(numeric(value), np.inf)
    if isinstance(op, ArgReduction):
        return _of_ties(op, operands[0], value, symbols)
    if isinstance(op, CONTRACTIONS):
        product = sum_of_products(op)
        sizes = [np.abs(numeric(x.value)) for x in operands]
        moved = [size + x.error for size, x in zip(sizes, operands, strict=True)]
        more = product(*moved) - product(*sizes)
        if is_float(value):
            most = most_of(op)(*moved)
            more = np.where(most > greatest_of(_accumulator(value)), np.inf, more)
        return np.where(np.isnan(more), np.inf, more)
    if op.name in WAVES and (operands[0].error > 1).any():
        most = np.inf if op.name == "opc.tan" else 2
        far = np.where(np.isinf(operands[0].error), np.inf, most)
        near = Bounded(operands[0].value, np.minimum(operands[0].error, 1))
        return np.where(operands[0].error > 1, far, _handed_on(op, [near], value, symbols))
    if op.name in BY_MAGNITUDE:
        operands = [Bounded(np.abs(operands[0].value), operands[0].error), *operands[1:]]
        value = apply_op(op, [x.value for x in operands], symbols)
    arrays = [x.value for x in operands]
    total = np.zeros_like(numeric(value))
    for k, x in enumerate(operands):
        worst = np.zeros_like(total)
        for moved in () if x.is_exact else (*_moved(x), *_met(x, arrays)):
            again = apply_op(op, [*arrays[:k], moved, *arrays[k + 1 :]], symbols)
            worst = np.maximum(worst, difference(again, value))
        total = total + worst
    return total


def _flushed(op: OpcOp, operand: SSAValue, x: Bounded) -> Bounded:
    """An operand of a contraction, of whose weights subnormal elements may count as zeros."""
    type, size = element(tensor_of(operand)), np.abs(numeric(x.value))
    if type not in (el.F32, el.F64) or not is_weight(operand) or has_form(op, "subnormals"):
        return x
    return Bounded(
        x.value, x.error + np.where(size < np.finfo(type.dtype).smallest_normal, size, 0)
    )


def _moved(x: Bounded) -> Iterator[Array]:
    """The operand moved by its error: all the way and half of it, in both directions."""
    value, off = x.value, x.error > 0
    if value.dtype.kind == "b":
        yield value ^ off
        return
    for part in PARTS if value.size <= MANY else PARTS[:2]:
        aim = numeric(value) + part * np.where(np.isnan(numeric(value)), 0, x.error)
        if value.dtype.kind in "iu":
            info = np.iinfo(value.dtype)
            aim = np.where(part < 0, np.floor(aim), np.ceil(aim))
            aim = np.clip(aim, np.longdouble(int(info.min)), np.longdouble(int(info.max)))
            yield np.where(off, aim.astype(value.dtype), value)
        elif not is_float(value):
            yield np.where(off, aim.astype(np.float32).astype(value.dtype), value)
        else:
            aim = np.clip(aim, -greatest_of(value), greatest_of(value))
            moved = aim.astype(np.float64 if value.dtype.kind != "f" else value.dtype)
            moved = moved.astype(value.dtype)
            end = np.asarray(math.copysign(math.inf, part), value.dtype)
            yield np.where(off, np.where(moved == value, np.nextafter(value, end), moved), value)
    if is_float(value) and np.isinf(x.error).any():
        yield np.where(np.isinf(x.error), np.asarray(math.nan, value.dtype), value)


def _met(x: Bounded, others: Sequence[Array]) -> Iterator[Array]:
    """The operand moved to 0 and to other operands, within its error: comparisons jump there."""
    zero = np.zeros((), x.value.dtype)
    for other in (zero, *others) if x.value.dtype.kind != "b" else ():
        if other.dtype != x.value.dtype:
            continue
        if _fits(other.shape, x.value.shape):
            near = (difference(x.value, other) <= x.error) & (x.error > 0)
            if near.any():
                yield np.where(near, other, x.value)


def _fits(shape: tuple[int, ...], into: tuple[int, ...]) -> bool:
    """Whether a shape can be broadcast to another one; parts of a concatenation need not be so."""
    behind = zip(reversed(shape), reversed(into), strict=False)
    return len(shape) <= len(into) and all(n in (1, extent) for n, extent in behind)


def _of_ties(op: OpcOp, x: Bounded, value: Array, symbols: Mapping[str, int]) -> Array:
    """Infinite where another element may be the greatest or the least."""
    params = op.values()
    axis = params["axis"] % x.value.ndim
    position = value if params["keepdims"] else np.expand_dims(value, axis)
    places: Array = np.arange(x.value.shape[axis], dtype=np.int64)
    along = [-1 if k == axis else 1 for k in range(x.value.ndim)]
    is_best = np.asarray(places.reshape(along) == position)
    down, up, *_ = _moved(x)
    if op.name == "opc.argmin":
        down, up = up, down
    other = apply_op(op, [np.where(is_best, down, up)], symbols)
    return np.where(other == value, 0.0, np.inf)
