"""The steps of a C file: its outermost loops, one after the other, and where each is in the text.

With ``is_timed`` each step ends with a call that writes the time into an array that the caller of
``P_log`` provides::

    int64_t P_log(int64_t *log, int64_t room)

From then on, calls of ``P_run`` from the same thread write pairs of a step and a time in
nanoseconds: -1 where a call begins, then each step as it ends, up to ``room`` pairs.  ``P_log``
returns how many pairs there were, written or not, since its last call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation

from opc.dialects import body, loop
from opc.dialects.opc.control import ControlOp

from .indices import is_data_line
from .wrapping import wrapped

ENDING = (loop.ForOp, loop.IfOp, loop.TransposeOp, loop.NonTemporalOp, loop.LookUpOp, ControlOp)
"""Operations that end a step; it begins after the step before."""
NO_WORK = (
    *(loop.ConstantOp, loop.SliceOp, loop.ViewOp, loop.LocalOp, loop.PrefetchOp),
    *(body.ConstantOp, body.IndexOp, ReturnOp),
)
"""Operations that take next to no time."""
BEGIN = -1
"""The number of the beginning of a call."""

POSIX = "#define _POSIX_C_SOURCE 200112L /* clock_gettime */\n#include <time.h>\n"
STEP = "opc_step"


@dataclass(frozen=True)
class Step:
    """A step: its operations and its text."""

    number: int
    ops: tuple[Operation, ...]
    nodes: tuple[tuple[int, str], ...]
    """The ordinal and kind of each source node that it came from."""
    function: str
    """The C function that has its lines."""
    lines: tuple[str, ...]
    parts: tuple[str, ...]
    """The texts of the C functions of its loops."""
    part: str
    """The name of the first of these; empty if there is none."""


@dataclass
class Steps:
    """The steps of a file that is being written."""

    is_timed: bool = False
    done: list[Step] = field(default_factory=list[Step])


def line_numbers(source: str, steps: Sequence[Step]) -> list[list[int]]:
    """For each step the numbers of its lines in a C file, from 0.

    Raises ValueError if ``source`` does not have the steps.
    """
    starts: dict[str, int] = {}
    lines_of: list[list[int]] = []
    for step in steps:
        if step.function not in starts:
            starts[step.function] = source.index(f" {step.function}(\n")
        numbers: list[int] = []
        for text in step.parts:
            numbers += _numbers(source, wrapped(text.rstrip("\n")), 0)[1]
        for is_data_dependent, lines in groupby(step.lines, is_data_line):
            if not is_data_dependent:
                text = wrapped("\n".join(lines))
                starts[step.function], own = _numbers(source, text, starts[step.function])
                numbers += own
        lines_of.append(numbers)
    return lines_of


def _numbers(source: str, text: str, start: int) -> tuple[int, list[int]]:
    """Where a text ends that begins at ``start`` or later, and the numbers of its lines."""
    at = source.index(text, start)
    first = source.count("\n", 0, at)
    return at + len(text), list(range(first, first + 1 + text.count("\n")))
