"""Extents of a function that is interpreted: values of symbols, and checks of requirements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects.element import ElementType, element_of
from opc.dialects.expr import Expr
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import (
    GivenExtentsOp,
    RequireOp,
    SplitAxesOp,
    SymbolSource,
    given_extents,
)
from opc.dialects.shape import MAX_SIZE, shape_of
from opc.errors import ArgumentError, DTypeError, EndlessError, InputError
from opc.support.interface import CAPACITY

from .precision import Array
from .reduction import resolve_axes

T = TypeVar("T")

ITERATIONS = 10_000
"""Most iterations of a loop whose length is computed, which may have no end; and the most that an
extent which nothing bounds may be."""

RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "equal": lambda a, b: a == b,
    "broadcast": lambda a, b: a == b or 1 in (a, b),
    "stretch": lambda a, b: a in (1, b),
    "divides": lambda a, b: b != 0 and a % b == 0,
    "within": lambda a, b: -b - 1 <= a <= b,
}


def extent(e: Expr, symbols: Mapping[str, int]) -> int | None:
    """The value of an extent, None while one of its symbols has none."""
    if e.symbols() <= symbols.keys():
        return int(e.evaluate({}, symbols))
    return None


def known_extents(
    extents: Sequence[Expr], symbols: Mapping[str, int], what: str
) -> tuple[int, ...]:
    """The values of extents.  InputError, which names ``what``, where a symbol has no value."""
    values = [extent(e, symbols) for e in extents]
    known = [e for e in values if e is not None]
    if len(known) != len(values):
        raise InputError(f"{what} have symbols without a value")
    return tuple(known)


def known_shape(value: SSAValue, symbols: Mapping[str, int]) -> tuple[int, ...]:
    """The extents of a tensor or a buffer.  InputError where a symbol has no value."""
    return known_extents(shape_of(value.type), symbols, f"the extents of {value.type}")


def element_type(value: SSAValue) -> ElementType:
    """The element type of a tensor or a buffer."""
    element = element_of(getattr(value.type, "element_type", value.type))
    if element is None:
        raise VerifyException(f"element type of {value.type} is not supported")
    return element


def _input_name(value: SSAValue) -> str:
    return f"input {value.name_hint or getattr(value, 'index', '')}"


def bind_inputs(
    args: Sequence[SSAValue], inputs: Sequence[Array], symbols: dict[str, int]
) -> list[Array]:
    """The inputs as arrays; the symbols in the types of ``args`` get their values from them.

    Raises ArgumentError where they do not fit.
    """
    if len(inputs) != len(args):
        raise ArgumentError(f"expected {len(args)} inputs, found {len(inputs)}")
    arrays = [np.asarray(value) for value in inputs]
    for arg, array in zip(args, arrays, strict=True):
        _bind(arg, array, symbols)
    for arg, array in zip(args, arrays, strict=True):
        check_extents(arg, array, symbols, _input_name(arg))
    return arrays


def _bind(arg: SSAValue, array: Array, symbols: dict[str, int]) -> None:
    """Take the values of symbols from an input."""
    extents, wanted = shape_of(arg.type), element_type(arg)
    if array.dtype != wanted.dtype:
        raise DTypeError(f"{_input_name(arg)}: found {array.dtype}, expected {wanted}")
    if array.ndim != len(extents):
        raise ArgumentError(f"{_input_name(arg)}: found rank {array.ndim}, expected {len(extents)}")
    for e, size in zip(extents, array.shape, strict=True):
        name = e.symbol()
        if name is not None and name != "?":
            symbols.setdefault(name, size)


def check_extents(value: SSAValue, array: Array, symbols: Mapping[str, int], what: str) -> None:
    """ArgumentError where an array does not have the shape of the type of ``value``."""
    extents = shape_of(value.type)
    if array.ndim != len(extents):
        raise ArgumentError(f"{what}: found rank {array.ndim}, expected {len(extents)}")
    for axis, (e, size) in enumerate(zip(extents, array.shape, strict=True)):
        expected = extent(e, symbols)
        if expected is not None and expected != size:
            named = f"{extent_text(e)} = {expected}" if e.constant is None else str(expected)
            raise ArgumentError(f"{what}, axis {axis}: found extent {size}, expected {named}")


def require(op: RequireOp, symbols: Mapping[str, int]) -> None:
    """ArgumentError unless a requirement holds."""
    left, right = op.sides.data
    check_requirement(op.relation.data, left, right, op.message.data, symbols)


def check_requirement(
    relation: str, a: Expr, b: Expr, message: str, symbols: Mapping[str, int]
) -> None:
    """ArgumentError unless the relation holds.  InputError where a symbol has no value."""
    left, right = extent(a, symbols), extent(b, symbols)
    if left is None or right is None:
        raise InputError(
            f"opc.require: {extent_text(a)} or {extent_text(b)} has symbols without a value"
        )
    if not RELATIONS[relation](left, right):
        raise ArgumentError(f"{message}: {left} and {right}")


def define_symbols(op: SymbolSource, inputs: Sequence[Array], symbols: dict[str, int]) -> None:
    """Give the symbols that an operation defines their values, for its operands.

    Raises ArgumentError where the values that they are read from do not fit.
    """
    if isinstance(op, GivenExtentsOp):
        if not symbols.keys() >= set(op.defined):
            raise InputError(f"{op.name}: extents have no values")
        return
    known = known_extents(op.extents.data, symbols, f"{op.name}: the extents")
    values = inputs[0] if op.body is None else _computed(op.body, inputs, symbols)
    symbols.update(define(op, values, known))


class CapacityError(ArgumentError):
    """A data-dependent extent, ``needed``, exceeds its capacity."""

    def __init__(self, message: str, capacity: str, needed: int) -> None:
        super().__init__(message)
        self.capacity = capacity
        self.needed = needed


def sufficient(
    function: FuncOp,
    symbols: Mapping[str, int] | None,
    run: Callable[[Mapping[str, int] | None], T],
) -> T:
    """The result of ``run`` with capacities that are large enough.

    As in a call, capacities that ``symbols`` lack grow until all extents fit.
    """
    known = dict(symbols or {})
    is_public = function.sym_visibility is None
    chosen = [n for n in given_extents(function) if n not in known] if is_public else []
    known |= dict.fromkeys(chosen, CAPACITY)
    while True:
        try:
            return run(known)
        except CapacityError as error:
            if error.capacity not in chosen:
                raise
            if error.needed > ITERATIONS:
                raise EndlessError(error.message) from None
            # Growing loops ask for the same extent many times.
            known[error.capacity] = 1 << (error.needed - 1).bit_length()


def define_data_extent(op: DataExtentOp, value: Array, symbols: dict[str, int]) -> None:
    """Set the symbol of a data-dependent extent to its computed value.

    Raises CapacityError above its capacity, ArgumentError outside of 0 to its bound.
    """
    size, most = int(value), extent(op.bound, symbols)
    if most is None:
        raise InputError(f"{op.name}: the bound {op.bound} has symbols without a value")
    if op.capacity is not None and size > most:
        name = op.capacity.data
        message = f"{op.name}: extent {op.defined} is {size}, {name} is {most}"
        raise CapacityError(message, name, size)
    if not 0 <= size <= most:
        raise ArgumentError(f"{op.name}: extent {op.defined} is {size}, expected 0 to {most}")
    symbols[op.defined] = size


def _computed(body: FuncOp, inputs: Sequence[Array], symbols: Mapping[str, int]) -> Array:
    from .function import run

    (values,) = run(body, inputs, {name: symbols[name] for name in given_extents(body)})
    return values


def define(op: SymbolSource, values: Array, extents: Sequence[int]) -> dict[str, int]:
    """The value of every symbol that ``op`` defines, for a tensor of the given extents.

    Raises ArgumentError where the values do not fit it.
    """
    if isinstance(op, SplitAxesOp):
        return _split_axes(op, values, extents)
    assert isinstance(op, ReadExtentsOp)
    numbers = [int(v) for v in np.ravel(values)]
    results = read(op.rule.data, numbers, tuple(extents))
    return dict(zip(op.defined, results, strict=True))


def _split_axes(op: SplitAxesOp, axes: Array, extents: Sequence[int]) -> dict[str, int]:
    symbols: dict[str, int] = {}
    chosen = resolve_axes(axes, len(extents), "opc.split_axes")
    if not chosen and op.empty_is_all is not None:
        chosen = tuple(range(len(extents)))
    for axis, (outer, inner) in enumerate(zip(op.outer, op.inner, strict=True)):
        symbols[outer.data] = 1 if axis in chosen else extents[axis]
        symbols[inner.data] = extents[axis] if axis in chosen else 1
    kept = [extent for axis, extent in enumerate(extents) if axis not in chosen]
    # Under keepdims no axis is dropped.
    if op.kept.data and len(op.kept) != len(kept):
        raise ArgumentError(f"opc.split_axes: {len(kept)} axes stay, expected {len(op.kept)}")
    symbols.update({name.data: extent for name, extent in zip(op.kept, kept, strict=False)})
    return symbols


def read(rule: str, values: Sequence[int], extents: tuple[int, ...]) -> tuple[int, ...]:
    """The extents that a rule of ``opc.read_extents`` gives; ArgumentError if values do not fit."""
    what = f"{rule}: the values {list(values)} do not fit extents {list(extents)}"
    if rule in ("squeeze", "unsqueeze"):
        rank = len(extents) + (len(values) if rule == "unsqueeze" else 0)
        axes = resolve_axes(tuple(values), rank, rule)
        if rule == "unsqueeze":
            rest = iter(extents)
            return tuple(1 if k in axes else next(rest) for k in range(rank))
        if any(extents[axis] != 1 for axis in axes):
            raise ArgumentError(what)
        return tuple(e for k, e in enumerate(extents) if k not in axes)
    if rule == "expand":
        result = _expand(values, extents)
    elif rule == "plain":
        result = tuple(values)
    else:
        result = _reshape(values, extents, rule == "reshape")
    if result is None or _count(result) is None:
        raise ArgumentError(what)
    return result


def _expand(values: Sequence[int], extents: tuple[int, ...]) -> tuple[int, ...] | None:
    try:
        return np.broadcast_shapes(tuple(values), extents)
    except ValueError:
        return None


def _reshape(
    values: Sequence[int], extents: tuple[int, ...], zero_copies: bool
) -> tuple[int, ...] | None:
    result = list(values)
    for k, value in enumerate(values):
        if value == 0 and zero_copies:
            if k >= len(extents):
                return None
            result[k] = extents[k]
    total = _count(extents)
    holes = [k for k, e in enumerate(result) if e == -1]
    known = _count([e for e in result if e != -1])
    if total is None or known is None or len(holes) > 1:
        return None
    if holes:
        # Beside an extent of 0 any number would fit.
        if known == 0 or total % known:
            return None
        result[holes[0]] = total // known
    elif known != total:
        return None
    return tuple(result)


def _count(extents: Sequence[int]) -> int | None:
    """The number of elements, None where extents are negative or too great."""
    total = 1
    for extent in extents:
        if not 0 <= extent <= MAX_SIZE:
            return None
        total *= extent
    return total if total <= MAX_SIZE else None
