"""Symbolic arrays: what a traced function computes with in place of NumPy arrays; their indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

import numpy as np
from xdsl.ir import Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import expr as ex
from opc.dialects.budgets import BudgetExceeded
from opc.dialects.element import ElementType
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.base import OpcOp, check_size
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.parts import TO_THE_END, SliceOp, is_bound
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.shape import Requirement, Shape, Tensor, element, shape_of, tensor_of
from opc.errors import UnsupportedError, UsageError

from .extent import Extent, Meetings, Scope, as_extent, expr_of
from .operators import Operators, from_numpy, function
from .source_location import caller, input_error, no_attribute, unsupported

Bound = tuple[ex.Expr, ex.Expr, int]
"""A start, a stop and a step."""
Need = tuple[ex.Expr, ex.Expr, str]
"""Extents that are equal where an element is inside of x, and a message for where they are not."""
WHOLE: Bound = (ex.const(0), ex.const(TO_THE_END), 1)


@dataclass
class Index:
    """What ``x[key]`` is: for each axis of x its bounds, and for each of the result an axis of x.

    ``shown`` is x in messages.
    """

    extents: Shape
    shown: str
    bounds: list[Bound] = field(default_factory=list[Bound])
    axes: list[int | None] = field(default_factory=list[int | None])
    """None for a new axis."""
    needs: list[Need] = field(default_factory=list[Need])

    @classmethod
    def of(cls, key: Any, extents: Shape, shown: str) -> Index:
        """The index; :class:`InputError` outside the array, else :class:`UnsupportedError`."""
        index = cls(extents, shown)
        keys = list(cast("Sequence[Any]", key)) if isinstance(key, tuple) else [key]
        dots = [k for k, item in enumerate(keys) if item is Ellipsis]
        taken = sum(item is not None and item is not Ellipsis for item in keys)
        if taken > len(extents) or len(dots) > 1:
            raise input_error(f"{shown} has no index {key!r}")
        place = dots[0] if dots else len(keys)
        keys[place : place + len(dots)] = [slice(None)] * (len(extents) - taken)
        for item in keys:
            axis = len(index.bounds)
            if item is None or isinstance(item, slice):
                index.axes.append(None if item is None else axis)
            if isinstance(item, slice):
                index.bounds.append(index._slice(cast("slice[Any, Any, Any]", item), axis))
            elif item is not None:
                index.bounds.append(index._place(item, axis))
        return index

    def _slice(self, item: slice[Any, Any, Any], axis: int) -> Bound:
        """The bounds of a slice, with defaults."""
        try:
            start, stop, step = (
                None if v is None else expr_of(v) for v in (item.start, item.stop, item.step)
            )
        except TypeError:
            raise self._refused(item) from None
        by = 1 if step is None else step.constant
        if by is None:
            raise unsupported(f"index {item!r} of {self.shown}: the step is not a number")
        if by == 0:
            raise input_error(f"index {item!r} of {self.shown}: the step is 0")
        start = ex.const(0 if by > 0 else TO_THE_END) if start is None else start
        stop = ex.const(TO_THE_END if by > 0 else -TO_THE_END) if stop is None else stop
        for bound in (start, stop):
            self._check_sign(item, bound, axis)
        is_whole = by == 1 and start == 0 and stop in (self.extents[axis], ex.const(TO_THE_END))
        return WHOLE if is_whole else (start, stop, by)

    def _place(self, item: Any, axis: int) -> Bound:
        """The bounds of one element."""
        try:
            index = expr_of(item)
        except TypeError:
            raise self._refused(item) from None
        self._check_sign(item, index, axis)
        extent, number = self.extents[axis], index.constant
        least = index + 1 if number is None or number >= 0 else -index
        message = f"index {item!r} is outside axis {axis} of {self.shown}"
        if extent.constant is not None and least.constant is not None:
            if extent.constant < least.constant:
                raise input_error(message)
            if extent == 1:
                return WHOLE
        else:
            self.needs.append((ex.minimum(extent, least), least, message))
        return index, (index + 1 if number != -1 else ex.const(TO_THE_END)), 1

    def _check_sign(self, item: object, bound: ex.Expr, axis: int) -> None:
        if not is_bound(bound, self.extents[axis]):
            raise unsupported(
                f"index {item!r} of {self.shown}: {extent_text(bound)} may be negative, which "
                "would count from the end"
            )

    def _refused(self, item: object) -> UnsupportedError:
        return unsupported(
            f"index {item!r} of {self.shown}: what can be traced are None, '...', integers, and "
            "slices of integers and extents"
        )


Traced: TypeAlias = Any
"""What the functions of :mod:`opc.numpy` give: an :class:`Array`.

Type checkers, to whom a traced function computes with the arrays that its callers give, are told
nothing: what it returns is not what they get.
"""


class Trace(Scope):
    """The function that is being traced: operators are appended to ``block`` as they happen."""

    def __init__(self, block: Block, meetings: Meetings) -> None:
        super().__init__(meetings)
        self.block = block
        self._scalars: dict[tuple[str, bytes], Array] = {}

    def emit(
        self,
        op: type[OpcOp],
        *inputs: Array,
        result_type: Tensor | None = None,
        **params: Any,
    ) -> Array:
        """Append an operator and return its result; :class:`InputError` if operands do not fit."""
        values = [a.value for a in inputs]
        filled = {p.name: p.default for p in op.params} | params
        if op.takes_result_type:
            filled["result_type"] = result_type
        try:
            # Everything is checked before the operator exists: a caller may catch the error.
            types = [tensor_of(v) for v in values]
            inferred = op.infer(types, filled)
            check_size(inferred)
        except BudgetExceeded as error:
            raise unsupported(f"{op.name}: {error}") from None
        except VerifyException as error:
            raise input_error(f"{op.name}: {error}") from None
        if self.meetings.free:
            self.meetings.see(op.requirements(types, filled))
        new = op(*values, result_type=inferred, **params)
        new.location = caller()
        self.block.add_op(new)
        return Array(self, new.result)

    def require_equal(self, left: ex.Expr, right: ex.Expr, what: str) -> None:
        """Require two extents to be equal; :class:`InputError` if they cannot be."""
        need = Requirement("equal", left, right, what)
        if need.decided() is False:
            raise input_error(f"{what}: {extent_text(left)} and {extent_text(right)}")
        if need.decided() is None:
            self.meetings.see([need])
            op = RequireOp.of(need)
            op.location = caller()
            self.block.add_op(op)

    def constant(self, array: np.ndarray[Any, Any], type: ElementType) -> Array:
        """A constant; equal scalars are one."""
        array = array.astype(type.dtype)
        key = (type.name, array.tobytes()) if array.ndim == 0 else None
        if key is not None and key in self._scalars:
            return self._scalars[key]
        op = ConstantOp.of(array, type)
        op.location = caller()
        self.block.add_op(op)
        result = Array(self, op.result)
        if key is not None:
            self._scalars[key] = result
        return result

    def extent(self, extent: ex.Expr) -> Array:
        """The value of an extent, promoted as a Python int."""
        op = ExtentOp.of(extent)
        op.location = caller()
        self.block.add_op(op)
        return Array(self, op.result, weak=True)


def no_data(what: str) -> NoReturn:
    """Refuse to turn a symbolic array into Python data."""
    raise unsupported(
        f"{what}: a symbolic array has no values while the function is traced; Python control "
        "flow cannot depend on data (opc.numpy.where chooses between values)"
    )


def _method(name: str) -> Callable[..., Any]:
    def method(self: Array, *args: Any, **named: Any) -> Any:
        return function(name)(self, *args, **named)

    method.__doc__ = f"As :func:`opc.numpy.{name}`."
    return method


def _no_value(what: str) -> Callable[..., NoReturn]:
    def refused(self: Array, *args: Any, **named: Any) -> NoReturn:
        no_data(what.format(repr(self)))

    return refused


class Array(Operators):
    """A value of the traced function, with the operators, attributes and methods of an ndarray.

    ``weak`` marks a stand-in for a Python scalar.
    """

    __slots__ = ("trace", "value", "weak")

    def __init__(self, trace: Trace, value: SSAValue, weak: bool = False) -> None:
        self.trace = trace
        self.value = value
        self.weak = weak

    @property
    def element(self) -> ElementType:
        """The element type."""
        return element(tensor_of(self.value))

    @property
    def extents(self) -> Shape:
        """The shape as expressions over symbols."""
        return shape_of(self.value.type)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type as a NumPy dtype."""
        return self.element.dtype

    @property
    def shape(self) -> tuple[int | Extent, ...]:
        """Known extents as int, others as :class:`Extent`."""
        return tuple(as_extent(self.trace, e) for e in self.extents)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.extents)

    @property
    def size(self) -> int | Extent:
        """The number of elements."""
        return as_extent(self.trace, ex.product(self.extents))

    @property
    def T(self) -> Array:
        """The axes in reverse order."""
        return self.transpose()

    @property
    def mT(self) -> Array:
        """The last two axes exchanged."""
        return function("matrix_transpose")(self)

    sum, prod, mean = _method("sum"), _method("prod"), _method("mean")
    cumsum, cumprod = _method("cumsum"), _method("cumprod")
    min, max = _method("min"), _method("max")
    var, std = _method("var"), _method("std")
    any, all = _method("any"), _method("all")
    argmin, argmax, dot = _method("argmin"), _method("argmax"), _method("dot")
    astype, view, copy = _method("astype"), _method("bitcast"), _method("copy")
    squeeze, flatten, ravel = _method("squeeze"), _method("ravel"), _method("ravel")
    clip, round, swapaxes = _method("clip"), _method("round"), _method("swapaxes")
    repeat, take = _method("repeat"), _method("take")

    def reshape(self, *shape: Any) -> Array:
        """The same elements in another shape, given as one tuple or as several extents."""
        return function("reshape")(self, shape[0] if len(shape) == 1 else shape)

    def transpose(self, *axes: Any) -> Array:
        """The axes in another order, given as one tuple or as several; reversed without any."""
        return function("transpose")(self, axes[0] if len(axes) == 1 else axes or None)

    def __getitem__(self, key: Any) -> Array:
        """New axes by None, and parts by integers and slices."""
        index = Index.of(key, self.extents, repr(self))
        for left, right, what in index.needs:
            self.trace.require_equal(left, right, what)
        part = self
        if any(bound != WHOLE for bound in index.bounds):
            starts, stops, steps = ([bound[k] for bound in index.bounds] for k in range(3))
            part = self.trace.emit(SliceOp, self, starts=starts, stops=stops, steps=steps)
        shape = tuple(1 if axis is None else part.shape[axis] for axis in index.axes)
        return function("reshape")(part, shape)

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise unsupported(
            f"assigning to elements of {self!r}: symbolic arrays do not change; opc.numpy.where "
            "chooses between values"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        """Set attributes of the tracer; ``x.shape = ...`` is an error."""
        if name not in Array.__slots__:
            raise unsupported(f"assigning to {name} of {self!r}: symbolic arrays do not change")
        object.__setattr__(self, name, value)

    def __copy__(self) -> Array:
        return self

    def __deepcopy__(self, memo: object) -> Array:
        return self

    def __format__(self, spec: str) -> str:
        """Ignore the specification, which is for numbers."""
        return no_data(f"formatting {self!r} as {spec!r}") if spec else repr(self)

    if not TYPE_CHECKING:  # type checkers would take any name for one that is here

        def __getattr__(self, name: str) -> NoReturn:
            """An error for attributes that only NumPy arrays have."""
            raise no_attribute(type(self), name)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Trace ``np.sum(x)``."""
        name = f"{func.__module__}.{func.__name__}"
        return from_numpy(name.removeprefix("numpy."), args, kwargs)

    def __len__(self) -> int:
        if not self.extents:
            raise TypeError("len() of a symbolic array of rank 0")
        known = self.extents[0].constant
        if known is None:
            raise unsupported(f"len({self!r}): Python needs a number; x.shape[0] is the extent")
        return known

    __array__ = _no_value("converting {} to a NumPy array")
    __bool__, __index__ = _no_value("truth of {}"), _no_value("{} as an index")
    __float__, __int__ = _no_value("float({})"), _no_value("int({})")
    __complex__ = _no_value("complex({})")

    def __iter__(self) -> NoReturn:
        raise unsupported(f"iterating over {self!r}: slices of a symbolic array cannot be traced")

    def __repr__(self) -> str:
        extents = f"[{', '.join(map(str, self.extents))}]" if self.extents else ""
        return f"<{self.element}{extents}>"


def trace_of(*operands: Any) -> Trace:
    """The trace that all symbolic operands belong to.  Raises :class:`UsageError`."""
    scopes = [o.trace for o in operands if isinstance(o, Array | Extent)]
    if not scopes:
        raise UsageError("no operand is a symbolic array; use NumPy, or call this while tracing")
    if any(scope is not scopes[0] for scope in scopes) or not scopes[0].is_open:
        raise UsageError("a symbolic array is used outside the function it was traced for")
    assert isinstance(scopes[0], Trace)
    return scopes[0]
