"""A process for one model: ``python -m benchmarks.models.worker STAGE NAME PATH [--time]``.

``compile`` compiles with whatever the cache has; ``measure`` runs opc, onnxruntime and OpenVINO,
compares them, and times them in turns.  The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import opc
from benchmarks.models import MODELS, Model
from benchmarks.models.agreement import difference
from benchmarks.models.cutting import Parts, cut
from benchmarks.models.inputs import Array
from benchmarks.models.peers import PEERS, Run, is_quantized, nudged
from benchmarks.networks.compiling import peak, processor_seconds
from opc.tools import turns

ROUNDS = 7
TIMED = ("onnxruntime", "openvino")
SEEDS = 2
"""How many times parameters and given values are changed in their last bit."""


def compiled(parts: Parts) -> dict[str, Any]:
    """Compile: seconds of processors and of the clock, bytes of memory and of the C."""
    start = time.perf_counter()
    function = opc.compile(parts.whole, threads=1)
    return {
        "clock": time.perf_counter() - start,
        "processor": processor_seconds(),
        "peak": peak(),
        "source": len(function.c_source),
    }


def measured(model: Model, path: Path, parts: Parts, *, timed: bool) -> dict[str, Any]:
    """Compare with each peer in each size; seconds of a call of each in the first size."""
    ours = with_opc(parts.whole)
    preparing = {name: partial(parts.prepared, prepare) for name, prepare in PEERS.items()}
    if is_quantized(path):
        for seed in range(SEEDS):
            prepare = partial(nudged, seed=seed, given=parts.given)
            preparing[f"nudged {seed}"] = partial(parts.prepared, prepare)
    runs, absent = _that_work(preparing)
    checks = [
        check
        for size in range(model.sizes)
        for check in checked(ours, runs, absent, model.arrays(size), parts)
    ]
    record: dict[str, Any] = {"checks": checks, "absent": absent}
    if timed:
        arrays = model.arrays(0)
        peers = {name: partial(PEERS[name], path) for name in TIMED if name not in absent}
        calls: dict[str, turns.Call] = {
            name: partial(run, arrays)
            for name, run in {"opc": ours, **_that_work(peers)[0]}.items()
        }
        samples = turns.alternate(calls, ROUNDS)
        record["times"] = {name: statistics.median(sample) for name, sample in samples.items()}
    return record


def with_opc(path: Path) -> Run:
    """A compiled function on one thread."""
    function = opc.compile(path, threads=1)
    names = [spec.name for spec in function.inputs]

    def run(arrays: dict[str, Array]) -> list[Any]:
        # The IR may have other names for the inputs than its package uses.
        is_named = set(names) == set(arrays)
        results = function(*([arrays[n] for n in names] if is_named else arrays.values()))
        return [results] if len(function.outputs) == 1 else list(results)

    return run


def _that_work(
    preparing: dict[str, Callable[[], Run]],
) -> tuple[dict[str, Run], dict[str, str]]:
    """Those peers that can read the model, and why the others cannot."""
    runs: dict[str, Run] = {}
    absent: dict[str, str] = {}
    for name, prepare in preparing.items():
        try:
            runs[name] = prepare()
        except Exception as error:
            # Whatever a library raises means that it cannot run this model.
            absent[name] = " ".join(str(error).split())[:200]
    return runs, absent


def checked(
    ours: Run, runs: dict[str, Run], absent: dict[str, str], arrays: dict[str, Array], parts: Parts
) -> list[dict[str, Any]]:
    """Of the results, and of each value that decides: they have a tolerance of their own."""
    results = list(ours(arrays))
    shapes = [list(array.shape) for array in arrays.values()]
    arrays = parts.inputs(arrays, results)
    computed: dict[str, list[Any]] = {}
    for name, run in runs.items():
        try:
            computed[name] = [x.copy() for x in run(arrays)]
        except Exception as error:
            absent[name] = " ".join(str(error).split())[:200]
    return [
        {"shapes": shapes, "value": value}
        | _check(results[part], {name: values[part] for name, values in computed.items()})
        for value, part in parts.slices(len(results))
    ]


def _check(results: list[Any], computed: dict[str, list[Any]]) -> dict[str, Any]:
    """Differences to each peer, between the peers, and from parameters changed in the last bit."""
    peers = {name: computed[name] for name in PEERS if name in computed}
    apart = {name: difference(results, values) for name, values in peers.items()}
    spread = [difference(*pair)[0] for pair in combinations(peers.values(), 2)]
    noise = [
        difference(values, peers["as written"])[0]
        for name, values in computed.items()
        if name not in PEERS and "as written" in peers
    ]
    return {
        "differences": {name: value for name, (value, _) in apart.items()},
        "kinds": {name: text for name, (_, text) in apart.items() if text},
        "spread": max((d for d in spread if d < math.inf), default=0.0),
        "noise": max((d for d in noise if d < math.inf), default=0.0),
    }


def main() -> None:
    """The process."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models.worker", description=__doc__)
    parser.add_argument("stage", choices=("compile", "measure"))
    parser.add_argument("name", choices=MODELS, metavar="NAME")
    parser.add_argument("path", type=Path)
    parser.add_argument("--time", action="store_true")
    options = parser.parse_args()
    model = MODELS[options.name]
    with tempfile.TemporaryDirectory() as folder:
        parts = cut(options.path, model.deciding, Path(folder))
        try:
            if options.stage == "compile":
                record = compiled(parts)
            else:
                record = measured(model, options.path, parts, timed=options.time)
        except opc.OpcError as error:
            record = {"refused": str(error)}
    print(json.dumps(record))


if __name__ == "__main__":
    main()
