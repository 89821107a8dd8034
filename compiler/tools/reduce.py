"""``opc reduce``: the smallest graph that fails as a given one does."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from opc.errors import OpcError, UsageError

from .cli import add_graph_arguments, count, options_of, read_graph
from .files import say_written, write_all
from .verify import add_input_arguments, chosen_inputs

if TYPE_CHECKING:
    from opc.oracle.edit import Candidate
    from opc.oracle.subject import Subject

_EPILOG = """\
A graph fails if it gives other results than its interpreter, as opc verify sees it, if the
compiled function crashes, or if compiling does.  With --test it fails if CMD GRAPH INPUTS ends with
exit code 0, where GRAPH is an .mlir file and INPUTS an .npz file.

Results are dropped, values become arguments, operands take the place of operators, extents and
ranks shrink, elements become 0 or 1: as long as the graph fails in the same way.  The same graph,
inputs and options give the same smaller graph, unless time is up before.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Makes a graph that fails, and its inputs, as small as possible."
    parser.epilog = _EPILOG
    add_graph_arguments(parser, prints=False)
    add_input_arguments(parser)
    parser.add_argument(
        "--out",
        metavar="FILE",
        default="reduced.mlir",
        help="the .mlir file to write, and an .npz file beside it; default: reduced.mlir",
    )
    parser.add_argument("--test", metavar="CMD", help="a command that says whether a graph fails")
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=count,
        default=120,
        help="stop after so long, with what was found; default: 120",
    )


def run(args: argparse.Namespace) -> int:
    """Find inputs that fail, shrink, and write; returns the exit code."""
    output = Path(args.out)
    if output.suffix != ".mlir":
        raise UsageError(f"--out: {args.out} does not end in .mlir")
    module = read_graph(args)
    from opc.oracle import failure
    from opc.oracle.shrink import shrink
    from opc.oracle.subject import Subject

    subject = Subject.of(module, args.function, options_of(args))
    start, fails, how = _failing(subject, args)
    best = shrink(start, fails, args.seconds)
    print(f"it {how}")
    print(f"from {_sizes(start)}")
    print(f"to   {_sizes(best)}")
    say_written(write_all(output.parent, failure.files(best, output.stem)))
    return 0


def _sizes(candidate: Candidate) -> str:
    elements = sum(x.size for x in candidate.inputs)
    return (
        f"{len(candidate.operators)} operators, {len(candidate.results)} results, "
        f"{len(candidate.inputs)} inputs of {elements} elements"
    )


def _failing(
    subject: Subject, args: argparse.Namespace
) -> tuple[Candidate, Callable[[Candidate], bool], str]:
    """A failing graph with its inputs, a test for the same failure, and the kind of failure.

    Raises UsageError if it fails on none.
    """
    from opc.oracle import failure
    from opc.oracle.edit import Candidate

    tried = 0
    with contextlib.suppress(Exception):
        # Built once here, not in every child; the children report what it raises.
        assert args.test or (subject.loops and subject.compiled)
    for inputs in chosen_inputs(subject, args):
        start = Candidate(subject.module, inputs.arrays)
        tried += 1
        if args.test is not None:
            if failure.by_command(args.test, start):
                return start, lambda c: failure.by_command(args.test, c), "fails the test"
            continue
        for interpreted in (True, False):
            how = failure.guarded(start, subject, interpreted)
            if how is not None:
                return start, _fails_so(how, subject, interpreted), how
    what = f"--test: {args.test} does not end with 0" if args.test else "the graph does not fail"
    raise UsageError(f"{what} on any of {tried} inputs; opc verify --help says which there are")


def _fails_so(how: str, subject: Subject, interpreted: bool) -> Callable[[Candidate], bool]:
    from opc.oracle import failure

    def fails(candidate: Candidate) -> bool:
        smaller = candidate.subject(subject.options)
        try:
            return failure.guarded(candidate, smaller, interpreted) == how
        except OpcError:
            return False

    return fails
