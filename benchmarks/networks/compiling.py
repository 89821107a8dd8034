"""What it takes to compile networks: time of each stage, memory, the C, and the workspace.

``python -m benchmarks.networks.compiling resnet50 bert`` builds these and compiles each in
processes of its own: with an empty cache, and again from the cache.  Paths of models do as well,
and ``bert:48`` is a network with so many layers.  Processor time is that of Python, and that of C
compilers.  Memory is the peak of the process without that of one that only imports opc, and the
peak of the largest C compiler.  ``arena`` is the workspace over the largest sum of buffers that are
needed at the same time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SLOW = 0.05
"""A stage is shown if it takes this part of the time."""
SAMPLING = 0.02
"""Seconds between two looks at the memory of C compilers."""


def saved(name: str, folder: Path, *, small: bool = False) -> Path:
    """The file of a model: one that is there, or a network by its name and number of layers."""
    if Path(name).suffix:
        return Path(name)
    from benchmarks.networks import NETWORKS
    from benchmarks.networks.net import Net

    plain, _, layers = name.partition(":")
    network, net = NETWORKS[plain], Net()
    own: dict[str, Any] = {**network.full, **(network.small if small else {})}
    network.build(net, **{**own, **({"layers": int(layers)} if layers else {})})
    path = folder / f"{plain}{layers}.onnx"
    path.write_bytes(net.model().SerializeToString())
    return path


def compiled(path: str, threads: int) -> dict[str, Any]:
    """Compile in this process: seconds of each stage and in all, and what came out."""
    start = time.perf_counter()
    import opc
    from opc.api.options import Options

    stages: dict[str, float] = {}
    last = "import", start

    def report(stage: str, number: int = 0, total: int = 0) -> None:
        nonlocal last
        now = time.perf_counter()
        stages[last[0]] = stages.get(last[0], 0.0) + now - last[1]
        # What follows the last pass is another stage, which reports nothing.
        last = (stage if number < total or not total else f"{stage}, C text"), now

    report("reading")
    function = opc.compile(path, options=Options(threads=threads, report=report))
    report("end")
    text, weights = function.c_source, function.lowered.weights
    return {
        "seconds": time.perf_counter() - start,
        "stages": stages,
        "lines": text.count("\n"),
        "bytes": len(text),
        "weights": 0 if weights is None else weights.nbytes,
    }


def workspace(path: str, threads: int) -> dict[str, Any]:
    """The bytes of buffers in the workspace, at most how many are needed at once, and of arrays."""
    from opc.api.driver import source_of
    from opc.api.inputs import in_file
    from opc.dialects.buffer import WORKSPACE
    from opc.dialects.registry import context
    from opc.emit.source import FunctionEmitter
    from opc.kernels.place_buffers import slots
    from opc.passes import pipeline
    from opc.support.workspace import largest_sum

    module = source_of(in_file(path).parse(), None)
    pipeline.run(module, context(), pipeline.passes("loops"))
    function: Any = module.body.block.first_op
    size = function.attributes[WORKSPACE].data[0].constant
    arrays = FunctionEmitter(function, "network", threads).slots.total_bytes
    return {"arena": size, "needed": largest_sum(slots(function)), "arrays": arrays}


def imported(path: str, threads: int) -> dict[str, Any]:
    """Only import opc."""
    import opc

    return {"version": opc.__version__}


CHILDREN = {"compiled": compiled, "workspace": workspace, "imported": imported}


def peak(process: str = "self") -> int:
    """The most memory that a process had, in bytes."""
    status = Path(f"/proc/{process}/status")
    if status.exists():
        # What the system says to a parent is at least what that had itself when it forked.
        found = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM:"))
        return int(found.split()[1]) << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def processor_seconds(*kinds: int) -> float:
    """What this process and those that it waited for have taken of processors, or one of these."""
    both = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, kinds or both))


def largest_child(process: int) -> int:
    """The most memory that a process below another one has had so far, in bytes."""
    most = 0
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for number in listed.read_text().split():
                own = 0
                with contextlib.suppress(OSError, StopIteration):
                    own = peak(number)
                most = max(most, own, largest_child(int(number)))
    return most


def child(what: str, path: Path, threads: int, environment: Mapping[str, str]) -> dict[str, Any]:
    """Do something in a process of its own; what it found, its peak of memory, processor time."""
    command = [sys.executable, "-m", __spec__.name, "--child", what, str(path)]
    command += ["--threads", str(threads)]
    largest = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=ROOT) as running:
        # A compiler's own peak: to a parent, a system says at least what that had when it forked.
        while running.poll() is None:
            largest = max(largest, largest_child(running.pid))
            time.sleep(SAMPLING)
        assert running.stdout is not None
        content = running.stdout.read()
    if running.returncode:
        raise SystemExit(f"{what} {path}: exit code {running.returncode}")
    return {**json.loads(content), "largest": largest}


def measured(name: str, threads: int = 2, *, small: bool = False) -> dict[str, Any]:
    """All figures of one network."""
    with tempfile.TemporaryDirectory() as folder:
        path = saved(name, Path(folder), small=small)
        environment = {**os.environ, "OPC_CACHE_DIR": f"{folder}/cache"}
        empty = child("imported", path, threads, environment)["peak"]
        cold, warm = (child("compiled", path, threads, environment) for _ in range(2))
        arena = child("workspace", path, threads, environment)
    return {
        "name": name,
        "cold": cold["seconds"],
        "warm": warm["seconds"],
        "cold_cpu": cold["cpu"],
        "cold_compilers": cold["compilers"],
        "warm_cpu": warm["cpu"],
        "memory": cold["peak"] - empty,
        "memory_warm": warm["peak"] - empty,
        "memory_compiler": cold["largest"],
        "memory_of_weights": (cold["peak"] - empty) / max(cold["weights"], 1),
        "arena_ratio": arena["arena"] / max(arena["needed"], 1),
        **{key: cold[key] for key in ("stages", "lines", "bytes", "weights")},
        **{key: arena[key] for key in ("arena", "needed", "arrays")},
    }


def shown(found: Mapping[str, Any]) -> str:
    """The figures as text."""
    sizes = "memory", "memory_warm", "memory_compiler", "weights", "arena"
    mib = {key: found[key] / 2**20 for key in sizes}
    lines = [
        f"{found['name']}: {found['cold']:.1f} s (of processors {found['cold_cpu']:.1f} s in "
        f"Python, {found['cold_compilers']:.1f} s in C compilers), "
        f"from the cache {found['warm']:.2f} s ({found['warm_cpu']:.2f} s); "
        f"memory {mib['memory']:.0f} MiB ({found['memory_of_weights']:.2f} of the "
        f"{mib['weights']:.0f} MiB of weights), of the largest C compiler "
        f"{mib['memory_compiler']:.0f} MiB, from the cache {mib['memory_warm']:.0f} MiB",
        f"  C: {found['lines']} lines, {found['bytes'] / 1000:.0f} kB; arena {mib['arena']:.2f} "
        f"MiB, {found['arena_ratio']:.3f} of what is needed at once; arrays of loops "
        f"{found['arrays'] / 1024:.0f} KiB",
    ]
    stages = sorted(found["stages"].items(), key=lambda item: -item[1])
    listed = [f"{name} {t:.2f}" for name, t in stages if t >= SLOW * found["cold"]]
    return "\n".join([*lines, f"  seconds: {', '.join(listed)}"])


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.networks.compiling")
    parser.description = __doc__
    parser.add_argument("names", nargs="+", metavar="NETWORK", help="a name, NAME:LAYERS or a path")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--small", action="store_true", help="networks in their small form")
    parser.add_argument("--json", metavar="FILE", help="write the figures there, too")
    parser.add_argument("--child", choices=CHILDREN, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.child:
        found = CHILDREN[args.child](args.names[0], args.threads)
        cpu, compilers = map(processor_seconds, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        print(json.dumps({**found, "peak": peak(), "cpu": cpu, "compilers": compilers}))
        return
    every: list[dict[str, Any]] = []
    for name in args.names:
        every.append(measured(name, args.threads, small=args.small))
        print(shown(every[-1]), flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps(every, indent=2) + "\n")


if __name__ == "__main__":
    main()
