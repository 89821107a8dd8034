"""C functions of loops.  Loops that are equal but for their buffers have one.

Its parameters are ``in0``, ``in1``, ... for what it only reads, ``out0``, ... for what it writes
and ``value0``, ... for numbers that differ.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Generator, Iterable
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import ARRAYS, element_in
from opc.dialects.loop import root, written
from opc.dialects.loop_form import Form, number_text
from opc.dialects.shape import IndexAttr
from opc.dialects.walking import walk
from opc.support.provenance import nodes
from opc.support.target import THREADS

from .ctext import Text, computed, number, stored
from .wrapping import listed
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
        self.parts: dict[str, Part] = {}
        """The functions that are written, by name."""
        self._equal: defaultdict[str, list[loop.ForOp]] = defaultdict(list)
        self._forms: dict[Operation, Form] = {}
        self._differing: dict[str, set[int]] = {}
        self._common: dict[str, set[int]] = {}

    def find_equal(self, block: Block) -> None:
        """Find the loops of a block that have one function."""
        for op in loop.flat(block):
            if isinstance(op, loop.ForOp) and op.function is not None:
                self._equal[op.function.data].append(op)
        varying: dict[Operation, bool] = {}
        for name, ops in self._equal.items():
            if len(ops) > 1:
                forms = [Form(op, (), varying) for op in ops]
                self._forms |= zip(ops, forms, strict=True)
                texts = [[number_text(v.owner) for v in f.numbers] for f in forms]  # pyright: ignore
                self._differing[name] = {
                    k for k, column in enumerate(zip(*texts, strict=True)) if len({*column}) > 1
                }
                self._common[name] = {
                    k
                    for k, values in enumerate(zip(*(f.outside for f in forms), strict=True))
                    if all(isinstance(v.owner, loop.ConstantOp) for v in values)
                    and len({v.owner.value for v in values}) == 1  # pyright: ignore
                }

    def comment(self, op: loop.ForOp) -> str:
        """The comment of a function that several loops have: the nodes of all of them."""
        assert op.function is not None
        loops = self._equal[op.function.data]
        sources = [nodes(equal.location) for equal in loops]
        kinds = list(dict.fromkeys(kind for _, kind in sources[0]))
        spans = [
            f"#{ordinals[0]}" + (f" to #{ordinals[-1]}" if len(ordinals) > 1 else "")
            for source in sources
            if (ordinals := [ordinal for ordinal, _ in source])
        ]
        if not spans:
            return ""
        purposes = {loop.purpose(equal) for equal in loops}
        nodes_of = f"{listed(kinds)} of nodes {listed(list(dict.fromkeys(spans)))}"
        return about([nodes_of, *(purposes if len(purposes) == 1 else ())])

    def arrays(self, op: loop.ForOp, part: Part) -> dict[str, tuple[str, StackSlot]]:
        """The arrays of the workspace that a function is passed for this loop."""
        slots = self.slots.in_workspace
        placed = (array.owner for array in self._forms[op].arrays if array in slots)
        declared = (o for o in placed if isinstance(o, loop.LocalOp) and loop.function_of(o) is op)
        own = (slots[array.result] for array in declared)
        return {
            name: (type, slot if name in ("parts", "whole") else next(own))
            for name, (type, slot) in part.arrays.items()
        }

    def outside(self, op: loop.ForOp, writer: Writer) -> dict[SSAValue, Outside]:
        """The parameters for values from outside of a loop; none if it alone has its function."""
        if op not in self._forms:
            return {}
        assert op.function is not None
        common, differing = self._common[op.function.data], self._differing[op.function.data]
        changed, form = written([op]), self._forms[op]
        parameters: dict[SSAValue, Outside] = {}
        counts: defaultdict[str, int] = defaultdict(int)
        for position, value in enumerate(form.outside):
            actual = writer.names[value].text
            if position in common and actual not in writer.scope:
                continue
            kind, declaration = _declaration(value, root(value) in changed, actual, writer)
            name = f"{kind}{counts[kind]}"
            counts[kind] += 1
            parameter = Outside(name, declaration.replace("@", name), actual)
            parameters |= dict.fromkeys(form.outside[value], parameter)
        for value, position in form.numbers.items():
            if position in differing:
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


def about(words: Iterable[str]) -> str:
    """The comment of a loop: its nodes and its purpose; empty without words."""
    text = ", ".join(filter(None, words))
    return f"/* {text} */" if text else ""


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


@dataclass(frozen=True)
class StackSlot:
    """Where an array lies: its offset in the workspace, or in the part of a thread."""

    offset: ex.Expr
    is_of_thread: bool


class StackSlots:
    """The slots of the arrays of one function, of which each of some threads has its own."""

    def __init__(self, function: FuncOp, threads: int) -> None:
        self.threads = min(threads, THREADS)
        sizes = function.attributes.get(ARRAYS)
        known = sizes.data if isinstance(sizes, IndexAttr) else (ex.const(0), ex.const(0))
        self.shared_bytes, self.thread_bytes = known
        self.in_workspace: dict[SSAValue, StackSlot] = {}
        self.inside: dict[tuple[Operation, bool], ex.Expr] = {}
        """Where the arrays of functions inside a function begin, those of threads apart, so that no
        two parameters have the same address."""
        for op in walk(function):
            if isinstance(op, loop.LocalOp) and op.offset is not None:
                slot = StackSlot(op.offset.data[0], op.thread is not None)
                self.in_workspace[op.result] = slot
                self._find_inside(op, slot)

    def _find_inside(self, array: loop.LocalOp, slot: StackSlot) -> None:
        """Count an array for the functions around its own."""
        around = loop.function_of(array)
        while around is not None and (around := loop.function_of(around)) is not None:
            key = around, slot.is_of_thread
            # Outside of shared loops, a function gets the parts of all threads.
            has_all_parts = slot.is_of_thread and not loop.is_shared(around)
            offset = ex.const(0) if has_all_parts else slot.offset
            least = self.inside.get(key, offset)
            # One array lies behind the other: their offsets differ by the sizes between them.
            self.inside[key] = offset if ex.is_nonnegative(least - offset) else least

    @property
    def total_bytes(self) -> ex.Expr:
        """The size of all slots."""
        return self.shared_bytes + self.thread_bytes * self.threads
