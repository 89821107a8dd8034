"""Finding the steps of a function while its statements are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from opc.support.provenance import nodes

from .steps import ENDING, NO_WORK, STEP, STEP_TEXT, Step

if TYPE_CHECKING:
    from .statements import Statements


class Writing:
    """The step that is being written."""

    def __init__(self, statements: Statements) -> None:
        self.s = statements
        self.begin(len(statements.lines))

    def begin(self, line: int) -> None:
        """Let the step have what is written from that line on."""
        self.ops: list[Operation] = []
        self.line, self.part = line, len(self.s.parts)

    def add(self, op: Operation) -> None:
        """Take an operation that has just been written."""
        self.ops.append(op)
        if isinstance(op, ENDING):
            self.end()

    def end(self) -> None:
        """End the step, if it does anything."""
        s = self.s
        working = [op for op in self.ops if not isinstance(op, NO_WORK)]
        if not working:
            return
        steps = s.shared.steps
        found = {node for op in working for node in nodes(op.location)}
        step = Step(
            number=len(steps.found),
            ops=tuple(self.ops),
            nodes=tuple(sorted(found)),
            function=s.name if s.is_body else f"{s.name}_run",
            lines=tuple(s.lines[self.line :]),
            parts=tuple(s.parts[self.part :]),
            part=f"{s.name}_loop{self.part}" if len(s.parts) > self.part else "",
        )
        steps.found.append(step)
        if steps.is_timed:
            s.shared.lanes.setdefault(STEP, STEP_TEXT)
            s.line(f"{STEP}({step.number});")
        self.begin(len(s.lines))
