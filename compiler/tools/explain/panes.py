"""IR and C as blocks of lines with the nodes that they came from, cut to a readable length."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer

from opc.dialects.blob import BlobAttr
from opc.support.provenance import nodes

PANE = 200_000
"""Characters of a pane; where there are more, long blocks show their beginning and end."""
LONGEST = 240
"""Characters of a line."""
VALUES = 8
"""Values of a constant that are shown; weights are not."""
LINES = (10_000, 200, 100, 50, 25, 12, 6, 3)
"""Lines that a block may have, from the most on, until a pane is small enough."""
NO_ORIGIN = 12
"""Lines of a block that came from no node, such as helper functions in C."""

Origin = tuple[tuple[int, ...], bool]
"""The nodes of a block, and whether these only use it."""
NOWHERE: Origin = ((), False)

_ARRAY = re.compile(r"(static const \w+ \w+\[(\d+)\] = )\{[^}]*\}")


@dataclass(frozen=True)
class Block:
    """Lines next to each other that came from the same nodes."""

    lines: tuple[str, ...]
    nodes: tuple[int, ...] = ()
    is_used: bool = False
    """Whether it is a constant or a buffer of no node by itself, which has those that use it."""
    first: int = 1
    """The number of the first line in its file."""


@dataclass(frozen=True)
class Pane:
    """A text in blocks."""

    name: str
    blocks: tuple[Block, ...]


class _Located(Printer):
    """Prints IR without weights, and remembers where the operations of functions are."""

    def __init__(self, text: io.StringIO) -> None:
        super().__init__(stream=text)
        self.text = text
        self.places: list[tuple[int, int, Operation]] = []

    def print_op(self, op: Operation) -> None:
        """Print it, and remember where."""
        start = self.text.tell()
        super().print_op(op)
        if isinstance(op.parent_op(), FuncOp):
            self.places.append((start, self.text.tell(), op))

    def print_attribute(self, attribute: Attribute) -> None:
        """Print it, without the values of what may be weights."""
        original = attribute
        if isinstance(attribute, BlobAttr):
            self.print_string("#opc.blob<")
            super().print_attribute(attribute.type)
            self.print_string(f", {attribute.data.size} bytes>")
            return
        if isinstance(attribute, DenseIntOrFPElementsAttr):
            count = math.prod(attribute.get_shape())
            if count > VALUES:
                self.print_string(f"dense<... {count} values ...> : ")
                super().print_attribute(attribute.get_type())
                return
        super().print_attribute(original)


def ir_pane(name: str, module: ModuleOp) -> Pane:
    """The text of a module, with a block for each operation of its functions."""
    text = io.StringIO()
    printer = _Located(text)
    printer.print_op(module)
    written = text.getvalue()
    lines = written.split("\n")
    origins: list[Origin] = [NOWHERE] * len(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    at = 0
    for start, end, op in printer.places:
        while starts[at + 1] <= start:
            at += 1
        last = at
        while starts[last + 1] < end:
            last += 1
        origins[at : last + 1] = [origin(op)] * (last + 1 - at)
    return Pane(name, tuple(_shortened(_blocks(lines, origins))))


def origin(op: Operation) -> Origin:
    """The nodes that an operation came from; of a buffer or a constant, those of what uses it."""
    own = {ordinal for ordinal, _ in nodes(op.location)}
    if own:
        return tuple(sorted(own)), False
    users = (use.operation for result in op.results for use in result.uses)
    of_users = {ordinal for user in users for ordinal, _ in nodes(_outermost(user).location)}
    return tuple(sorted(of_users)), True


def _outermost(op: Operation) -> Operation:
    """The operation of a function that one is in."""
    while (around := op.parent_op()) is not None and not isinstance(around, FuncOp):
        op = around
    return op


def c_pane(source: str, steps: Iterable[tuple[Sequence[int], tuple[int, ...]]]) -> Pane:
    """C, with the numbers of the lines of each step and its nodes."""
    lines = source.split("\n")
    origins: list[Origin] = [NOWHERE] * len(lines)
    for numbers, ordinals in steps:
        for number in numbers:
            origins[number] = ordinals, False
    blocks = [_without_values(block) for block in _blocks(lines, origins)]
    return Pane("C", tuple(_shortened(blocks)))


def _without_values(block: Block) -> Block:
    """Constants in C text with their number of values in place of these."""

    def few(match: re.Match[str]) -> str:
        if int(match[2]) <= VALUES:
            return match[0]
        # As many lines as before, so that their numbers stay those of the file.
        return f"{match[1]}{{/* {match[2]} values */" + "\n" * match[0].count("\n") + "}"

    return replace(block, lines=tuple(_ARRAY.sub(few, "\n".join(block.lines)).split("\n")))


def _blocks(lines: Sequence[str], origins: Sequence[Origin]) -> list[Block]:
    blocks: list[Block] = []
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or origins[end] != origins[start]:
            blocks.append(Block(tuple(lines[start:end]), *origins[start], start + 1))
            start = end
    return blocks


def _shortened(blocks: Sequence[Block]) -> list[Block]:
    """Blocks that are together no longer than a pane may be."""
    cut = [replace(b, lines=tuple(map(_cut, b.lines))) for b in blocks]
    shortened: list[Block] = []
    for most in LINES:
        shortened = [part for block in cut for part in _folded(block, most)]
        if sum(len(line) + 1 for block in shortened for line in block.lines) <= PANE:
            return shortened
    kept: list[Block] = []
    room = PANE
    for number, block in enumerate(shortened):
        room -= sum(len(line) + 1 for line in block.lines)
        if room < 0:
            rest = sum(len(b.lines) for b in shortened[number:])
            return [*kept, Block((f"... {rest} lines more",), first=block.first)]
        kept.append(block)
    return kept


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST else line[: LONGEST - 4] + " ..."


def _folded(block: Block, most: int) -> list[Block]:
    """A block with so many lines at most, as two with a line between that says what is missing."""
    most = most if block.nodes else min(most, NO_ORIGIN)
    missing = len(block.lines) - most
    if missing <= 1:
        return [block]
    tail = min(most // 3, 4)
    head = most - tail
    indent = re.match(" *", block.lines[head])
    note = f"{indent[0] if indent else ''}... {missing} lines more ..."
    first = replace(block, lines=(*block.lines[:head], note))
    if not tail:
        return [first]
    last = len(block.lines) - tail
    return [first, replace(block, lines=block.lines[last:], first=block.first + last)]
