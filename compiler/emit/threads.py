"""The C functions of loops, and the calls by which threads share them.

Such a loop is a function of a range of iterations, with restrict parameters.  Threads take chunks
of these (``pool.c``) through a function that takes the parameters out of a struct.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from opc.support.target import CREDIT, FORK, JOIN, PATIENCE, PIECES, SPINS, THREADS

from .texts import c_text

GNU = c_text("macros.gnu")
"""What stands before all headers if threads share loops."""


@cache
def pool() -> str:
    """The C text of the threads that share loops: ``pool.c`` with the numbers of the target."""
    return c_text(
        "pool.threads",
        **{"THREADS": THREADS, "PIECES": PIECES, "FORK": FORK, "JOIN": JOIN},
        **{"SPINS": SPINS, "PATIENCE": PATIENCE, "CREDIT": CREDIT},
    )


def parameters(lines: Sequence[str], scope: Mapping[str, str]) -> dict[str, str]:
    """The names in a text, with their declarations, in order of the scope."""
    words = set(re.findall(r"\w+", " ".join(lines)))
    return {name: declaration for name, declaration in scope.items() if name in words}


def part_text(
    name: str, declarations: Sequence[str], lines: Sequence[str], marks: Sequence[str]
) -> str:
    """The function of a range of iterations; ``marks`` are macros that stand before it."""
    declared = ",\n    ".join(["int64_t begin", "int64_t end", *declarations])
    body, mark = "\n".join(lines), "".join(f"{m} " for m in marks)
    return f"{mark}static void {name}(\n    {declared}) {{\n{body}\n}}\n"


@dataclass(frozen=True)
class Field:
    """A parameter of a shared loop: a field of the struct, its value, and the argument."""

    declaration: str
    value: str
    argument: str

    @staticmethod
    def of(name: str, declaration: str, value: str = "") -> Field:
        """A field; its value is the name itself unless another one is passed."""
        return Field(declaration.replace("OPC_RESTRICT ", ""), value or name, f"data->{name}")


def iterations(
    name: str, fields: Sequence[Field], arguments: Sequence[str], before: Sequence[str]
) -> str:
    """The function that a thread calls, and its data; statements ``before`` the call use thread."""
    members = "".join(f"  {f.declaration};\n" for f in fields) or "  char nothing;\n"
    lines = [f"const {name}_data *const data = (const {name}_data *)given;"] if fields else []
    lines += [*(before or ["(void)thread;"]), *([] if fields else ["(void)given;"])]
    lines.append(f"{name}({', '.join(['begin', 'end', *arguments])});")
    body = "\n".join(f"  {text}" for text in lines)
    return (
        f"typedef struct {{\n{members}}} {name}_data;\n\nstatic void {name}_iterations(\n"
        "    const void *given, int64_t begin, int64_t end, int64_t thread) {\n"
        f"{body}\n}}\n"
    )


def share(
    name: str, fields: Sequence[Field], bounds: Sequence[str], most: str, work: str
) -> list[str]:
    """The statements that share a loop among at most ``most`` threads.

    ``bounds`` are begin, end and what threads divide by; ``work`` is what the loop costs.
    """
    values = ", ".join(f.value for f in fields) or "0"
    arguments = ", ".join([f"{name}_iterations", "&data", *bounds, most, work])
    return ["{", f"  const {name}_data data = {{{values}}};", f"  opc_share({arguments});", "}"]


def shared_function(
    name: str,
    fields: Sequence[Field],
    bounds: Sequence[str],
    most: str,
    work: str,
) -> tuple[str, str]:
    """The function that shares a loop that several callers have, and its call."""
    own = [Field(f.declaration, f.argument.removeprefix("data->"), f.argument) for f in fields]
    lines = [line.removeprefix("  ") for line in share(name, own, bounds, most, work)[1:-1]]
    known = {f.value for f in own}
    words = dict.fromkeys(re.findall(r"\b[nme][0-9]+\b", " ".join(lines)))
    sizes = [word for word in words if word not in known]
    declarations = [*(f"int64_t {word}" for word in sizes), *(f.declaration for f in own)]
    declared = ",\n    ".join(declarations)
    body = "\n".join(f"  {line}" for line in lines)
    values = [*sizes, *(f.value for f in fields)]
    return (
        f"static void {name}_shared(\n    {declared or 'void'}) {{\n{body}\n}}\n",
        f"{name}_shared({', '.join(values)});",
    )
