"""Symbolic arrays: what a traced function computes with in place of NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

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
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.shape import Requirement, Shape, Tensor, element, shape_of, tensor_of
from opc.errors import UsageError

from .extent import Extent, as_extent
from .indexing import indexed
from .operators import Operators, function
from .source_location import caller, input_error, no_attribute, no_function, unsupported
from .unify_extents import Meetings

Traced: TypeAlias = Any
"""What the functions of :mod:`opc.numpy` give: an :class:`Array`.

Type checkers, to whom a traced function computes with the arrays that its callers give, are told
nothing: what it returns is not what they get.
"""


class Trace:
    """The function that is being traced: operators are appended to ``block`` as they happen.

    ``meetings`` takes note of the extents that they need to be equal.
    """

    def __init__(self, block: Block, meetings: Meetings) -> None:
        self.block = block
        self.meetings = meetings
        self.is_open = True
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
        made = op(*values, result_type=inferred, **params)
        made.location = caller()
        self.block.add_op(made)
        return Array(self, made.result)

    def require_equal(self, left: ex.Expr, right: ex.Expr, what: str) -> None:
        """State that two extents are equal; :class:`InputError` if they cannot be."""
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
        """The value of an extent, as a Python int would behave."""
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


class Array(Operators):
    """A value of the traced function, with the operators, attributes and methods of an ndarray.

    ``weak`` is set for what stands for a Python scalar.
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
        """The element type as NumPy has it."""
        return self.element.dtype

    @property
    def shape(self) -> tuple[int | Extent, ...]:
        """An int for each extent that is known, an :class:`Extent` for a symbolic one."""
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
        """New axes by None, whole axes, and integers at axes of extent 1."""
        return indexed(self, key)

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise unsupported(
            f"assigning to elements of {self!r}: symbolic arrays do not change; opc.numpy.where "
            "chooses between values"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        """Set what is of the tracing; ``x.shape = ...`` is an error."""
        if name not in Array.__slots__:
            raise unsupported(f"assigning to {name} of {self!r}: symbolic arrays do not change")
        object.__setattr__(self, name, value)

    def __copy__(self) -> Array:
        return self

    def __deepcopy__(self, memo: object) -> Array:
        return self

    def __format__(self, spec: str) -> str:
        """As without a specification, which would be about a number."""
        return no_data(f"formatting {self!r} as {spec!r}") if spec else repr(self)

    if not TYPE_CHECKING:  # type checkers would take any name for one that is here

        def __getattr__(self, name: str) -> NoReturn:
            """An error about what arrays of NumPy have and this has not."""
            raise no_attribute(type(self), name)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **named: Any) -> Any:
        """Trace ``np.exp(x)`` and what NumPy makes of ``array + x``."""
        if method != "__call__":
            from . import ufuncs

            return ufuncs.method(ufunc.__name__, method)(*inputs, **named)
        return _from_numpy(ufunc.__name__, inputs, named)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Trace ``np.sum(x)``."""
        name = f"{func.__module__}.{func.__name__}"
        return _from_numpy(name.removeprefix("numpy."), args, kwargs)

    def __len__(self) -> int:
        if not self.extents:
            raise TypeError("len() of a symbolic array of rank 0")
        known = self.extents[0].constant
        if known is None:
            raise unsupported(f"len({self!r}): Python needs a number; x.shape[0] is the extent")
        return known

    def __array__(self, *args: Any, **named: Any) -> NoReturn:
        no_data(f"converting {self!r} to a NumPy array")

    def __bool__(self) -> NoReturn:
        no_data(f"truth of {self!r}")

    def __iter__(self) -> NoReturn:
        raise unsupported(f"iterating over {self!r}: slices of a symbolic array cannot be traced")

    def __float__(self) -> NoReturn:
        no_data(f"float({self!r})")

    def __int__(self) -> NoReturn:
        no_data(f"int({self!r})")

    def __index__(self) -> NoReturn:
        no_data(f"{self!r} as an index")

    def __complex__(self) -> NoReturn:
        no_data(f"complex({self!r})")

    def __repr__(self) -> str:
        extents = f"[{', '.join(map(str, self.extents))}]" if self.extents else ""
        return f"<{self.element}{extents}>"


def _from_numpy(name: str, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    import opc.numpy

    if name not in opc.numpy.__all__:
        raise no_function(f"numpy.{name}", opc.numpy.__all__)
    for option in ("out", "where", "initial", "casting", "order", "subok", "extobj", "signature"):
        if option in named:
            raise unsupported(f"numpy.{name}({option}=...) on a symbolic array")
    return function(name)(*args, **named)


def trace_of(*operands: Any) -> Trace:
    """The trace that all symbolic operands belong to.  Raises :class:`UsageError`."""
    found = [o.trace for o in operands if isinstance(o, Array | Extent)]
    if not found:
        raise UsageError("no operand is a symbolic array; use NumPy, or call this while tracing")
    if any(t is not found[0] for t in found) or not found[0].is_open:
        raise UsageError("a symbolic array is used outside the function it was traced for")
    return found[0]
