"""Tail duplication: operations behind a choice move into its branches if ranks of results differ.

::

    y = If(c) {squeeze x} else {x}; z = Flatten(y)
      --> z = If(c) {Flatten(squeeze x)} else {Flatten(x)}

Nodes move into the branches one by one, until the results of all branches have the same ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects.named import RESULT_NAMES
from opc.dialects.walking import walk
from opc.errors import UnsupportedError
from opc.frontend.legalize_graphs import outline_block, put
from opc.frontend.legalizer import Legalizer, N
from opc.frontend.models.bodies import Outlined, RankError
from opc.frontend.models.containers import Held
from opc.frontend.models.op_builder import Result
from opc.frontend.verify import shown


class _EntangledError(UnsupportedError):
    """The tail of a choice needs another choice, whose own tail is being determined."""

    def __init__(self, message: str, location: str, op: Operation) -> None:
        super().__init__(message, location)
        self.op = op


class Tail(Generic[N]):
    """The nodes behind a choice that its branches compute, and their results.

    ``branch`` copies a branch, which ends in a yield of the results of the choice.
    """

    def __init__(self, into: Legalizer[N, Any], op: N, branch: Callable[[str], Block]) -> None:
        self.into, self.op, self.branch = into, op, branch
        self.nodes: list[N] = []
        self.others: list[N] = []
        """Other choices in the tail, whose ranks differ, too."""
        self.outputs = [v for v in op.results if v.first_use is not None]
        self.ranks: list[int | None] = [None] * len(self.outputs)
        """The required ranks of results, if known."""

    def precede(self) -> bool:
        """Legalize later nodes that do not need the choice: they may add facts about extents.

        False if a branch replaces the choice already.
        """
        into, at = self.into, self.op.next_op
        if self.op in into.done:
            return False
        while at is not None and at is not into.block.last_op:
            op, at = at, at.next_op
            is_waiting = any(into.waits(v) for v in _operands(op))
            if is_waiting or op in into.done or op in into.extended:
                continue
            self._legalize(op)
        return True

    def _legalize(self, op: Operation) -> None:
        """Move an operation before the choice, and legalize it if it is a node."""
        into = self.into
        op.detach()
        into.block.insert_op_before(op, self.op)
        if isinstance(op, into.written_as):
            into.extended.append(self.op)
            try:
                into.legalize(op)
            finally:
                into.extended.remove(self.op)
            into.finish(op)

    def place(self, name: str, because: str = "") -> None:
        """Replace the choice by a branch.

        ``because`` says why the other branch cannot be taken; errors about extents in this branch
        quote it.
        """
        into, block = self.into, self.branch(name)
        into.written.count(block)
        end = block.last_op
        assert end is not None
        for old, new in zip(self.op.results, list(end.operands), strict=False):
            old.replace_all_uses_with(new)
        block.erase_op(end)
        into.finish(self.op)
        into.kept.append(block)
        before, into.because = into.because, because or into.because
        try:
            put(into, self.op, list(block.ops))
        finally:
            into.because = before

    def outline(self, name: str) -> Outlined:
        """Make a branch with the tail a body of control flow.  Raises the errors of their nodes."""
        block = self.branch(name)
        end = block.last_op
        assert end is not None
        values: dict[SSAValue, SSAValue] = {}
        values.update(zip(self.op.results, end.operands, strict=False))
        for node in self.nodes:
            block.insert_op_before(node.clone(values), end)
        end.operands = [values[v] for v in self.outputs]
        return outline_block(self.into, self.op, block, [], ranks=self.ranks)

    def extend(self, messages: Mapping[int, str], location: str) -> None:
        """Move the users of results whose ranks differ into the branches.

        If the function returns such a result, its rank must be declared; else a RankError with the
        message of that result.
        """
        differing = {self.outputs[k]: message for k, message in messages.items()}
        message = next(iter(messages.values()))
        known = dict(zip(self.outputs, self.ranks, strict=True))
        for value, text in differing.items():
            if (result := self._result(value)) is not None:
                known[value] = self.into.rank(result)
                if known[value] is None:
                    raise RankError(f"{text}{self._about(value, result)}", location, result)
        around = [self._around(use.operation) for value in differing for use in value.uses]
        if any(op.parent is not self.into.block for op in around):
            # An inlined graph yields it whose node still exists.
            raise UnsupportedError(message, location)
        size, is_whole = 2 * len(self.nodes), False
        while not is_whole:
            behind = self._behind({v for op in (self.op, *self.others) for v in op.results})
            users = [
                k for k, n in enumerate(behind) if not differing.keys().isdisjoint(_operands(n))
            ]
            # Doubling limits how often a node is legalized.
            count = max([min(size, len(behind)), *(k + 1 for k in users)])
            self.nodes = [*self.others, *behind[:count]]
            is_whole = not count or self._legalize_others(message, location)
        computed = [v for n in self.nodes for v in n.results]
        self.outputs = [v for v in (*self.op.results, *computed) if self._is_needed(v)]
        self.ranks = [known.get(v) for v in self.outputs]

    def replaced(self, results: Sequence[Result]) -> tuple[Result | None, ...]:
        """Replace the outputs; returns the results of the choice itself."""
        by_output = dict(zip(self.outputs, results, strict=True))
        for value, result in by_output.items():
            if value.owner is self.op:
                continue
            if isinstance(result, Held):
                self.into.held[value] = result
            else:
                value.replace_all_uses_with(result)
        for node in reversed(self.nodes):
            self.into.done.add(node)
            self.into.block.erase_op(node)
        return tuple(by_output.get(v) for v in self.op.results)

    def _behind(self, needed: set[SSAValue]) -> list[N]:
        """The nodes behind the choice that depend on some values, in order."""
        nodes: list[N] = []
        at = self.op.next_op
        while at is not None:
            if isinstance(at, self.into.written_as) and not needed.isdisjoint(_operands(at)):
                needed.update(at.results)
                nodes.append(at)
            at = at.next_op
        return nodes

    def _legalize_others(self, message: str, location: str) -> bool:
        """Legalize nodes between the choice and its tail, which may need them, before the choice.

        False if one is a choice with the same tail: it joins the tail.
        """
        into, at = self.into, self.op.next_op
        while at is not None and at is not self.nodes[-1]:
            op, at = at, at.next_op
            if op in into.extended:
                raise _EntangledError(message, location, self.op)
            if op in self.nodes or op in into.done:
                continue
            try:
                self._legalize(op)
            except _EntangledError as error:
                other = error.op
                is_node = isinstance(other, into.written_as)
                if not is_node or (other is not op and op not in into.done):
                    raise
                self.others.append(other)
                self._put_behind(other)
                return False
        return True

    def _put_behind(self, other: N) -> None:
        """Move the tail of another choice, which a branch replaces, behind this choice."""
        into, last, at = self.into, self.op, other.next_op
        while at is not None and at is not self.op:
            op, at = at, at.next_op
            if isinstance(op, into.written_as) and op not in into.done and op not in self.others:
                op.detach()
                into.block.insert_op_after(op, last)
                last = op

    def _about(self, value: SSAValue, result: int) -> str:
        """Which node gives a result of the function, and how it can be left out."""
        op, of = value.owner, ""
        if isinstance(op, self.into.written_as) and op is not self.op:
            of = f" of {self.into.names_of(op)[0]}"
        names = self.into.function.attributes.get(RESULT_NAMES)
        if not isinstance(names, ArrayAttr):
            return of
        outputs = [name.data for name in cast("ArrayAttr[StringAttr]", names)]
        text = f", or declare it of output {shown(outputs[result])!r}{of}"
        return f"{text}, or leave it out (outputs=)" if len(outputs) > 1 else text

    def _result(self, value: SSAValue) -> int | None:
        """The number of a value among the results of the function, or None."""
        end = self.into.block.last_op
        results = list(end.operands) if isinstance(end, ReturnOp) else []
        return next((k for k, v in enumerate(results) if v is value), None)

    def _is_needed(self, value: SSAValue) -> bool:
        """Whether a value has users outside of the tail."""
        around = (self._around(use.operation) for use in value.uses)
        return any(op not in self.nodes for op in around)

    def _around(self, op: Operation) -> Operation:
        """The operation of the function's block that contains another one."""
        while op.parent is not self.into.block and (parent := op.parent_op()) is not None:
            op = parent
        return op


def _operands(op: Operation) -> set[SSAValue]:
    """The operands of an operation and of those inside of it."""
    return {v for inner in walk(op) for v in inner.operands}
