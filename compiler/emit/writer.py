"""The text of a C function that is being written: lines, and the names that they use."""

from __future__ import annotations

from xdsl.ir import SSAValue

from .ctext import PREDEFINED, Text
from .indices import Indices
from .shared import Shared


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

    def line(self, text: str) -> None:
        """Add one line at the current depth."""
        self.lines.append("  " * self.depth + text)
