"""``opc verify``: whether a graph computes what the interpreter says, and where not if not."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opc.errors import OpcError

from .cli import add_extents, add_graph_arguments, one_function, options_of, read_graph
from .cli import count as number
from .progress import shown

if TYPE_CHECKING:
    from opc.interpret.bounds import Bounded
    from opc.oracle.inputs import Inputs
    from opc.oracle.subject import Outcome, Subject
    from opc.support.interface import Interface

DISAGREES = 1
"""The exit code where results do not agree."""

_EPILOG = """\
The graph is compiled, and run on random inputs and on edge inputs: zeros of both signs, special
values, the greatest and the least ones.  Symbolic extents are those that --extent gives, else
several: all different primes, all 4, 1, 0 and 33.  --input gives arrays instead, as for opc run.

Results must be within the tolerances of docs/numerics.md of what the interpreter of the graph
computes, as they add up from operator to operator.  They must not depend on what the memory held
that they are written to, and of small graphs the loops are interpreted, too: they read nothing
that was not written.  ONNX and OpenVINO models are also run by the libraries that they are made
for, where these are installed.

Where something differs, the first operator that does is sought, and the exit code is 1.
docs/verify.md says how to report it; opc reduce makes the graph smaller first.
"""


@dataclass(frozen=True)
class Run:
    """One set of inputs and its outcome."""

    inputs: Inputs
    outcome: Outcome


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Compares what a compiled graph computes with what it should compute."
    parser.epilog = _EPILOG
    add_graph_arguments(parser, prints=False)
    add_input_arguments(parser)
    parser.add_argument(
        "--bisect-passes",
        action="store_true",
        help="name the first pass after which the IR, interpreted, gives another result",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=number,
        default=60,
        help="begin no more runs after so long; default: 60",
    )


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    """Which inputs a graph is tried on."""
    parser.add_argument(
        "--input",
        metavar="[NAME=]FILE",
        action="append",
        default=[],
        help="an array from a .npy file or an .npz archive, instead of those that are made",
    )
    add_extents(parser, "inputs that are made")
    parser.add_argument(
        "--seed", metavar="SEED", type=number, default=1, help="of what is random; default: 1"
    )


def run(args: argparse.Namespace) -> int:
    """Compile, run, compare and say what differs; returns the exit code."""
    with shown(args) as report:
        module = read_graph(args, report)
        from opc.oracle.subject import Subject

        with one_function(args):
            subject = Subject.of(module, args.function, options_of(args, report))
        # Compiled here, where progress is shown.
        assert subject.compiled
    failed: list[Run] = []
    worst = [(0.0, 0.0)] * len(subject.compiled.outputs)
    count, refused = 0, 0
    peers = _Peers(args.graph, subject.compiled.interface)
    for done in runs(subject, args):
        count += 1
        refused += bool(done.outcome.refused)
        for k, result in enumerate(done.outcome.results):
            worst[k] = max(worst[k][0], result.error), max(worst[k][1], result.share)
        if not done.outcome.agrees:
            failed.append(done)
            _say(subject, done)
        elif not done.outcome.refused:
            peers.run(subject, done)
    for spec, (error, share) in zip(subject.compiled.outputs, worst, strict=True):
        unit = "ULP" if spec.dtype.kind not in "biu" else "units"
        allowed = "" if failed else f", at most {100 * share:.0f} % of what is allowed"
        print(f"{spec.name}: largest error {error:g} {unit}{allowed}")
    print(f"{count} runs, {count - refused - len(failed)} agree, {len(failed)} differ", end="")
    print(f", {refused} have inputs that the graph or its interpreter refuses" if refused else "")
    peers.conclude()
    if failed:
        smallest = min(failed, key=lambda r: sum(x.size for x in r.inputs.arrays))
        _locate(subject, smallest, args.bisect_passes)
    elif args.bisect_passes:
        print("nothing differs, so there is no pass to be found")
    return DISAGREES if failed or peers.differ else 0


def chosen_inputs(subject: Subject, args: argparse.Namespace) -> Iterator[Inputs]:
    """The inputs that the arguments ask for.  Raises what reading files does, and UsageError."""
    from opc.oracle import inputs

    from .extents import by_symbol

    function = subject.inferred
    extents = by_symbol(args.extent, subject.function, inputs.specs(function))
    if args.input:
        yield inputs.from_files(function, args.input, extents, args.seed)
    else:
        yield from inputs.every(function, extents, args.seed)


def runs(subject: Subject, args: argparse.Namespace) -> Iterator[Run]:
    """Run on everything that the arguments ask for, until time is up."""
    start = time.monotonic()
    for case in chosen_inputs(subject, args):
        if not case.is_ordinary and time.monotonic() - start > args.seconds:
            return
        # Runs are in forked children.
        with shown(args, redraw=False, since=start) as report:
            report(f"running with {case.name}")
            outcome = subject.try_on(case.arrays, interpret_loops=case.is_ordinary)
        yield Run(case, outcome)


def _say(subject: Subject, done: Run) -> None:
    """Print what differs in a run."""
    if done.outcome.mismatch is not None:
        print(f"{done.inputs.name}: {done.outcome.mismatch}")
    for spec, result in zip(subject.compiled.outputs, done.outcome.results, strict=False):
        if result.mismatch is not None:
            print(f"{done.inputs.name}: {spec.name} {result.mismatch}")


def _locate(subject: Subject, failed: Run, bisect_passes: bool) -> None:
    """Print the first operator and the first pass that give another result."""
    from opc.oracle.locate import first_operator, first_pass

    print(f"with {failed.inputs.name}:")
    place = first_operator(subject, failed.inputs.arrays)
    if place is None:
        print("  no operator alone gives another value")
    else:
        print(f"  the first operator that differs: {place.operator}, {place.how}: {place.what}")
    if bisect_passes:
        culprit = first_pass(subject, failed.inputs.arrays)
        if culprit is None:
            print(
                "  after every pass the IR gives what it should: the C, or its compiler, does not"
            )
        else:
            name, what = culprit
            print(f"  the first pass after which the IR gives another result: {name}: {what}")


class _Peers:
    """Runs of another library beside the interpreter."""

    def __init__(self, path: str, interface: Interface) -> None:
        from opc.oracle.compare import peer_of

        self.path = path
        self.interface = interface
        self.name = peer_of(path)
        self.problem = ""
        self.made = 0
        self.differ = 0

    def run(self, subject: Subject, done: Run) -> None:
        """Compare on ordinary inputs only: libraries differ on special values."""
        if self.name is None or self.problem or not done.inputs.is_ordinary:
            return
        from opc.oracle.compare import beside

        expected: list[Bounded] = subject.expected(done.inputs.arrays)
        try:
            results = beside(self.name, self.path, self.interface, done.inputs.arrays, expected)
        except OpcError:
            raise
        except Exception as error:
            # A library may raise anything for a model that it cannot run.
            self.problem = " ".join(str(error).split())[:200]
            return
        self.made += 1
        wrong = [
            f"{done.inputs.name}: {self.name}: {spec.name} {result.mismatch}"
            for spec, result in zip(self.interface.outputs, results, strict=True)
            if result.mismatch is not None
        ]
        self.differ += bool(wrong)
        for line in wrong:
            print(line)

    def conclude(self) -> None:
        """Print the summary."""
        if self.problem:
            print(f"{self.name} cannot run it: {self.problem}")
        elif self.name is not None and self.made:
            print(f"{self.name}: {self.made} runs, {self.made - self.differ} agree")
