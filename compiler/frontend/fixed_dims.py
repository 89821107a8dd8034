"""Extents that a caller fixes: ``opc.compile(model, dims={"batch": 1, "x": {2: 224}})``.

An extent is named as in the model, or by its input and axis; a named extent is fixed everywhere.
The rewrite happens before any pass::

    func.func @main(%x: tensor<?x4xf32, #opc.dims<N, 4>>)  --> func.func @main(%x: tensor<8x4xf32>)
"""

from __future__ import annotations

import operator
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.named import EXTENT_BOUNDS
from opc.dialects.opc.control import bodies_below
from opc.dialects.opc.symbols import RequireOp, given_extents
from opc.dialects.shape import (
    MAX_SIZE,
    UNKNOWN,
    Tensor,
    shape_of,
    tensor_of,
    tensor_type,
)
from opc.dialects.walking import walk
from opc.errors import UsageError
from opc.graph.extent_names import extent_names, input_names
from opc.graph.known_extents import substitute
from opc.graph.rewriting import set_type

from .did_you_mean import near

_PART = re.compile(r"(.+?)=(-?[0-9]{1,15})(?:,|$)", re.DOTALL)


@dataclass(frozen=True)
class Dim:
    """A fixed extent: of all axes with a name, or with ``axis`` of one axis of an input."""

    name: str
    axis: int | None
    extent: int

    def __str__(self) -> str:
        return self.name if self.axis is None else f"{self.name}:{self.axis}"


def checked(dims: Any) -> tuple[Dim, ...]:
    """The extents in ``{"N": 8, "x": {2: 224}, "x:3": 224}``; none for None.

    Integers of NumPy are allowed.  Raises UsageError for invalid entries.
    """
    if dims is None:
        return ()
    if not isinstance(dims, Mapping):
        raise UsageError(f"dims: found {dims!r}, expected extents by name, as in {{'N': 8}}")
    result: list[Dim] = []
    for name, value in cast("Mapping[Any, Any]", dims).items():
        if not isinstance(name, str):
            raise UsageError(f"dims: found {name!r}, expected the name of an extent or an input")
        if not isinstance(value, Mapping):
            result.append(_dim(name, None, value))
            continue
        for axis, extent in cast("Mapping[Any, Any]", value).items():
            place = _integer(axis)
            if place is None:
                raise UsageError(f"dims: {name!r}: found {axis!r}, expected an axis")
            result.append(_dim(name, place, extent))
    return tuple(result)


def _dim(name: str, axis: int | None, value: Any) -> Dim:
    extent = _integer(value)
    if extent is None or not 0 < extent <= MAX_SIZE:
        place = Dim(name, axis, 0)
        raise UsageError(f"dims: {place} is {value!r}, expected a number from 1 to 2^48")
    return Dim(name, axis, extent)


def _integer(value: Any) -> int | None:
    """Any integer but a boolean."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def fix(function: FuncOp, dims: Mapping[str, Any] | None) -> None:
    """Fix extents of a source function.

    Raises UsageError for unknown or contradictory extents.
    """
    if not dims:
        return
    wanted = _Wanted(function)
    for dim in checked(dims):
        wanted.add(dim)
    types = wanted.types()
    for arg, fixed in zip(function.args, types, strict=True):
        set_type(arg, cast(Tensor, fixed))
    _check_bodies(function, wanted.symbols)
    substitute(function, wanted.symbols)
    _check(function)


def fix_only(module: ModuleOp, dims: Mapping[str, Any]) -> None:
    """Fix extents of the only public function of a module.  UsageError if there are several."""
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    public = [f for f in functions if f.sym_visibility is None]
    if dims and len(public) != 1:
        raise UsageError(f"dims: found {len(public)} functions, expected one")
    for function in public:
        fix(function, dims)


def named_extents(function: FuncOp) -> tuple[dict[str, list[str]], list[str]]:
    """The symbols of inputs by all of their names, and the names in the model.

    Names in the model take precedence over names of symbols.
    """
    extents = [e for arg in function.args for e in _extents(arg.type)]
    own = sorted({name for e in extents for name in e.symbols()} - {"?"})
    named = extent_names(function)
    by_name: dict[str, list[str]] = {}
    for name in own:
        by_name.setdefault(named.get(name, name), []).append(name)
    return {name: [name] for name in own} | by_name, list(by_name)


def input_axis(name: str, inputs: Container[str]) -> tuple[str, int] | None:
    """The input and the axis in ``x:2``; None for other names."""
    own, _, axis = name.rpartition(":")
    is_place = own in inputs and axis.removeprefix("-").isdecimal()
    return (own, int(axis[:9])) if is_place else None


def several_in(name: str, extent: int) -> list[tuple[str, int]]:
    """``--dim a=2,x:0=4,b=3`` arrives as ``a=2,x:0=4,b`` and 3: the three extents, or none."""
    text = f"{name}={extent}"
    parts = _PART.findall(text)
    is_list = len(parts) > 1 and ",".join(map("=".join, parts)) == text
    return [(own, int(value)) for own, value in parts] if is_list else []


class _Wanted:
    """The fixed extents of one function."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self.inputs = dict(zip(input_names(function), function.args, strict=False))
        texts = cast("ArrayAttr[StringAttr]", function.attributes.get(EXTENT_BOUNDS, ArrayAttr([])))
        self.bounds = {
            n: t.data.split(",") for n, t in zip(self.inputs, texts, strict=False) if t.data
        }
        self.symbols: dict[str, ex.Expr] = {}
        self.axes: dict[tuple[str, int], int] = {}
        self.by: dict[str, Dim] = {}
        self.known, self.names = named_extents(function)

    def add(self, dim: Dim) -> None:
        """Add one."""
        name, axis = dim.name, dim.axis
        if axis is None and name in self.known:
            for symbol in self.known[name]:
                self.set_symbol(symbol, dim)
            return
        if axis is None and (place := input_axis(name, self.inputs)) is not None:
            name, axis = place
        if axis is None or name not in self.inputs:
            several = [] if axis is not None else several_in(name, dim.extent)
            if not several:
                raise self.unknown(dim)
            for other, extent in several:
                self.add(_dim(other, None, extent))
            return
        shape = _extents(self.inputs[name].type)
        if not -len(shape) <= axis < len(shape):
            raise UsageError(f"dims: input {name!r} has rank {len(shape)}, found axis {axis}")
        axis %= len(shape)
        extent = shape[axis]
        bounds = self.bounds.get(name, [""] * len(shape))[axis]
        if not _is_within(dim.extent, bounds):
            raise self.contradiction(f"input {name!r} axis {axis}", bounds, dim)
        symbol = None if extent == UNKNOWN else extent.symbol()
        if symbol is not None:
            self.set_symbol(symbol, dim)
        elif extent.constant not in (None, dim.extent):
            raise self.contradiction(f"input {name!r} axis {axis}", str(extent.constant), dim)
        elif self.axes.setdefault((name, axis), dim.extent) != dim.extent:
            other = str(self.axes[name, axis])
            raise self.contradiction(f"input {name!r} axis {axis}", other, dim)

    def set_symbol(self, symbol: str, dim: Dim) -> None:
        """Set the value of a symbol."""
        value = self.symbols.setdefault(symbol, ex.const(dim.extent))
        if value != dim.extent:
            raise self.contradiction(str(self.by[symbol]), str(value), dim)
        self.by.setdefault(symbol, dim)

    def types(self) -> list[Attribute]:
        """The types of the inputs."""
        types: list[Attribute] = []
        for name, arg in self.inputs.items():
            if not isinstance(arg.type, TensorType):
                types.append(arg.type)
                continue
            tensor = tensor_of(arg)
            shape = list(shape_of(tensor))
            for (other, axis), value in self.axes.items():
                if other == name:
                    known = shape[axis].substitute(self.symbols)
                    if known != UNKNOWN and known != value:
                        what = f"input {name!r} axis {axis}"
                        raise self.contradiction(what, str(known), Dim(name, axis, value))
                    shape[axis] = ex.const(value)
            types.append(tensor_type(tensor.element_type, shape))
        return types

    def unknown(self, dim: Dim) -> UsageError:
        """The error for an unknown extent."""
        close = near(dim.name.partition(":")[0], [*self.names, *self.inputs])
        if dim.name in self.inputs:
            hint = f"; {dim.name!r} is an input, of which {dim.name}:0 is the first extent"
        elif close:
            hint = f"; did you mean {close[0]!r}?"
        else:
            names = ", ".join(self.names) or "none"
            hint = f"; extents: {names}; inputs: {', '.join(self.inputs) or 'none'}"
        return UsageError(f"dims: there is no extent {str(dim)!r}{hint}")

    def contradiction(self, what: str, extent: str, dim: Dim) -> UsageError:
        """The error for an extent that is fixed to another value."""
        return UsageError(f"dims: {what} is {extent}, found {dim.extent} for {dim}")


def _is_within(extent: int, bounds: str) -> bool:
    """Whether an extent is in a range ``1..4``, ``..4`` or ``2..``; true for other texts."""
    low, dots, high = bounds.partition("..")
    return not dots or (extent >= int(low or 0) and not 0 <= int(high or -1) < extent)


def _extents(type: Attribute) -> tuple[ex.Expr, ...]:
    return shape_of(cast(Tensor, type)) if isinstance(type, TensorType) else ()


def _check_bodies(function: FuncOp, symbols: Mapping[str, ex.Expr]) -> None:
    """Raise UsageError if a function of the graph takes an extent by its name."""
    for body in bodies_below(function):
        names = sorted(symbols.keys() & set(given_extents(body)))
        if names:
            raise UsageError(
                f"dims: @{body.sym_name.data} is given extent {names[0]}; fix it in the graph as "
                "it was before infer-shapes"
            )


def _check(function: FuncOp) -> None:
    """Raise UsageError if the graph states another extent."""
    for op in walk(function):
        if isinstance(op, RequireOp) and (need := op.requirement).decided() is False:
            left, right = map(extent_text, (need.left, need.right))
            raise UsageError(f"dims: {need.message}: {left} and {right}")
