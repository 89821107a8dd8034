"""Extents in messages of a call: what the runtime fills in, or what they are, in words.

A template has ``{N}`` for an extent of an input, ``{in2[1]}`` for an element of one, and ``{k0}``
for an extent that is computed, which the names of the interface explain.  A body of control flow
has symbols of its own: where every call gives it the same extents, its messages say those.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects.budgets import BudgetExceeded
from opc.dialects.extent_text import extent_text, shown_as
from opc.dialects.opc.control import Binding
from opc.dialects.opc.data_extent import DataExtentOp, data_extents
from opc.dialects.opc.given import GivenExtentsOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import SymbolSource
from opc.support.locations import node_of

_WORD = re.compile(r"[A-Za-z_]\w*")


class Said:
    """What the messages of one file say of symbols: how they are written, and what they are."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        """How symbols of messages are written."""
        self.names: dict[str, str] = {}
        """What those are that have no value in a message."""

    def fill(self, names: Sequence[str]) -> None:
        """Take in the extents that a call of the public function is given."""
        self.texts |= {name: f"{{{name}}}" for name in names}

    def element(self, position: int, place: int) -> ex.Expr:
        """The symbol of an element of an input."""
        symbol = f"in{position}_{place}"
        while self.texts.setdefault(symbol, text := f"{{in{position}[{place}]}}") != text:
            symbol += "_"
        return ex.sym(symbol)

    def explained(self, name: str, text: str) -> ex.Expr:
        """The symbol of an extent that is computed: its own name, if no other one has it."""
        symbol, k = name, 1
        while symbol in self.texts:
            k += 1
            symbol = f"{name}_{k}"
        self.texts[symbol], self.names[symbol] = f"{{{symbol}}}", text
        return ex.sym(symbol)


class Extents:
    """What messages of one function say of extents."""

    def __init__(
        self, block: Block, inputs: Sequence[SSAValue], filled: Sequence[str] | None, said: Said
    ) -> None:
        """``filled`` are the extents that a call has values for, None in a body."""
        self.inputs = [] if filled is None else list(inputs)
        self.said = said
        said.fill(filled or ())
        self.callers: list[tuple[Extents, Binding]] = []
        """What calls a body, and what its symbols are there."""
        self._sources: dict[str, SymbolSource | DataExtentOp] = {}
        for op in block.ops:
            if isinstance(op, SymbolSource) and not isinstance(op, GivenExtentsOp):
                self._sources.update(dict.fromkeys(op.defined, op))
        self._sources.update({op.defined: op for op in data_extents(block)})
        self._known: dict[str, ex.Expr] = {}

    def described(self, e: ex.Expr) -> str:
        """An extent in a message: ``{N}*4``."""
        meant = self.meaning(e)
        with shown_as(self.said.texts):
            return extent_text(meant)

    def filled(self, text: str) -> str:
        """What a requirement says, with what is computed as in :meth:`described`."""
        return _WORD.sub(
            lambda w: self.described(ex.sym(w[0])) if w[0] in self._sources else w[0], text
        )

    def meaning(self, e: ex.Expr) -> ex.Expr:
        """An extent in symbols of messages."""
        for name in sorted(e.symbols() - self._known.keys()):
            self._known[name] = self._found(name)
        try:
            return e.substitute(self._known)
        except BudgetExceeded:
            return e

    def _found(self, name: str) -> ex.Expr:
        op = self._sources.get(name)
        if op is not None:
            read = self._read(op, name)
            what = f"an extent of {node_of(op)}" if node_of(op) else "an extent that is computed"
            return self.said.explained(name, what) if read is None else read
        meanings = {at.meaning(b.values[name]) for at, b in self.callers if name in b.values}
        return meanings.pop() if len(meanings) == 1 else ex.sym(name)

    def _read(self, op: Operation, name: str) -> ex.Expr | None:
        """An element of an input, broadcast to an extent or not; None where more is computed."""
        if not isinstance(op, ReadExtentsOp) or op.body is not None or op.count is None:
            return None
        if op.rule.data not in ("plain", "expand") or op.values not in self.inputs:
            return None
        # Axes are counted from the last one, as broadcasting does.
        axis = op.defined.index(name) - len(op.defined)
        around, place = op.extents.data, axis + op.count
        own = around[axis] if -axis <= len(around) else ex.const(1)
        if place < 0:
            return self.meaning(own)
        element = self.said.element(self.inputs.index(op.values), place)
        return ex.broadcast(self.meaning(own), element)
