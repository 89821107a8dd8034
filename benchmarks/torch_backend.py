"""Modules of PyTorch in ``torch.compile`` with opc, beside PyTorch alone and its own compiler.

``python -m benchmarks.torch_backend`` takes all modules, ``python -m benchmarks.torch_backend gpt``
one of them.  Each result is compared with that of PyTorch before it is timed; systems take turns.
``--markdown`` replaces the table of a page.  The exit code is 1 if opc fails or is wrong.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from benchmarks.measure import Measurement
from benchmarks.quiet import Quiet
from benchmarks.report import machine
from benchmarks.torch_modules import EXAMPLES, Example
from opc.tools import turns
from opc.tools.cli import count

MARKERS = "<!-- torch -->", "<!-- /torch -->"
TOLERANCE = 1e-4
"""How far a result may be from that of PyTorch, relative to the largest value."""

System = Callable[[torch.nn.Module, tuple[torch.Tensor, ...]], turns.Call]
"""Makes a call of a module over tensors; the call returns a tensor."""


def eager(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> turns.Call:
    """PyTorch as it is."""
    return lambda: module(*inputs)


def compiled(name: str) -> System:
    """``torch.compile`` with a backend."""

    def make(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> turns.Call:
        call = torch.compile(module, backend=name, dynamic=False)
        return lambda: call(*inputs)

    return make


def exported(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> turns.Call:
    """``opc.compile`` of the exported module, its arrays bound."""
    import opc

    function = opc.compile(torch.export.export(module, inputs), threads=torch.get_num_threads())
    bound = function.bind(*inputs)
    result = torch.from_numpy(bound.result)

    def call() -> torch.Tensor:
        bound()
        return result

    return call


SYSTEMS: dict[str, System] = {
    "opc": compiled("opc"),
    "exported": exported,
    "eager": eager,
    "inductor": compiled("inductor"),
}


def measured(name: str, example: Example, threads: int, options: argparse.Namespace) -> Measurement:
    """What is known of a module at a number of threads."""
    torch.set_num_threads(threads)
    module, inputs = example.build(options.small), example.example(options.small, options.batch)
    shape = "x".join(map(str, inputs[0].shape))
    done = Measurement(name, "f32", shape, "module", threads, 0, 0)
    expected = module(*inputs)
    calls: dict[str, turns.Call] = {}
    for system in options.systems.split(","):
        torch._dynamo.reset()
        start = time.perf_counter()
        try:
            call = SYSTEMS[system](module, inputs)
            difference = worst(call(), expected)
        except Exception as error:
            # Whatever a library raises means that it cannot do this module.
            done.absent[system] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            continue
        seconds = time.perf_counter() - start
        print(f"{name}: {system}: {seconds:.1f} s, differs by {difference:.0e}", file=sys.stderr)
        # Written so that NaN is wrong.
        if difference <= TOLERANCE:
            calls[system] = call
        else:
            done.absent[system] = f"differs by {difference:.0e}"
            done.wrong.append(system)
    quiet = Quiet()
    samples = turns.alternate(calls, options.rounds, threads, quiet)
    done.quiet, done.disturbed = quiet.rounds - quiet.disturbed, quiet.disturbed
    done.times = {system: statistics.median(times) for system, times in samples.items()}
    shown = ", ".join(f"{system} {seconds * 1e3:.3g} ms" for system, seconds in done.times.items())
    print(f"{name}: {threads} thread{'s' * (threads > 1)}: {shown}", file=sys.stderr)
    return done


def worst(result: torch.Tensor, expected: torch.Tensor) -> float:
    """The largest difference, relative to the largest value."""
    return float((result - expected).abs().max() / expected.abs().max())


def markdown(rows: Sequence[Measurement], systems: Sequence[str]) -> str:
    """The times in milliseconds, and how many times as long as opc each system takes."""
    lines = [
        f"{machine()}; torch {torch.__version__.partition('+')[0]}; milliseconds, medians; in "
        "brackets the time over that of opc, a tilde where other processes ran.",
        "",
        f"| module | threads | {' | '.join(systems)} |",
        f"|---|---|{'---|' * len(systems)}",
    ]
    for row in rows:
        mark = "~" if row.is_disturbed else ""
        cells = [f"{row.row} {row.shape}{mark}", str(row.threads)]
        for system in systems:
            seconds, ratio = row.times.get(system), row.ratio(system)
            shown = "" if seconds is None else f"{seconds * 1e3:.3g}"
            cells.append(shown if ratio is None or system == "opc" else f"{shown} ({ratio:.2f})")
        lines.append(f"| {' | '.join(cells)} |")
    for threads in sorted({row.threads for row in rows}):
        means = ["geometric mean", str(threads), ""]
        for system in systems[1:]:
            ratios = [row.ratio(system) for row in rows if row.threads == threads]
            logarithms = [math.log(ratio) for ratio in ratios if ratio]
            mean = math.exp(statistics.fmean(logarithms)) if logarithms else math.nan
            means.append(f"{mean:.2f} of {len(logarithms)}")
        lines.append(f"| {' | '.join(means)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table in Markdown; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.torch_backend",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(EXAMPLES))
    parser.add_argument("--small", action="store_true", help="the small forms that tests run")
    parser.add_argument("--batch", type=count, default=1, help="default: 1")
    parser.add_argument("--threads", type=count, nargs="+", default=[1, 2], help="default: 1 2")
    parser.add_argument("--rounds", type=count, default=7, help="samples of each; default: 7")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="a list with commas")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="a page with the markers")
    options = parser.parse_args(arguments)
    for kind, names, known in (
        ("module", options.names, EXAMPLES),
        ("system", options.systems.split(","), SYSTEMS),
    ):
        unknown = [name for name in names if name not in known]
        if unknown:
            parser.error(f"no {kind} {unknown[0]}; there are {', '.join(known)}")
    torch._dynamo.config.allow_rnn = True  # pyright: ignore
    rows: list[Measurement] = []
    with torch.no_grad():
        for name in options.names or EXAMPLES:
            for threads in options.threads:
                rows.append(measured(name, EXAMPLES[name], threads, options))
    table = markdown(rows, options.systems.split(","))
    print(table)
    if options.markdown:
        page = options.markdown.read_text(encoding="utf-8")
        start, end = map(re.escape, MARKERS)
        text = f"{MARKERS[0]}\n{table}{MARKERS[1]}"
        page = re.sub(f"{start}.*{end}", lambda _: text, page, flags=re.DOTALL)
        options.markdown.write_text(page, encoding="utf-8")
    failures = [(row, row.absent["opc"]) for row in rows if "opc" in row.absent]
    for row, reason in failures:
        print(f"benchmarks.torch_backend: {row.row}: opc: {reason}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
