"""Networks at full size beside onnxruntime and OpenVINO: checked, then timed in turns.

``python -m benchmarks.networks`` takes all of them, ``python -m benchmarks.networks bert vit_b16``
some.  The exit code is 1 if opc cannot compile one, or if a result differs from onnxruntime's by
more than 1e-5 of the largest value.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from benchmarks.networks import NETWORKS, SIZES
from benchmarks.networks.net import Array

TOLERANCE = 1e-5
"""How far a result may be from that of onnxruntime, in parts of the largest value."""

Call = Callable[[], Sequence[Array]]


def with_opc(path: Path, arrays: dict[str, Array], threads: int) -> Call:
    """A call of what opc makes of a model."""
    import opc

    function: Any = opc.compile(path, threads=threads)
    given = [arrays[spec.name] for spec in function.inputs]
    one = len(function.outputs) == 1
    return lambda: [function(*given)] if one else list(function(*given))


def with_onnxruntime(path: Path, arrays: dict[str, Array], threads: int) -> Call:
    """A call of an onnxruntime session."""
    import onnxruntime

    options: Any = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    session: Any = onnxruntime.InferenceSession(
        str(path), options, providers=["CPUExecutionProvider"]
    )
    return lambda: session.run(None, arrays)


def with_openvino(path: Path, arrays: dict[str, Array], threads: int) -> Call:
    """A call of a model that OpenVINO compiled for latency, in f32."""
    import openvino

    settings = {
        "INFERENCE_NUM_THREADS": threads,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",
    }
    compiled: Any = openvino.Core().compile_model(str(path), "CPU", settings)
    request = compiled.create_infer_request()
    return lambda: list(request.infer(arrays, share_inputs=True, share_outputs=True).values())


PEERS = {"onnxruntime": with_onnxruntime, "openvino": with_openvino}


def worst(found: Sequence[Array], expected: Sequence[Array]) -> float:
    """The largest difference in parts of the largest value; infinite where shapes differ."""
    if [a.shape for a in found] != [a.shape for a in expected]:
        return np.inf
    return max(
        float(np.abs(a - b).max() / max(np.abs(b).max(), np.finfo(np.float32).tiny))
        for a, b in zip(found, expected, strict=True)
    )


def timed(calls: dict[str, Call], seconds: float) -> tuple[dict[str, float], dict[str, float]]:
    """The median time of each, and of each its median ratio to opc in a round; they take turns."""
    rounds: list[dict[str, float]] = []
    end = time.perf_counter() + seconds
    while len(rounds) < 5 or time.perf_counter() < end:
        spent: dict[str, float] = {}
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            spent[name] = time.perf_counter() - start
        rounds.append(spent)
    medians = {name: statistics.median(r[name] for r in rounds) for name in calls}
    ratios = {name: statistics.median(r["opc"] / r[name] for r in rounds) for name in calls}
    return medians, ratios


def row(name: str, options: argparse.Namespace, folder: Path) -> tuple[str, bool]:
    """A line of the table for a network, and whether opc is right."""
    net = NETWORKS[name].net(small=options.small, symbolic=options.symbolic)
    arrays, path = net.arrays(SIZES), folder / f"{name}.onnx"
    onnx.save(net.model(), path)
    start = time.perf_counter()
    try:
        calls = {"opc": with_opc(path, arrays, options.threads)}
    except Exception as error:
        return f"| {name} | {type(error).__name__}: {str(error)[-120:]} |", False
    compiling = time.perf_counter() - start
    for peer, make in PEERS.items():
        if peer in options.peers.split(","):
            calls[peer] = make(path, arrays, options.threads)
    results = {system: list(call()) for system, call in calls.items()}
    difference = worst(results["opc"], results["onnxruntime"])
    medians, ratios = timed(calls, options.seconds)
    cells = [f"{medians[s] * 1e3:.2f}" for s in calls] + [f"{ratios[s]:.2f}" for s in calls][1:]
    line = f"| {name} | {compiling:.1f} | {difference:.0e} | {' | '.join(cells)} |"
    return line, difference <= TOLERANCE


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table in Markdown; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.networks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NETWORKS))
    parser.add_argument("--small", action="store_true", help="the small forms that tests run")
    parser.add_argument("--symbolic", action="store_true", help="batch and lengths are symbols")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5, help="for the rounds of a network")
    parser.add_argument("--peers", default="onnxruntime,openvino", help="a list with commas")
    options = parser.parse_args(arguments)
    unknown = [n for n in options.names if n not in NETWORKS]
    if unknown:
        parser.error(f"no network {unknown[0]}; there are {', '.join(NETWORKS)}")
    if "onnxruntime" not in options.peers.split(","):
        parser.error("onnxruntime is what results are compared with")
    systems = ["opc", *(p for p in PEERS if p in options.peers.split(","))]
    heads = ["network", "compiled in s", "difference", *(f"{s} ms" for s in systems)]
    heads += [f"opc / {s}" for s in systems[1:]]
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}", flush=True)
    right = True
    for name in options.names or NETWORKS:
        with tempfile.TemporaryDirectory() as folder:
            line, is_right = row(name, options, Path(folder))
        print(line, flush=True)
        right = right and is_right
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
