"""Extents in messages of a call: placeholders for the runtime, or a description in words.

A template has ``{N}`` for an extent of an input, ``{in2[1]}`` for an element of one, and ``{k0}``
for a computed extent, which ``Interface.names`` describes.  A body of control flow has symbols of
its own; if every call passes it the same extents, its messages show those.
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
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import GivenExtentsOp, SymbolSource
from opc.support.locations import node_of

_WORD = re.compile(r"[A-Za-z_]\w*")


class SymbolTexts:
    """Symbols in the messages of one file: placeholders and descriptions."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        """The placeholder of each symbol."""
        self.names: dict[str, str] = {}
        """Descriptions of symbols that have no value in a message."""

    def fill(self, names: Sequence[str]) -> None:
        """Add the extents that callers of the public function pass."""
        self.texts |= {name: f"{{{name}}}" for name in names}

    def element(self, position: int, index: int) -> ex.Expr:
        """The symbol of an element of an input."""
        symbol = f"in{position}_{index}"
        while self.texts.setdefault(symbol, text := f"{{in{position}[{index}]}}") != text:
            symbol += "_"
        return ex.sym(symbol)

    def explained(self, name: str, text: str) -> ex.Expr:
        """The symbol of a computed extent: its own name, unless another one has it."""
        symbol, k = name, 1
        while symbol in self.texts:
            k += 1
            symbol = f"{name}_{k}"
        self.texts[symbol], self.names[symbol] = f"{{{symbol}}}", text
        return ex.sym(symbol)


class Extents:
    """Extents in the messages of one function."""

    def __init__(
        self,
        block: Block,
        inputs: Sequence[SSAValue],
        filled: Sequence[str] | None,
        symbol_texts: SymbolTexts,
    ) -> None:
        """``filled`` are the extents whose values a call knows; None in a body."""
        self.inputs = [] if filled is None else list(inputs)
        self.symbol_texts = symbol_texts
        symbol_texts.fill(filled or ())
        self.callers: list[tuple[Extents, Binding]] = []
        """The callers of a body, and the meaning of its symbols there."""
        self._sources: dict[str, SymbolSource | DataExtentOp] = {}
        for op in block.ops:
            if isinstance(op, SymbolSource) and not isinstance(op, GivenExtentsOp):
                self._sources.update(dict.fromkeys(op.defined, op))
        self._sources.update({op.defined: op for op in data_extents(block)})
        self._known: dict[str, ex.Expr] = {}

    def described(self, e: ex.Expr) -> str:
        """An extent in a message: ``{N}*4``."""
        e = self.meaning(e)
        with shown_as(self.symbol_texts.texts):
            return extent_text(e)

    def filled(self, text: str) -> str:
        """The text of a requirement, with computed extents as in :meth:`described`."""
        return _WORD.sub(
            lambda w: self.described(ex.sym(w[0])) if w[0] in self._sources else w[0], text
        )

    def meaning(self, e: ex.Expr) -> ex.Expr:
        """An extent over symbols of messages."""
        for name in sorted(e.symbols() - self._known.keys()):
            self._known[name] = self._meaning_of(name)
        try:
            return e.substitute(self._known)
        except BudgetExceeded:
            return e

    def _meaning_of(self, name: str) -> ex.Expr:
        op = self._sources.get(name)
        if op is not None:
            read = self._read(op, name)
            text = f"an extent of {node_of(op)}" if node_of(op) else "an extent that is computed"
            return self.symbol_texts.explained(name, text) if read is None else read
        meanings = {at.meaning(b.values[name]) for at, b in self.callers if name in b.values}
        return meanings.pop() if len(meanings) == 1 else ex.sym(name)

    def _read(self, op: Operation, name: str) -> ex.Expr | None:
        """An element of an input, perhaps broadcast; None for other extents."""
        if not isinstance(op, ReadExtentsOp) or op.body is not None or op.count is None:
            return None
        if op.rule.data not in ("plain", "expand") or op.values not in self.inputs:
            return None
        # Axes are counted from the last one, as broadcasting does.
        axis = op.defined.index(name) - len(op.defined)
        around, index = op.extents.data, axis + op.count
        own = around[axis] if -axis <= len(around) else ex.const(1)
        if index < 0:
            return self.meaning(own)
        element = self.symbol_texts.element(self.inputs.index(op.values), index)
        return ex.broadcast(self.meaning(own), element)
