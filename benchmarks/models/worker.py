"""A process for one model: ``python -m benchmarks.models.worker STAGE NAME PATH [--time]``.

``compile`` compiles with whatever the cache has; ``measure`` runs opc, onnxruntime and OpenVINO,
compares them, and times them in turns.  The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import opc
from benchmarks.models import MODELS, Model
from benchmarks.models.agreement import difference
from benchmarks.models.inputs import Array
from benchmarks.models.peers import PEERS, Run, is_quantized, nudged
from benchmarks.networks.compiling import peak, processor_seconds
from opc.tools import turns

ROUNDS = 7
SEEDS = 2
"""How many times the parameters are changed in their last bit."""


def compiled(path: Path) -> dict[str, Any]:
    """Compile: seconds of processors and of the clock, bytes of memory and of the C."""
    start = time.perf_counter()
    function = opc.compile(path, threads=1)
    return {
        "clock": time.perf_counter() - start,
        "processor": processor_seconds(),
        "peak": peak(),
        "source": len(function.c_source),
    }


def measured(model: Model, path: Path, *, timed: bool) -> dict[str, Any]:
    """Compare with each peer in each size; seconds of a call of each in the first size."""
    function = opc.compile(path, threads=1)
    names = [spec.name for spec in function.inputs]

    def ours(arrays: dict[str, Array]) -> list[Any]:
        # The IR may have other names for the inputs than its package uses.
        same = set(names) == set(arrays)
        results = function(*([arrays[n] for n in names] if same else arrays.values()))
        return [results] if len(function.outputs) == 1 else list(results)

    runs, absent = _peers(path)
    checks = [
        _check(ours, runs, absent, model.arrays(size), path if is_quantized(path) else None)
        for size in range(model.sizes)
    ]
    record: dict[str, Any] = {"checks": checks, "absent": absent}
    if timed:
        arrays = model.arrays(0)
        calls: dict[str, turns.Call] = {
            name: lambda run=run: run(arrays)
            for name, run in {"opc": ours, **runs}.items()
            if name != "as written" and name not in absent
        }
        samples = turns.alternate(calls, ROUNDS)
        record["times"] = {name: statistics.median(sample) for name, sample in samples.items()}
    return record


def _peers(path: Path) -> tuple[dict[str, Run], dict[str, str]]:
    """Those peers that can read the model, and why the others cannot."""
    runs: dict[str, Run] = {}
    absent: dict[str, str] = {}
    for name, prepare in PEERS.items():
        try:
            runs[name] = prepare(path)
        except Exception as error:
            # Whatever a library raises means that it cannot run this model.
            absent[name] = " ".join(str(error).split())[:200]
    return runs, absent


def _check(
    ours: Run,
    runs: dict[str, Run],
    absent: dict[str, str],
    arrays: dict[str, Array],
    noisy: Path | None,
) -> dict[str, Any]:
    """Differences to each peer, between the peers, and from parameters changed in the last bit."""
    expected: dict[str, list[Any]] = {}
    for name, run in runs.items():
        try:
            expected[name] = [_copied(result) for result in run(arrays)]
        except Exception as error:
            absent[name] = " ".join(str(error).split())[:200]
    results = ours(arrays)
    apart = {name: difference(results, values) for name, values in expected.items()}
    spread = [difference(*pair)[0] for pair in combinations(expected.values(), 2)]
    noise: list[float] = []
    if noisy and "as written" in expected:
        for seed in range(SEEDS):
            noise.append(difference(nudged(noisy, seed)(arrays), expected["as written"])[0])
    return {
        "shapes": [list(array.shape) for array in arrays.values()],
        "differences": {name: value for name, (value, _) in apart.items()},
        "kinds": {name: text for name, (_, text) in apart.items() if text},
        "spread": max((d for d in spread if d < math.inf), default=0.0),
        "noise": max(noise, default=0.0),
    }


def _copied(result: Any) -> Any:
    return result.copy() if hasattr(result, "copy") else result


def main() -> None:
    """The process."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models.worker", description=__doc__)
    parser.add_argument("stage", choices=("compile", "measure"))
    parser.add_argument("name", choices=MODELS, metavar="NAME")
    parser.add_argument("path", type=Path)
    parser.add_argument("--time", action="store_true")
    options = parser.parse_args()
    stages: dict[str, Callable[[], dict[str, Any]]] = {
        "compile": lambda: compiled(options.path),
        "measure": lambda: measured(MODELS[options.name], options.path, timed=options.time),
    }
    try:
        record = stages[options.stage]()
    except opc.OpcError as error:
        record = {"refused": str(error)}
    print(json.dumps(record))


if __name__ == "__main__":
    main()
