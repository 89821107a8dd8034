"""Records the steps of a function while its statements are written."""

from __future__ import annotations

from xdsl.ir import Operation

from opc.support.provenance import nodes

from .steps import ENDING, NO_WORK, STEP, Step
from .writer import Writer


class StepWriter:
    """The step that is being written."""

    def __init__(self, writer: Writer) -> None:
        self.w = writer
        self.begin(len(writer.lines))

    def begin(self, line: int) -> None:
        """Begin the step at a line."""
        self.ops: list[Operation] = []
        self.line, self.part = line, len(self.w.parts)

    def add(self, op: Operation) -> None:
        """Add an operation that has just been written."""
        self.ops.append(op)
        if isinstance(op, ENDING):
            self.end()

    def end(self) -> None:
        """End the step, if any of its operations takes time."""
        w = self.w
        working = [op for op in self.ops if not isinstance(op, NO_WORK)]
        if not working:
            return
        steps = w.shared.steps
        sources = {node for op in working for node in nodes(op.location)}
        step = Step(
            number=len(steps.done),
            ops=tuple(self.ops),
            nodes=tuple(sorted(sources)),
            function=w.name if w.is_body else f"{w.name}_run",
            lines=tuple(w.lines[self.line :]),
            parts=tuple(w.parts[self.part :]),
            part=f"{w.name}_loop{self.part}" if len(w.parts) > self.part else "",
        )
        steps.done.append(step)
        if steps.is_timed:
            w.line(f"{w.shared.macro(STEP)}({step.number});")
        self.begin(len(w.lines))
