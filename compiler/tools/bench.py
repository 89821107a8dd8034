"""``opc bench``: how fast a graph runs, beside other libraries and a copy of as many bytes.

What each loop takes is measured by ``opc.tools.profile``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from opc.errors import UsageError

from .cli import (
    Words,
    add_extents,
    add_graph_arguments,
    chosen_extents,
    compiled_graph,
    count,
    options_of,
)
from .files import say_written, write_all
from .peers import PEERS, peer_model
from .progress import shown
from .turns import Call, alternate

if TYPE_CHECKING:
    import numpy as np

    from opc.api.driver import Function

    Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

FAR = 1e-3
"""From this relative difference on, the results of a peer are said to differ."""

_COPIED = "copy"

_EPILOG = """\
Inputs are random, as 'opc run --random 0' makes them; a symbolic extent is 8, or what
--extent says.
Systems take turns, and times are medians.  A copy is of as many bytes as the inputs and outputs
have, half of them read and half of them written.

onnxruntime and OpenVINO run the same file where they are installed and can read it; onnxruntime
reads ONNX models, OpenVINO those and its own.  OMP_NUM_THREADS is set to --threads.

--nodes lists the outermost loops of the C, slowest first: the time of each in a call, the bytes of
buffers that it reads and writes, its operations (a fused multiply-add is two), and how long the
machine needs for these at least, as a part of the time: as a copy of as many bytes, or as fused
multiply-adds of f32.  The C is that of 'opc compile', with a clock read behind each loop.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Times a graph beside other libraries and a copy of as many bytes."
    parser.epilog = _EPILOG
    add_graph_arguments(parser)
    parser.add_argument(
        "--rounds", metavar="N", type=count, default=15, help="samples of each; default: 15"
    )
    parser.add_argument(
        "--against",
        action=Words,
        words=lambda: PEERS,
        is_list=True,
        metavar="NAMES",
        help="with commas: onnxruntime, openvino; default: those that are installed",
    )
    add_extents(parser)
    parser.add_argument(
        "--nodes", action="store_true", help="list each loop with the nodes that it came from"
    )
    parser.add_argument("--json", metavar="FILE", help="write all that was measured")
    parser.add_argument(
        "--trace", metavar="FILE", help="write the loops of a call for ui.perfetto.dev"
    )


def run(args: argparse.Namespace) -> int:
    """Compile, check against the others, time, and print; returns the exit code."""
    peers = _peers(args.against)
    before = os.environ.get("OMP_NUM_THREADS")
    # The libraries read it when they are loaded.
    os.environ["OMP_NUM_THREADS"] = str(args.threads)
    try:
        return _timed(args, peers)
    finally:
        # The process may go on, with its own number of threads.
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before


def _timed(args: argparse.Namespace, peers: list[str]) -> int:
    """Time the graph beside ``peers``, and print; returns the exit code."""
    from opc.runtime.native import new_array
    from opc.tools.profile.roofline import copy

    from .arrays import random_inputs

    function = compiled_graph(args)
    extents = chosen_extents(args, function.lowered)
    inputs = random_inputs(0, function.interface, {}, extents)
    values = [inputs[spec.name] for spec in function.inputs]
    returned, shapes = function.arrays(*values), function.output_shapes(*values)
    results: list[Array] = [returned] if len(function.outputs) == 1 else list(returned)
    names = [spec.name for spec in function.outputs]

    buffers = [new_array(s, o.dtype) for s, o in zip(shapes, function.outputs, strict=True)]
    out: Any = buffers[0] if len(buffers) == 1 else tuple(buffers)
    calls: dict[str, Call] = {"opc": lambda: function(*values, out=out)}
    notes: dict[str, str] = {}
    for name in peers:
        outputs = {key: array.copy() for key, array in zip(names, results, strict=True)}
        for array in outputs.values():
            # A value that no result has, to notice results that are not written.
            array.fill(77)
        try:
            call = PEERS[name](peer_model(args.graph, name), inputs, outputs, args.threads)
            call()
        except Exception as error:
            # Libraries have many exceptions for what they cannot do.
            notes[name] = " ".join(str(error).split())[:160] or type(error).__name__
            continue
        calls[name] = call
        far = max(map(_distance, outputs.values(), results), default=0.0)
        notes[name] = f"results differ by {far:.1g}" if far > FAR else ""
    size = sum(array.nbytes for array in (*values, *results))
    calls[_COPIED] = copy(size, args.threads)
    with shown(args, redraw=False) as report:
        done = itertools.count()

        def after_round() -> bool:
            report("rounds", min(next(done), args.rounds), args.rounds)
            return True

        samples = alternate(calls, args.rounds, args.threads, after_round)
    _print(args.graph, args.threads, size, samples, notes)
    content: dict[str, Any] = {
        "graph": args.graph,
        "threads": args.threads,
        "extents": extents,
        "bytes": size,
        "seconds": {name: statistics.median(times) for name, times in samples.items()},
        "samples": samples,
        "notes": {name: note for name, note in notes.items() if note},
    }
    files: dict[str, str] = {}
    if args.nodes or args.trace:
        profile, traced = _loops(args, function, values)
        content |= profile
        files |= {args.trace: traced} if args.trace else {}
    if args.json:
        files[args.json] = json.dumps(content, indent=1) + "\n"
    for path, text in files.items():
        say_written(write_all(Path(path).parent, {Path(path).name: text.encode()}))
    return 0


def _loops(
    args: argparse.Namespace, function: Function, values: list[Array]
) -> tuple[dict[str, Any], str]:
    """Measure the loops and print them; what is known of them, and the trace of a call."""
    from opc.api.tuning import scheduled_by
    from opc.tools.profile.timing import stepped

    from .profile import report

    options = options_of(args)
    with scheduled_by(options):
        graph = stepped(function.lowered.read(), options)
    loops, times, machine = report.profiled(graph, values, args.rounds)
    if args.nodes:
        print(f"{len(loops)} loops, {times.total * 1e6:.2f} us in all with clock reads")
        print("\n".join(report.table(loops)))
    measured = {
        "machine": {"copy": machine.bandwidth, "peak": machine.peak},
        "loops": [loop.as_json() for loop in loops],
    }
    return measured, report.trace(args.graph, loops, times)


def _print(
    graph: str,
    threads: int,
    size: int,
    samples: Mapping[str, Sequence[float]],
    notes: Mapping[str, str],
) -> None:
    plural = "s" if threads > 1 else ""
    print(f"{graph}: {threads} thread{plural}, {size} bytes of inputs and outputs")
    own = statistics.median(samples["opc"])
    for name in ("opc", *notes, _COPIED):
        note = notes.get(name, "")
        if name not in samples:
            print(f"{name:<12} {'-':>12}     {note}")
            continue
        seconds = statistics.median(samples[name])
        ratio = "" if name == "opc" else f"  {seconds / own:.2f} times opc"
        print(f"{name:<12} {seconds * 1e6:12.2f} us{ratio}{note and f'; {note}'}")


def _peers(text: str | None) -> list[str]:
    if text is None:
        return [name for name in PEERS if find_spec(name) is not None]
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in PEERS:
            raise UsageError(f"--against: no {name[:40]!r}; there are {', '.join(PEERS)}")
        if find_spec(name) is None:
            raise UsageError(f"--against: {name} is not installed")
    return names


def _distance(actual: Array, expected: Array) -> float:
    """The largest difference, relative to the value and to the mean; NaN is equal to NaN."""
    import numpy as np

    if expected.size == 0 or np.array_equal(actual, expected):
        return 0.0
    one, other = actual.astype(np.float64), expected.astype(np.float64)
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    finite = np.abs(np.where(np.isfinite(other), other, 0.0))
    scale = finite + finite.mean() + np.finfo(np.float64).tiny
    with np.errstate(invalid="ignore", over="ignore"):
        far = np.where(same, 0.0, np.abs(one - other) / scale)
    return float(np.where(np.isnan(far), np.inf, far).max())
