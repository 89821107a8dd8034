"""Inputs that a graph is tried on: ordinary ones, and those at the edges."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from opc.dialects.element import ElementType
from opc.dialects.opc.symbols import ReadExtentsOp, SplitAxesOp
from opc.dialects.shape import shape_of
from opc.emit.source import INPUT_NAMES
from opc.errors import UsageError
from opc.interface import Interface, TensorSpec
from opc.interpret.extents import element_type
from opc.interpret.precision import Array
from opc.tools import arrays

from .values import moderate, special_values, values

KINDS = ("ordinary", "zeros", "mixed", "special", "extreme")
"""Values near 1; zeros of both signs; some special values; these alone; the greatest and least."""
PRIMES = (5, 3, 7, 2, 11, 13, 17, 19)
EXTENTS = (None, 4, 1, 0, 33)
"""What symbols that nobody gives are: all another prime (None), or all the same."""
FEW = 0.05
"""How many values are special among ordinary ones."""
MOST_ELEMENTS = 1 << 18
"""Elements of an input that is made without being asked for."""


@dataclass(frozen=True)
class Inputs:
    """Arrays for every input, and what to call them."""

    name: str
    is_ordinary: bool
    arrays: Sequence[Array]


def every(function: FuncOp, given: Mapping[str, int], seed: int) -> Iterator[Inputs]:
    """Inputs of every kind for every set of extents, the ordinary ones first.

    ``function`` is one after infer-shapes.  Raises UsageError for extents that are given and are
    none of its symbols.
    """
    for extents in assignments(function, given):
        shown = "".join(f", {name} = {n}" for name, n in extents.items())
        for k, kind in enumerate(KINDS if function.body.block.args else KINDS[:1]):
            made = make(function, extents, kind, seed * len(KINDS) + k)
            yield Inputs(f"{kind} inputs{shown}", k == 0, made)


def from_files(
    function: FuncOp, files: Sequence[str], given: Mapping[str, int], seed: int
) -> Inputs:
    """The arrays of ``[NAME=]FILE`` items; what they lack is made as for ``opc run``."""
    names = function.attributes.get(INPUT_NAMES)
    listed = [a.data for a in names if isinstance(a, StringAttr)] if _is_array(names) else []
    specs: list[TensorSpec] = []
    for k, arg in enumerate(function.body.block.args):
        extents = shape_of(arg.type)
        shape = tuple(str(e) if e.constant is None else e.constant for e in extents)
        specs.append(TensorSpec(listed[k], element_type(arg).dtype, shape))
    interface = Interface("", "", tuple(specs), (), (), None, False, ())
    found = arrays.read_inputs(files, interface)
    found |= arrays.random_inputs(seed, interface, found, given)
    return Inputs("the arrays given", True, [found[spec.name] for spec in specs])


def _is_array(attr: Attribute | None) -> TypeGuard[ArrayAttr[Attribute]]:
    return isinstance(attr, ArrayAttr)


def symbols_of(function: FuncOp) -> list[str]:
    """The names of the extents that a caller chooses, in order."""
    names: dict[str, None] = {}
    for arg in function.body.block.args:
        for e in shape_of(arg.type):
            names.update(dict.fromkeys(sorted(e.symbols())))
    return list(names)


def assignments(function: FuncOp, given: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Values for all symbols.  UsageError for given names that are no symbols."""
    names = symbols_of(function)
    for name in given:
        if name not in names:
            shown = ", ".join(names) or "none"
            raise UsageError(f"--dim: there is no symbol {name!r}; there are: {shown}")
    free = [name for name in names if name not in given]
    for extent in EXTENTS if free else EXTENTS[:1]:
        chosen = {
            name: PRIMES[k % len(PRIMES)] if extent is None else extent
            for k, name in enumerate(free)
        }
        extents = {**given, **chosen}
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
    """Inputs of a kind; those that hold axes or extents hold some that fit."""
    made: list[Array] = []
    for k, (arg, shape) in enumerate(
        zip(function.body.block.args, shapes(function, extents), strict=True)
    ):
        sizes = _sizes(arg, shape)
        made.append(_of_kind(element_type(arg), shape, kind, seed + k) if sizes is None else sizes)
    return made


def _of_kind(type: ElementType, shape: Sequence[int], kind: str, seed: int) -> Array:
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
        return np.where(rng.random(shape) < FEW, special, usual)
    if kind == "zeros":
        pool = np.array([0, -0.0] if type.is_float else [0]).astype(type.dtype)
    elif kind == "extreme" and type.kind != "bool":
        size = np.abs(pool.astype(np.float64))
        pool = pool[(size >= np.quantile(size[size == size], 0.8)) | (size < 2.0**-20)]
    return pool[rng.integers(0, len(pool), count)].reshape(shape)


def _sizes(arg: SSAValue, shape: Sequence[int]) -> Array | None:
    """Axes or extents for an input that holds such; None for one that does not."""
    count = math.prod(shape)
    for use in arg.uses:
        op, found = use.operation, list[int]()
        if isinstance(op, SplitAxesOp):
            found = [k % max(len(op.extents.data), 1) for k in range(count)]
        elif isinstance(op, ReadExtentsOp):
            rule = op.rule.data
            if rule in ("squeeze", "unsqueeze"):
                found = list(range(count))
            elif rule == "plain":
                found = [PRIMES[k % len(PRIMES)] for k in range(count)]
            else:
                found = [-1 if k == 0 and "reshape" in rule else 1 for k in range(count)]
        else:
            continue
        return np.array(found).astype(element_type(arg).dtype).reshape(shape)
    return None
