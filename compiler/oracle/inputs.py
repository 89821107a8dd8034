"""Inputs that a graph is tried on: ordinary values, special values and extremes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from opc.dialects.element import ElementType
from opc.dialects.expr import Expr
from opc.dialects.named import INPUT_NAMES
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.control import Binding, IfOp
from opc.dialects.opc.indexing import IndexingOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import ConcatOp, SliceOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.scan import ScanOp
from opc.dialects.opc.symbols import SplitAxesOp
from opc.dialects.opc.unary import CastOp, IdentityOp
from opc.dialects.shape import shape_of
from opc.dialects.walking import walk
from opc.errors import UsageError
from opc.interpret.extents import element_type
from opc.interpret.precision import Array
from opc.support.interface import Interface, TensorSpec
from opc.tools import arrays

KINDS = ("ordinary", "zeros", "mixed", "special", "extreme")
"""Values near 1; zeros of both signs; some special values, and numbers that the graph has; special
values alone; the greatest and least."""
PRIMES = (5, 3, 7, 2, 11, 13, 17, 19)
EXTENTS = (None, 4, 1, 0, 33)
"""Extents of symbols that are not given: distinct primes (None), or all the same."""
FEW = 0.05
"""How many values are special among ordinary ones."""
MOVING = (ReshapeOp, BroadcastOp, TransposeOp, SliceOp, ConcatOp, IdentityOp)
"""Operators whose results have elements of their operands."""
FEW_NUMBERS = 8
"""Elements of a constant up to which they are numbers that operators may compare with."""
MOST_ELEMENTS = 1 << 18
"""The most elements of an input whose extents are not given."""


@dataclass(frozen=True)
class Inputs:
    """Arrays for every input, and what to call them."""

    name: str
    is_ordinary: bool
    arrays: Sequence[Array]


_EDGES = {
    "f64": (1.7976931348623157e308, 2.2250738585072014e-308, 5e-324, 2.0**-53, 2.0**52 + 0.5),
    "f32": (3.4028234663852886e38, 1.1754943508222875e-38, 1e-45, 2.0**-24, 2.0**22 + 0.5),
    "f16": (65504.0, 6.103515625e-05, 6e-08, 2.0**-11, 1023.5),
    "bf16": (3.3895313892515355e38, 1.1754943508222875e-38, 9.2e-41, 2.0**-8, 127.5),
}
"""Greatest, least normal, least subnormal, below the last bit of 1, half beside an integer."""

_NUMBERS = (
    0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 0.1, 0.99, 1.01, math.pi, math.pi / 2, 6.0, 10.0, 40.0,
    88.5, 95.0, 100.0, 127.6, 128.0, 255.9, 700.0, 740.0, 32767.5, 1e4, 2.0**31, 2.0**32,
    2.0**63, 2.0**64, 1e-4, 1e-8, 1e-30, 1e20, 1e30,
)  # fmt: skip


def special_values(type: ElementType) -> Array:
    """The values where functions have their corners, of both signs."""
    if type.kind == "bool":
        return np.array([False, True])
    if type.is_integer:
        least, most = int(type.lowest), int(type.highest)
        near = [0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 63, 64, 100, -1, -2, -3, -5, -8, -100]
        ends = [least, least + 1, most - 1, most, most // 2, least // 2, math.isqrt(most)]
        return np.array(sorted({v for v in near + ends if least <= v <= most}), dtype=type.dtype)
    positive = np.array([*_NUMBERS, *_EDGES[type.name], math.inf], dtype=np.float64)
    with np.errstate(all="ignore"):
        values = np.concatenate([positive, -positive, [math.nan]]).astype(type.dtype)
    return values


def random_values(type: ElementType, count: int, seed: int = 0, extent: float = 4) -> Array:
    """Floats of normal distribution and of many magnitudes, integers of all sizes."""
    rng = np.random.default_rng([seed, len(type.name), type.bits])
    if type.kind == "bool":
        return rng.random(count) < 0.5
    if type.is_integer:
        bits = rng.integers(1, type.bits, size=count, dtype=np.uint64)
        size = rng.integers(0, 2**63, size=count, dtype=np.uint64) >> (np.uint64(63) - bits)
        signs = rng.choice([-1, 1], size=count)
        value = size.astype(np.int64) * (signs if type.kind == "signed" else 1)
        return value.astype(type.dtype)
    moderate = rng.standard_normal(count) * extent
    scaled = moderate * np.exp(rng.uniform(-20, 20, size=count))
    with np.errstate(all="ignore"):
        return np.where(rng.random(count) < 0.7, moderate, scaled).astype(type.dtype)


def values(type: ElementType, shape: Sequence[int], seed: int = 0) -> Array:
    """Special and random values, shuffled into a shape."""
    count = math.prod(shape)
    special = special_values(type)
    pool = np.concatenate([special, random_values(type, max(count, len(special)), seed)])
    rng = np.random.default_rng([seed, count])
    return rng.permutation(pool)[:count].reshape(shape)


def moderate(type: ElementType, shape: Sequence[int], seed: int = 0) -> Array:
    """Values whose sums and products stay finite: about 1 in size, of both signs."""
    rng = np.random.default_rng([seed, math.prod(shape), len(shape)])
    if type.kind == "bool":
        return rng.random(tuple(shape)) < 0.5
    if type.is_integer:
        return random_values(type, math.prod(shape), seed).reshape(tuple(shape))
    return rng.standard_normal(tuple(shape)).astype(type.dtype)


def every(function: FuncOp, fixed: Mapping[str, int], seed: int) -> Iterator[Inputs]:
    """Inputs of every kind for every set of extents, the ordinary ones first.

    ``function`` is one after infer-shapes.  Raises UsageError for extents that are given and are
    none of its symbols.
    """
    for extents in assignments(function, fixed):
        shown = "".join(f", {name} = {n}" for name, n in extents.items())
        for k, kind in enumerate(KINDS if function.body.block.args else KINDS[:1]):
            drawn = make(function, extents, kind, seed * len(KINDS) + k)
            yield Inputs(f"{kind} inputs{shown}", k == 0, drawn)


def from_files(
    function: FuncOp, files: Sequence[str], fixed: Mapping[str, int], seed: int
) -> Inputs:
    """The arrays of ``[NAME=]FILE`` items; what they lack is made as for ``opc run``."""
    inputs = specs(function)
    interface = Interface("", "", tuple(inputs), (), (), None, False, ())
    by_name = arrays.read_inputs(files, interface)
    by_name |= arrays.random_inputs(seed, interface, by_name, fixed)
    return Inputs("the arrays given", True, [by_name[spec.name] for spec in inputs])


def specs(function: FuncOp) -> list[TensorSpec]:
    """Name, element type and shape of the inputs of a function after infer-shapes."""
    names = function.attributes.get(INPUT_NAMES)
    input_names = [a.data for a in names if isinstance(a, StringAttr)] if _is_array(names) else []
    inputs: list[TensorSpec] = []
    for k, arg in enumerate(function.body.block.args):
        extents = shape_of(arg.type)
        shape = tuple(str(e) if e.constant is None else e.constant for e in extents)
        inputs.append(TensorSpec(input_names[k], element_type(arg).dtype, shape))
    return inputs


def _is_array(attr: Attribute | None) -> TypeGuard[ArrayAttr[Attribute]]:
    return isinstance(attr, ArrayAttr)


def symbols_of(function: FuncOp) -> list[str]:
    """The names of the extents that a caller chooses, in order."""
    names: dict[str, None] = {}
    for arg in function.body.block.args:
        for e in shape_of(arg.type):
            names.update(dict.fromkeys(sorted(e.symbols())))
    return list(names)


def assignments(function: FuncOp, fixed: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Values for all symbols.  UsageError for given names that are no symbols."""
    names = symbols_of(function)
    for name in fixed:
        if name not in names:
            shown = ", ".join(names) or "none"
            raise UsageError(f"--extent: there is no symbol {name!r}; there are: {shown}")
    free = [name for name in names if name not in fixed]
    for extent in EXTENTS if free else EXTENTS[:1]:
        chosen = {
            name: PRIMES[k % len(PRIMES)] if extent is None else extent
            for k, name in enumerate(free)
        }
        extents = {**fixed, **chosen}
        largest = max((math.prod(s) for s in shapes(function, extents)), default=0)
        if largest <= MOST_ELEMENTS or not free:
            yield extents


def shapes(function: FuncOp, extents: Mapping[str, int]) -> list[tuple[int, ...]]:
    """The shapes of the inputs."""
    return [
        tuple(int(e.evaluate({}, extents)) for e in shape_of(arg.type))
        for arg in function.body.block.args
    ]


def make(function: FuncOp, extents: Mapping[str, int], kind: str, seed: int) -> list[Array]:
    """Inputs of a kind; axes, extents and indices are always valid."""
    inputs: list[Array] = []
    numbers = numbers_of(function) if kind == "mixed" else []
    for k, (arg, shape) in enumerate(
        zip(function.body.block.args, shapes(function, extents), strict=True)
    ):
        sizes = _sizes(arg, shape)
        if sizes is None and (bounds := index_bounds(arg, extents)) is not None:
            rng = np.random.default_rng([seed + k, len(shape)])
            sizes = rng.integers(*bounds, shape).astype(element_type(arg).dtype)
        type = element_type(arg)
        inputs.append(_of_kind(type, shape, kind, seed + k, numbers) if sizes is None else sizes)
    return inputs


def numbers_of(function: FuncOp) -> list[float]:
    """The numbers that operators of a graph have, where an inequality may be an equality."""
    numbers: dict[float, None] = {}
    for op in (o for o in walk(function) if isinstance(o, OpcOp)):
        candidates = list(op.values().values())
        if isinstance(op, ConstantOp) and math.prod(op.array().shape) <= FEW_NUMBERS:
            candidates = op.array().astype(np.float64).reshape(-1).tolist()
        for number in candidates:
            if isinstance(number, int | float) and not isinstance(number, bool):
                numbers |= {float(number): None, -float(number): None}
    return list(numbers)


def _of_kind(
    type: ElementType, shape: Sequence[int], kind: str, seed: int, numbers: Sequence[float]
) -> Array:
    count = math.prod(shape)
    rng = np.random.default_rng([seed, count, len(kind)])
    if type.is_small:
        codes = rng.integers(0, 1 << type.bits, count).astype(np.uint8)
        codes = np.zeros_like(codes) if kind == "zeros" else codes
        return codes.view(type.dtype).reshape(shape)
    usual = moderate(type, shape, seed)
    if kind == "ordinary":
        # Integers whose sums and products fit every type, as other libraries take for granted.
        low = -9 if type.kind == "signed" else 0
        return rng.integers(low, 10, shape).astype(type.dtype) if type.is_integer else usual
    if kind == "special":
        return values(type, shape, seed)
    pool = special_values(type)
    if kind == "mixed":
        special = pool[rng.integers(0, len(pool), count)].reshape(shape)
        mixed = np.where(rng.random(shape) < FEW, special, usual).reshape(-1)
        with np.errstate(all="ignore"):
            named = np.array(numbers, np.float64).astype(type.dtype)
        exact = named[named.astype(np.float64) == numbers][: count // 4]
        mixed[rng.permutation(count)[: len(exact)]] = exact
        return mixed.reshape(shape)
    if kind == "zeros":
        pool = np.array([0, -0.0] if type.is_float else [0]).astype(type.dtype)
    elif kind == "extreme" and type.kind != "bool":
        size = np.abs(pool.astype(np.float64))
        pool = pool[(size >= np.quantile(size[size == size], 0.8)) | (size < 2.0**-20)]
    return pool[rng.integers(0, len(pool), count)].reshape(shape)


def index_bounds(arg: SSAValue, extents: Mapping[str, int]) -> tuple[int, int] | None:
    """The least index that an input may hold and one beyond the greatest; None for other inputs.

    It holds indices where it, or what has its elements, is given to gather or scatter as such.
    """
    if not element_type(arg).is_integer:
        return None
    ranges = list(_bounds(arg, lambda e: int(e.evaluate({}, extents))))
    if not ranges:
        return None
    low, high = max(a for a, _ in ranges), min(b for _, b in ranges)
    return low, max(high, low + 1)


def _bounds(value: SSAValue, known: Callable[[Expr], int]) -> Iterator[tuple[int, int]]:
    """The bounds of a value wherever it is used as indices; ``known`` evaluates an extent."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, IndexingOp) and use.index >= op.FIRST:
            axis = op.indexed()[use.index - op.FIRST][0]
            n = known(shape_of(op.tensor_types[0])[axis])
            signed = element_type(value).kind == "signed" and op.values()["from_end"]
            yield -n if signed else 0, n
        elif isinstance(op, (*MOVING, CastOp)) and element_type(op.result).is_integer:
            yield from _bounds(op.result, known)
        elif isinstance(op, ScanOp | IfOp):
            for argument, binding in _arguments(op, use.index):
                yield from _bounds(argument, lambda e, b=binding: known(b.extent(e)))


def _arguments(op: ScanOp | IfOp, position: int) -> Iterator[tuple[SSAValue, Binding]]:
    """The arguments of bodies that an operand of control flow is given as."""
    if isinstance(op, ScanOp):
        places = [position + (op.has_index is not None)]
    else:
        count = len(op.then_captured)
        places = [position - 1 if position <= count else -1, position - 1 - count]
    for body, binding, place in zip(op.bodies(), op.bindings(), places, strict=True):
        if 0 <= place < len(body.args):
            yield body.args[place], binding


def _sizes(arg: SSAValue, shape: Sequence[int]) -> Array | None:
    """Values for an input that holds axes or extents; None for another input."""
    count = math.prod(shape)
    for use in arg.uses:
        op, numbers = use.operation, list[int]()
        if isinstance(op, SplitAxesOp):
            numbers = [k % max(len(op.extents.data), 1) for k in range(count)]
        elif isinstance(op, ReadExtentsOp) and op.callee is None:
            rule = op.rule.data
            if rule in ("squeeze", "unsqueeze"):
                numbers = list(range(count))
            elif rule == "plain":
                numbers = [PRIMES[k % len(PRIMES)] for k in range(count)]
            else:
                numbers = [-1 if k == 0 and "reshape" in rule else 1 for k in range(count)]
        else:
            continue
        return np.array(numbers).astype(element_type(arg).dtype).reshape(shape)
    return None
