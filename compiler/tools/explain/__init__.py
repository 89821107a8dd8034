"""``opc explain``: a page that shows a graph, its IR at every stage and its C, in step."""

from __future__ import annotations

import argparse
from pathlib import Path

from opc.tools.cli import add_extents, add_graph_arguments, count, one_function, options_of
from opc.tools.files import say_written, write_all
from opc.tools.progress import shown

_EPILOG = """\
The page is one file that needs no server and no network: open it in a browser.  A click on a node
lights up what came from it: in the IR at each stage, in the C, and among the loops, with what they
read, write and compute, and how they are scheduled.  Weights are not in it.

Times are measured only with --time, over random inputs; a symbolic extent is 8, or what
--extent says.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Writes a page that shows what a graph becomes, from its nodes to C."
    parser.epilog = _EPILOG
    add_graph_arguments(parser)
    parser.add_argument(
        "-o", dest="output", metavar="FILE", help="the page; default: the graph's name with .html"
    )
    parser.add_argument("--time", action="store_true", help="measure each loop of the C")
    parser.add_argument(
        "--rounds", metavar="N", type=count, default=15, help="calls to measure; default: 15"
    )
    add_extents(parser)


def run(args: argparse.Namespace) -> int:
    """Compile, measure if that is wanted, and write the page; returns the exit code."""
    with shown(args, redraw=not args.time) as report:
        options = options_of(args, report)
        report("reading")
        from opc.api.inputs import in_file

        from .explained import explained

        name = "graph" if args.graph == "-" else Path(args.graph).name
        rounds = args.rounds if args.time else 0
        with one_function(args):
            text = explained(in_file(args.graph), name, args.function, options, args.extent, rounds)
    output = Path(args.output or f"{Path(name).stem}.html")
    say_written(write_all(output.parent, {output.name: text.encode()}))
    return 0
