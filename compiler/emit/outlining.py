"""Loops that are equal but for their buffers: one C function, which is called for each of them.

The layers of a network have the same loops over other buffers and weights.  Two loops are equal if
their operations are, where values are known by the place at which they first occur: so a buffer
that one of them reads twice is read twice by the other.  Extents and offsets count; which buffer it
is, what is in a large constant, and by which numbers floats are scaled and shifted, as they are in
the layers of a quantized network, does not.  The function has parameters ``in0``, ``in1``, ... for
what it reads alone, ``out0``, ... for what it writes and ``value0``, ... for numbers that differ.

A BERT of 12 layers has 2,800 lines of C so instead of 25,800, and takes gcc 1.2 s instead of 3.3;
one of 48 layers takes 1.2 s instead of 12.
"""

from __future__ import annotations

import contextlib
import math
from collections import defaultdict
from collections.abc import Collection, Generator, Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.loop import purpose, root, written
from opc.support.provenance import nodes

from .ctext import Text, computed, number, stored
from .wrapping import listed

if TYPE_CHECKING:
    from .stack_allocation import StackSlot, StackSlots
    from .storage import Storage

SCALING = frozenset({"mul", "div"})
PLAIN = frozenset({"add", "sub"}) | SCALING
"""What takes as long with a number that C compilers do not know."""
LEAST = 12
"""Operations of a loop that becomes a function because it is there more than once."""


class Form:
    """What the C of a loop is made of, but for the names of buffers."""

    def __init__(self, op: loop.ForOp, constant: Collection[SSAValue]) -> None:
        self.outside: dict[SSAValue, set[SSAValue]] = {}
        """The buffers and scalars of its surroundings, in order of use, and views of them."""
        self.numbers: dict[SSAValue, int] = {}
        """The constants that may be others in a loop that is equal, in order of use."""
        self.arrays: list[SSAValue] = []
        """What it declares."""
        self.loops: list[loop.ForOp] = []
        self.size = 0
        self._constant = constant
        self._inside: dict[SSAValue, int] = {}
        self._places: dict[SSAValue, int] = {}
        self._items: list[Hashable] = []
        self._visit(op)
        self.key = tuple(self._items)

    def _visit(self, op: Operation) -> None:
        self.size += 1
        if isinstance(op, body.ConstantOp):
            self._items.append(self._number(op))
        else:
            self._items += (type(op), *op.properties.items(), *op.attributes.items())
            self._items += map(self._operand, op.operands)
        for result in op.results:
            self._items.append(result.type)
            self._inside[result] = len(self._inside)
        if isinstance(op, loop.ForOp):
            self.loops.append(op)
        elif isinstance(op, loop.LocalOp):
            self.arrays.append(op.result)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    self._inside[argument] = len(self._inside)
                for inner in block.ops:
                    self._visit(inner)
                self._items.append(None)

    def _operand(self, value: SSAValue) -> Hashable:
        known = self._inside.get(value)
        if known is not None:
            return known
        if isinstance(value.owner, body.ConstantOp):
            return self._number(value.owner)
        whole = _named(value)
        place = self._places.setdefault(whole, len(self._places))
        self.outside.setdefault(whole, set()).add(value)
        return -1 - place, value.type, self._role(whole)

    def _number(self, op: body.ConstantOp) -> Hashable:
        if _may_differ(op):
            return self.numbers.setdefault(op.result, len(self.numbers)), op.result.type
        return _text(op), op.result.type

    def _role(self, value: SSAValue) -> Hashable:
        """What something outside is to the C that uses it."""
        if not isinstance(value.type, MemRefType):
            return "scalar"
        if isinstance(value.owner, loop.LocalOp):
            return value.owner.lanes
        return element_in(value).name, _is_constant(value, self._constant)


def _text(op: body.ConstantOp) -> str:
    # By which 0 and -0 are not equal.
    return repr(op.number)


def _may_differ(op: body.ConstantOp) -> bool:
    """Whether nothing is gained by a C compiler that knows a number.

    A sum with zero may be left out, and a quotient by a power of two is a product.
    """
    users = {getattr(use.operation, "function", None) for use in op.result.uses}
    names = {user.data if user is not None else "" for user in users}
    type = scalar_type(op.result)
    if not names <= PLAIN or not type.is_float or type.is_small_float:
        return False
    value = float(op.number)
    is_scaling = not names.isdisjoint(SCALING)
    return math.isfinite(value) and value != 0 and not (is_scaling and _is_power_of_two(value))


def _is_power_of_two(value: float) -> bool:
    return abs(math.frexp(value)[0]) == 0.5


def _is_constant(value: SSAValue, constant: Collection[SSAValue]) -> bool:
    return isinstance(value.owner, loop.ConstantOp) or root(value) in constant


def _named(value: SSAValue) -> SSAValue:
    """The buffer, or the part of one, that C has a name for."""
    while isinstance(value.owner, loop.ViewOp) and value.owner.start == 0:
        value = value.owner.source
    return value


def about(words: Iterable[str]) -> str:
    """The comment that says of which nodes a loop is, and of which version; empty for nothing."""
    text = ", ".join(filter(None, words))
    return f"/* {text} */" if text else ""


@dataclass
class Part:
    """A C function for a loop, or for all that are equal to it."""

    name: str
    needed: dict[str, str]
    """Its parameters with their declarations, but for the arrays."""
    arrays: dict[str, tuple[str, StackSlot]]
    """Those in the workspace that it declares, with their places for the first loop."""


class EqualLoops:
    """The outermost loops of a block, conditions aside, that are there more than once.

    What begins or ends where an array happens to lie, is for itself.
    """

    def __init__(self, block: Block, constant: Collection[SSAValue]) -> None:
        """``constant`` are the buffers that nothing writes."""
        loops = [op for op in loop.flat(block) if isinstance(op, loop.ForOp) and not op.dims]
        self.forms = {op: Form(op, constant) for op in loops}
        found: defaultdict[Hashable, list[loop.ForOp]] = defaultdict(list)
        for op in loops:
            found[self._key(op)].append(op)
        self.like = {op: ops for ops in found.values() if len(ops) > 1 for op in ops}
        """For each of them: all that are equal to it."""
        self._parts: dict[Hashable, Part] = {}
        self._constants: dict[int, set[int]] = {}
        self._others: dict[int, set[int]] = {}

    def _key(self, op: loop.ForOp) -> Hashable:
        return self.forms[op].key

    def is_worth_it(self, op: Operation) -> bool:
        """Whether a loop should be a function because there are others like it."""
        return op in self.like and self.forms[op].size >= LEAST  # pyright: ignore

    def key(self, op: loop.ForOp, places: StackSlots) -> Hashable:
        """What the C function of a loop depends on, its places included."""
        form, own = self.forms[op], {a: k for k, a in enumerate(self.forms[op].arrays)}
        arrays: list[Hashable] = []
        for array in own:
            place, twin = places.places.get(array), places.twins.get(array)
            # Where a thread has an array in its part is in the text.
            offset = place.offset if place is not None and place.is_of_thread else None
            arrays.append((place is None, offset, None if twin is None else own[twin]))
        kinds = [(places.functions.get(inner), inner in places.apart) for inner in form.loops]
        # Where functions in this one have their arrays is in the text, too.
        inside = any(a in places.places and places.function_of(a) is not op for a in own)
        return id(op if inside else self.like[op]), *arrays, *kinds

    def part(self, op: loop.ForOp, places: StackSlots) -> Part | None:
        """The function that was written for a loop that is equal to this one."""
        return self._parts.get(self.key(op, places)) if op in self.like else None

    def keep(self, op: loop.ForOp, places: StackSlots, part: Part) -> None:
        """Remember the function of a loop."""
        if op in self.like:
            self._parts[self.key(op, places)] = part

    def arrays(
        self, op: loop.ForOp, places: StackSlots, part: Part
    ) -> dict[str, tuple[str, StackSlot]]:
        """The arrays that a function is given for this loop."""
        own = iter([places.places[a] for a in self.forms[op].arrays if a in places.places])
        return {
            name: (type, place if name in ("parts", "whole") else next(own))
            for name, (type, place) in part.arrays.items()
        }

    def comment(self, op: loop.ForOp) -> str:
        """Which nodes the loops are of that have one function."""
        found = [nodes(other.location) for other in self.like[op]]
        kinds = list(dict.fromkeys(kind for _, kind in found[0]))
        spans = [
            f"#{ordinals[0]}" + (f" to #{ordinals[-1]}" if len(ordinals) > 1 else "")
            for each in found
            if (ordinals := [ordinal for ordinal, _ in each])
        ]
        if not spans:
            return ""
        purposes = {purpose(other) for other in self.like[op]}
        nodes_of = f"{listed(kinds)} of nodes {listed(list(dict.fromkeys(spans)))}"
        return about([nodes_of, *(purposes if len(purposes) == 1 else ())])

    def outside(self, op: loop.ForOp, storage: Storage) -> dict[SSAValue, Outside]:
        """The parameters that stand for what a loop finds outside; none if it is alone."""
        if op not in self.like:
            return {}
        changed = written([op])
        found: dict[SSAValue, Outside] = {}
        counts: defaultdict[str, int] = defaultdict(int)
        for place, value in enumerate(self.forms[op].outside):
            actual = storage.names[value].text
            if self._is_common(op, place) and actual not in storage.scope:
                continue
            kind, declaration = _declaration(value, root(value) in changed, actual, storage)
            name = f"{kind}{counts[kind]}"
            counts[kind] += 1
            made = Outside(name, declaration.replace("@", name), actual)
            found |= dict.fromkeys(self.forms[op].outside[value], made)
        for value, place in self.forms[op].numbers.items():
            if place in self._differing(op):
                assert isinstance(value.owner, body.ConstantOp)
                type, name = scalar_type(value), f"value{counts['value']}"
                counts["value"] += 1
                actual = number(value.owner.number, type).text
                found[value] = Outside(name, f"const {computed(type)} {name}", actual)
        return found

    def _differing(self, op: loop.ForOp) -> set[int]:
        """Which numbers are not the same for all."""
        group = self.like[op]
        if id(group) not in self._others:
            each = [[_text(v.owner) for v in self.forms[o].numbers] for o in group]  # pyright: ignore
            texts = zip(*each, strict=True)
            self._others[id(group)] = {k for k, found in enumerate(texts) if len(set(found)) > 1}
        return self._others[id(group)]

    def _is_common(self, op: loop.ForOp, place: int) -> bool:
        """Whether something outside is the same constant for all."""
        group = self.like[op]
        if id(group) not in self._constants:
            each = [list(self.forms[other].outside) for other in group]
            self._constants[id(group)] = {
                k
                for k, values in enumerate(zip(*each, strict=True))
                if all(isinstance(v.owner, loop.ConstantOp) for v in values)
                and len({v.owner.value for v in values}) == 1  # pyright: ignore
            }
        return place in self._constants[id(group)]


@dataclass(frozen=True)
class Outside:
    """A parameter of a function for several loops, and what it is for one of them."""

    name: str
    declaration: str
    actual: str


def _declaration(
    value: SSAValue, is_written: bool, actual: str, storage: Storage
) -> tuple[str, str]:
    """What kind of name a parameter has, and its declaration with @ for the name."""
    declared = storage.scope.get(actual)
    if declared is None:
        return "in", f"const {stored(element_in(value))} *OPC_RESTRICT @"
    before = declared.removesuffix(actual)
    if "*" not in before:
        return "value", f"{before}@"
    if before.startswith("const "):
        return "in", f"{before}@"
    if is_written or isinstance(value.owner, loop.LocalOp):
        return "out", f"{before}@"
    return "in", f"const {before}@"


@contextlib.contextmanager
def renamed(storage: Storage, outside: dict[SSAValue, Outside]) -> Generator[None]:
    """Write with the names of parameters for what is outside, and count names from 0."""
    if not outside:
        yield
        return
    kept = storage.names, storage.scope, storage.counts
    storage.names = {**storage.names, **{v: Text(o.name) for v, o in outside.items()}}
    storage.scope = {o.name: o.declaration for o in outside.values()}
    storage.counts = {}
    try:
        yield
    finally:
        storage.names, storage.scope, storage.counts = kept
