"""``opc tune``: measure schedules of a graph's nests, and keep the fastest in a file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from opc.errors import UsageError

from .cli import (
    add_extents,
    add_graph_arguments,
    budgets,
    chosen_extents,
    one_function,
    options_of,
)
from .files import require_place, say_written, write_all
from .progress import shown

if TYPE_CHECKING:
    from opc.tune.search import Report

_EPILOG = """\
Matrix products, convolutions and reductions are tuned.  Each different one is measured by itself,
with its own extents and random inputs.  All schedules give the same bits.

The file is text, a row for each nest and machine.  Nests that have a row for this machine are not
measured again.  Files may be concatenated: the last row of a nest counts.  'opc compile --tuned
FILE' uses it, and so do the other commands, and opc.compile(..., tuned="FILE").

Products of unknown extents are measured where --extent says what these are.
"""
SECONDS = 120.0
"""The usual budget."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Measures schedules, and writes the fastest into a tuning file."
    parser.epilog = _EPILOG
    add_graph_arguments(parser, prints=False, has_budget=False)
    parser.add_argument(
        "--budget",
        metavar="SECONDS",
        type=_budget,
        action="append",
        default=[],
        help=f"how long to measure; default: {SECONDS:g}.  NAME=N,... is that of 'opc compile'",
    )
    parser.add_argument(
        "-o", dest="output", metavar="FILE", help="the file; default: the graph's name with .tuning"
    )
    add_extents(parser, of="nests that are measured")


def run(args: argparse.Namespace) -> int:
    """Measure, print and write; returns the exit code."""
    chosen = [n for n in args.budget if isinstance(n, float)]
    limits: dict[str, int] = {}
    for part in args.budget:
        limits |= {} if isinstance(part, float) else part
    args.budget = limits
    name = "graph" if args.graph == "-" else Path(args.graph).stem
    output = Path(args.output or f"{name}.tuning")
    if args.tuned is not None:
        raise UsageError("--tuned: -o names the file whose rows are known")
    require_place(output)
    args.tuned = str(output) if output.exists() else None
    with shown(args, redraw=False) as report:
        from opc.api.driver import lower
        from opc.api.inputs import in_file
        from opc.api.tuning import tune

        report("reading")
        options = options_of(args, report)
        with one_function(args):
            graph = in_file(args.graph)
            lowered = lower(graph, options, args.function) if args.extent else None
            sizes = {} if lowered is None else chosen_extents(args, lowered)
            seconds = chosen[-1] if chosen else SECONDS
            tuning, done = tune(graph, seconds, args.function, options, sizes)
    _print(done)
    say_written(write_all(output.parent, {output.name: tuning.text.encode()}))
    return 0


def _budget(text: str) -> float | dict[str, int]:
    """Seconds, or the limits that other commands have."""
    if "=" in text:
        return budgets(text)
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 10**6:
        raise argparse.ArgumentTypeError(
            f"found {text[:40]!r}, expected a number of seconds above 0, at most 1000000"
        )
    return seconds


def _print(report: Report) -> None:
    for row in report.rows:
        ratio = row.planned / row.seconds
        print(
            f"{row.planned * 1e3:10.3f} ms {row.seconds * 1e3:10.3f} ms {ratio:5.2f}  {row.about}"
        )
    notes = {
        "were in the file": report.known,
        "have unknown extents, which --extent can give": report.unknown,
        "are left, for which there was no time (--budget)": report.left,
    }
    for note, number in notes.items():
        if number:
            print(f"{number} nests {note}")
