"""C functions of loops.  Loops that are equal but for their buffers have one.

Its parameters are ``in0``, ``in1``, ... for what it only reads, ``out0``, ... for what it writes
and ``value0``, ... for numbers that differ.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Generator, Hashable
from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import body, loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.loop import root, written

from .ctext import Text, computed, number, stored
from .stack_allocation import StackSlot, StackSlots
from .writer import Writer


@dataclass
class Part:
    """The C function of a loop, or of several equal ones."""

    name: str
    parameters: dict[str, str]
    """Their declarations by name, those of arrays aside."""
    arrays: dict[str, tuple[str, StackSlot]]
    """The types and slots, for the first loop, of its arrays in the workspace."""


@dataclass(frozen=True)
class Outside:
    """A parameter of a function for several loops, and the argument for one of them."""

    name: str
    declaration: str
    actual: str


class Outlining:
    """The C functions of the loops of one block."""

    def __init__(self, slots: StackSlots) -> None:
        self.slots = slots
        self.equal = slots.equal
        self._parts: dict[Hashable, Part] = {}

    def _key(self, op: loop.ForOp) -> Hashable:
        """What the C function of a loop depends on, the slots of its arrays included."""
        form, slots = self.equal.forms[op], self.slots
        positions = {array: k for k, array in enumerate(form.arrays)}
        arrays: list[Hashable] = []
        for array in positions:
            slot, twin = slots.in_workspace.get(array), slots.twins.get(array)
            # The text has the offset of an array in the part of a thread.
            offset = slot.offset if slot is not None and slot.is_of_thread else None
            arrays.append((slot is None, offset, None if twin is None else positions[twin]))
        kinds = [(slots.functions.get(inner), inner in slots.apart) for inner in form.loops]
        # The text has the addresses of arrays of functions in this one, too.
        has_inner = any(
            array in slots.in_workspace and slots.function_of(array) is not op
            for array in positions
        )
        return id(op if has_inner else self.equal.like[op]), *arrays, *kinds

    def part(self, op: loop.ForOp) -> Part | None:
        """The function that was written for an equal loop, if any."""
        return self._parts.get(self._key(op)) if op in self.equal.like else None

    def keep(self, op: loop.ForOp, part: Part) -> None:
        """Remember the function of a loop."""
        if op in self.equal.like:
            self._parts[self._key(op)] = part

    def arrays(self, op: loop.ForOp, part: Part) -> dict[str, tuple[str, StackSlot]]:
        """The arrays of the workspace that a function is passed for this loop."""
        slots = self.slots.in_workspace
        own = iter([slots[array] for array in self.equal.forms[op].arrays if array in slots])
        return {
            name: (type, slot if name in ("parts", "whole") else next(own))
            for name, (type, slot) in part.arrays.items()
        }

    def outside(self, op: loop.ForOp, writer: Writer) -> dict[SSAValue, Outside]:
        """The parameters for values from outside of a loop; none if no loop is equal to it."""
        if op not in self.equal.like:
            return {}
        changed, form = written([op]), self.equal.forms[op]
        parameters: dict[SSAValue, Outside] = {}
        counts: defaultdict[str, int] = defaultdict(int)
        for position, value in enumerate(form.outside):
            actual = writer.names[value].text
            if self.equal.is_common(op, position) and actual not in writer.scope:
                continue
            kind, declaration = _declaration(value, root(value) in changed, actual, writer)
            name = f"{kind}{counts[kind]}"
            counts[kind] += 1
            parameter = Outside(name, declaration.replace("@", name), actual)
            parameters |= dict.fromkeys(form.outside[value], parameter)
        for value, position in form.numbers.items():
            if position in self.equal.differing(op):
                assert isinstance(value.owner, body.ConstantOp)
                type, name = scalar_type(value), f"value{counts['value']}"
                counts["value"] += 1
                actual = number(value.owner.number, type).text
                parameters[value] = Outside(name, f"const {computed(type)} {name}", actual)
        return parameters


def _declaration(value: SSAValue, is_written: bool, actual: str, writer: Writer) -> tuple[str, str]:
    """The stem of the name of a parameter, and its declaration with @ for the name."""
    declared = writer.scope.get(actual)
    if declared is None:
        return "in", f"const {stored(element_in(value))} *OPC_RESTRICT @"
    type = declared.removesuffix(actual)
    if "*" not in type:
        return "value", f"{type}@"
    if type.startswith("const "):
        return "in", f"{type}@"
    if is_written or isinstance(value.owner, loop.LocalOp):
        return "out", f"{type}@"
    return "in", f"const {type}@"


@contextlib.contextmanager
def renamed(writer: Writer, outside: dict[SSAValue, Outside]) -> Generator[None]:
    """Write with parameters in place of values from outside, and count names from 0."""
    if not outside:
        yield
        return
    kept = writer.names, writer.scope, writer.counts
    writer.names = {**writer.names, **{v: Text(o.name) for v, o in outside.items()}}
    writer.scope = {o.name: o.declaration for o in outside.values()}
    writer.counts = {}
    try:
        yield
    finally:
        writer.names, writer.scope, writer.counts = kept
