"""The text of a C function that is being written: lines, and the names that they use."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from opc.support.provenance import nodes

from .ctext import PREDEFINED, Text
from .indices import Indices
from .shared import Shared
from .steps import ENDING, NO_WORK, STEP, Step


class Writer:
    """Adds lines to a C function."""

    def __init__(self, shared: Shared, indices: Indices, name: str) -> None:
        self.shared = shared
        self.indices = indices
        self.name = name
        self.is_body = False
        """Whether the function is a body of control flow."""
        self.lines: list[str] = []
        self.depth: int = 1
        self.parts: list[str] = []
        """The C functions of its loops."""
        self.names: dict[SSAValue, Text] = {}
        self.scope: dict[str, str] = {}
        """The names that C sees here, each as a parameter would declare it."""
        self.counts: dict[str, int] = {}
        """How many names there are of each kind."""

    def fresh(self, prefix: str) -> str:
        """A new identifier, which is no macro that a compiler predefines."""
        name = f"{prefix}{self.counts.setdefault(prefix, 0)}"
        self.counts[prefix] += 1
        return self.fresh(prefix) if name in PREDEFINED else name

    def declare(self, name: str, type: str, pointer: bool = False) -> None:
        """Declare a name until the end of the block."""
        self.scope[name] = f"{type} *OPC_RESTRICT {name}" if pointer else f"{type} {name}"

    def define(self, type: str, name: str, value: object) -> None:
        """Write the definition of a constant."""
        self.line(f"const {type} {name} = {value};")
        self.declare(name, type)

    def line(self, text: str) -> None:
        """Add one line at the current depth."""
        self.lines.append("  " * self.depth + text)


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
