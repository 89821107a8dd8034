"""Networks at full size beside onnxruntime and OpenVINO: checked, then timed in turns.

``python -m benchmarks.networks`` takes all of them, and the light ones of the onnx package;
``python -m benchmarks.networks bert vit_b16`` some.  ``--json`` writes what ``python -m benchmarks
--load`` puts into the tables and the picture.  The exit code is 1 if opc cannot compile one, or if
a result is not that of onnxruntime (see :mod:`benchmarks.networks.agreement`).
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

from benchmarks.measure import Measurement
from benchmarks.networks import NETWORKS, SIZES
from benchmarks.networks.agreement import Reference
from benchmarks.networks.net import Array
from benchmarks.quiet import Quiet
from benchmarks.report import NETWORKS_GROUP, Report
from opc.tools import turns
from opc.tools.cli import count

LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
LIGHT_NETWORKS = {path.stem: path for path in sorted(LIGHT.glob("light_*.onnx"))}
"""Networks of published sizes, whose weights have one value each, by their names."""

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


def prepared(name: str, options: argparse.Namespace, folder: Path) -> tuple[Path, dict[str, Array]]:
    """The file of a network, and its inputs by name."""
    if name not in LIGHT_NETWORKS:
        net = NETWORKS[name].net(small=options.small, symbolic=options.symbolic)
        onnx.save(net.model(), path := folder / f"{name}.onnx")
        return path, net.arrays(SIZES)
    path, rng = LIGHT_NETWORKS[name], np.random.default_rng(1)
    graph = onnx.load(path).graph
    weights = {tensor.name for tensor in graph.initializer}
    arrays = {
        value.name: rng.random([d.dim_value for d in value.type.tensor_type.shape.dim], np.float32)
        for value in graph.input
        if value.name not in weights
    }
    return path, arrays


def measured(name: str, threads: int, options: argparse.Namespace, folder: Path) -> Measurement:
    """What is known of a network at a number of threads."""
    path, arrays = prepared(name, options, folder)
    shape = "x".join(map(str, next(iter(arrays.values())).shape))
    size = sum(array.nbytes for array in arrays.values())
    done = Measurement(name, "f32", shape, "network", threads, size, 0)
    start = time.perf_counter()
    try:
        calls = {"opc": with_opc(path, arrays, threads)}
    except Exception as error:
        done.absent["opc"] = f"{type(error).__name__}: {str(error)[-120:]}"
        return done
    compiling = time.perf_counter() - start
    for peer, make in PEERS.items():
        if peer in options.peers.split(","):
            calls[peer] = make(path, arrays, threads)
    reference = Reference(path, arrays)
    worst, is_right = reference.difference(
        calls["opc"](), lambda model: with_opc(model, arrays, threads)()
    )
    if not is_right:
        done.absent["opc"] = f"differs by {worst:.0e} of the largest value"
        done.wrong.append("opc")
        return done
    quiet = Quiet()
    samples = turns.alternate(calls, options.rounds, threads, quiet)
    done.quiet, done.disturbed = quiet.rounds - quiet.disturbed, quiet.disturbed
    done.times = {system: statistics.median(found) for system, found in samples.items()}
    ratio = done.ratio(done.best_peer)
    print(
        f"{threads} thread{'s' * (threads > 1)}: {name}: {ratio or 0:.2f}, compiled in "
        f"{compiling:.1f} s, differs by {worst:.0e}",
        file=sys.stderr,
    )
    return done


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table in Markdown; the exit code."""
    known = [*NETWORKS, *LIGHT_NETWORKS]
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.networks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--small", action="store_true", help="the small forms that tests run")
    parser.add_argument("--symbolic", action="store_true", help="batch and lengths are symbols")
    parser.add_argument("--threads", type=count, nargs="+", default=[1, 2], help="default: 1 2")
    parser.add_argument("--rounds", type=count, default=7, help="samples of each; default: 7")
    parser.add_argument("--peers", default="onnxruntime,openvino", help="a list with commas")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every figure")
    options = parser.parse_args(arguments)
    unknown = [n for n in options.names if n not in known]
    if unknown:
        parser.error(f"no network {unknown[0]}; there are {', '.join(known)}")
    if "onnxruntime" not in options.peers.split(","):
        parser.error("onnxruntime is what results are compared with")
    found = Report({NETWORKS_GROUP: known})
    for threads in options.threads:
        for name in options.names or known:
            with tempfile.TemporaryDirectory() as folder:
                found.rows.append(measured(name, threads, options, Path(folder)))
    if options.json:
        options.json.write_text(found.json(), encoding="utf-8")
    print(found.markdown())
    problems = found.problems(check=False)
    for problem in problems:
        print(f"benchmarks.networks: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
