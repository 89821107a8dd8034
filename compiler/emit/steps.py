"""The steps of a C file: its outermost loops, one after the other, and where each is in the text.

With ``is_timed`` each step ends with a call that writes down when that was, in an array that the
caller of ``P_log`` provides::

    int64_t P_log(int64_t *log, int64_t room)

From then on, calls of ``P_run`` from the same thread write pairs of a step and of a time in
nanoseconds: -1 where a call begins, then each step as it ends, as far as there is ``room`` for
pairs.  It returns how many pairs there were for, written or not, since it was called before.  A
file that is not timed has nothing of this.
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

ENDING = (loop.ForOp, loop.IfOp, loop.TransposeOp, loop.NonTemporalOp, ControlOp)
"""What is a step, with what stands in front of it."""
NO_WORK = (
    *(loop.ConstantOp, loop.SliceOp, loop.ViewOp, loop.LocalOp, loop.PrefetchOp),
    *(body.ConstantOp, body.IndexOp, ReturnOp),
)
"""What takes no time by itself, or next to none."""
BEGIN = -1
"""Stands for the beginning of a call."""

POSIX = "#define _POSIX_C_SOURCE 200112L /* clock_gettime */\n#include <time.h>\n"
STEP = "opc_step"
STEP_TEXT = """\
/* Where the steps that end are written: pairs of a number and a time in nanoseconds. */
static __thread int64_t *opc_step_log;
static __thread int64_t opc_step_room, opc_step_count;

static void opc_step(int64_t step) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (opc_step_count < opc_step_room) {
    opc_step_log[2 * opc_step_count] = step;
    opc_step_log[2 * opc_step_count + 1] = (int64_t)now.tv_sec * 1000000000 + (int64_t)now.tv_nsec;
  }
  ++opc_step_count;
}
"""
LOG = """\
/* Let calls from this thread write the steps that end into an array with room for so many pairs;
   how many have ended since it was called before. */
int64_t {name}(int64_t *log, int64_t room) {{
  const int64_t length = opc_step_count;
  opc_step_log = log;
  opc_step_room = log != NULL ? room : 0;
  opc_step_count = 0;
  return length;
}}
"""


@dataclass(frozen=True)
class Step:
    """A step: its operations and its text."""

    number: int
    ops: tuple[Operation, ...]
    nodes: tuple[tuple[int, str], ...]
    """The ordinal and kind of each source node that it came from."""
    function: str
    """The C function that does it, or calls its part."""
    lines: tuple[str, ...]
    """Its lines there."""
    parts: tuple[str, ...]
    """The texts of the C functions that it has for itself."""
    part: str
    """The name of the first of them; empty if there is none."""


@dataclass
class Steps:
    """The steps of a file, as they are written."""

    is_timed: bool = False
    found: list[Step] = field(default_factory=list[Step])


def line_numbers(source: str, steps: Sequence[Step]) -> list[list[int]]:
    """For each step the numbers of its lines in a C file, from 0.

    Raises ValueError if the text is not that of the steps.
    """
    starts: dict[str, int] = {}
    found: list[list[int]] = []
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
        found.append(numbers)
    return found


def _numbers(source: str, text: str, start: int) -> tuple[int, list[int]]:
    """Where a text ends behind a place, and the numbers of its lines."""
    at = source.index(text, start)
    first = source.count("\n", 0, at)
    return at + len(text), list(range(first, first + 1 + text.count("\n")))
