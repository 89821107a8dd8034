"""``opc bench``: how fast a graph runs, beside other libraries and a copy of as many bytes.

Measuring itself (:func:`alternate`) and the other libraries are functions that the benchmarks of
the repository call too.  What each loop takes is measured by ``opc.tools.profile``.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from opc.errors import UsageError

from .cli import Words, add_dims, add_graph_arguments, compiled_graph, count, options_of
from .files import write_all
from .progress import shown

if TYPE_CHECKING:
    import numpy as np

    from opc.driver import Function

    Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

Call = Callable[[], object]

SAMPLE = 0.002
"""Seconds that a sample takes at least: far above the resolution of the clock."""

PAUSE = 0.01
"""Seconds of a pause, in which no thread of the process may compute for more than a tenth."""

LONGEST = 1.0
"""Seconds of pauses after which it is taken that threads never stop."""

WARM = 0.02
"""Seconds of calls that do not count after a pause.

A processor that slept is slow to come back: on a virtual machine of two processors, calls in the
first 10 ms took up to 1.7 times as long with two threads in the median, after 20 ms no longer.
"""

SLOW = 0.25
"""Seconds for one call above which it takes part in few rounds."""

ENOUGH = 3
"""How many rounds are few, but enough."""

FAR = 1e-3
"""From this relative difference on, the results of a peer are said to differ."""

_COPIED = "copy"

_EPILOG = """\
Inputs are random, as 'opc run --random 0' makes them; a symbolic extent is 8, or what --dim says.
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
    add_dims(parser)
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
    # The libraries read it when they are loaded.
    os.environ["OMP_NUM_THREADS"] = str(args.threads)
    from opc.runtime.native import new_array
    from opc.tools.profile.roofline import copy

    from .arrays import random_inputs

    function = compiled_graph(args)
    inputs = random_inputs(0, function.interface, {}, dict(args.dim))
    values = [inputs[spec.name] for spec in function.inputs]
    found, shapes = function(*values), function.output_shapes(*values)
    results: list[Array] = [found] if len(function.outputs) == 1 else list(found)
    names = [spec.name for spec in function.outputs]

    made = [new_array(s, o.dtype) for s, o in zip(shapes, function.outputs, strict=True)]
    out: Any = made[0] if len(made) == 1 else tuple(made)
    calls: dict[str, Call] = {"opc": lambda: function(*values, out=out)}
    notes: dict[str, str] = {}
    for name in peers:
        outputs = {key: array.copy() for key, array in zip(names, results, strict=True)}
        for array in outputs.values():
            # What no result is, so that one that is not written is noticed.
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
        "extents": dict(args.dim),
        "bytes": size,
        "seconds": {name: statistics.median(found) for name, found in samples.items()},
        "samples": samples,
        "notes": {name: note for name, note in notes.items() if note},
    }
    files: dict[str, str] = {}
    if args.nodes or args.trace:
        found, traced = _loops(args, function, values)
        content |= found
        files |= {args.trace: traced} if args.trace else {}
    if args.json:
        files[args.json] = json.dumps(content, indent=1) + "\n"
    for path, text in files.items():
        for written, length in write_all(Path(path).parent, {Path(path).name: text.encode()}):
            print(f"wrote {written} ({length} bytes)")
    return 0


def _loops(
    args: argparse.Namespace, function: Function, values: list[Array]
) -> tuple[dict[str, Any], str]:
    """Measure the loops and print them; what is known of them, and the trace of a call."""
    from opc.tools.profile.timing import stepped

    from .profile import report

    graph = stepped(function.lowered.read(), options_of(args))
    loops, times, machine = report.profiled(graph, values, args.rounds)
    if args.nodes:
        print(f"{len(loops)} loops, {times.total * 1e6:.2f} us in all with clock reads")
        print("\n".join(report.table(loops)))
    found = {
        "machine": {"copy": machine.bandwidth, "peak": machine.peak},
        "loops": [loop.as_json() for loop in loops],
    }
    return found, report.trace(args.graph, loops, times)


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


def peer_model(graph: str, peer: str) -> str | bytes:
    """What a peer reads: the path of the model, or its bytes where the file is text."""
    suffix = Path(graph).suffix.lower()
    if suffix == ".onnxtxt":
        from opc.frontend.onnx.file import load_model

        return load_model(graph).proto.SerializeToString()
    if suffix == ".onnx" or (suffix == ".xml" and peer == "openvino"):
        return graph
    raise TypeError(f"does not read {suffix or 'standard input'}")


def _distance(found: Array, expected: Array) -> float:
    """The largest difference, relative to the value and to the mean; NaN is equal to NaN."""
    import numpy as np

    if expected.size == 0 or np.array_equal(found, expected):
        return 0.0
    one, other = found.astype(np.float64), expected.astype(np.float64)
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    finite = np.abs(np.where(np.isfinite(other), other, 0.0))
    scale = finite + finite.mean() + np.finfo(np.float64).tiny
    with np.errstate(invalid="ignore", over="ignore"):
        far = np.where(same, 0.0, np.abs(one - other) / scale)
    return float(np.where(np.isnan(far), np.inf, far).max())


def alternate(
    calls: Mapping[str, Call],
    rounds: int,
    threads: int = 1,
    is_quiet: Callable[[], bool] = lambda: True,
) -> dict[str, list[float]]:
    """Seconds for a call of each, measured in turns: one sample of each in every round.

    A sample is as many calls as take :data:`SAMPLE`.  Every other round goes backwards, and each
    pair of rounds begins with another.  Before each sample there are calls that do not count, so
    that nobody starts from the state in which another left the caches.  Above one thread there are
    pauses as well: workers of a library wait actively for some milliseconds after a call, those of
    onnxruntime for 50, and would take a processor from the next.  The calls
    that do not count are more after that, since processors sleep meanwhile.

    ``is_quiet`` is asked before the first round and after each one whether nothing disturbed it.
    Rounds that were disturbed are made again, until there are twice as many in all; they count
    only if there are hardly any others.
    """
    numbers: dict[str, int] = {}
    for name, call in calls.items():
        call()
        number = 1
        # The faster of two: one that is interrupted would seem long enough.
        while (seconds := min(_sample(call, number) for _ in range(2))) < SAMPLE:
            number = max(2 * number, min(16 * number, int(number * SAMPLE / max(seconds, 1e-9))))
        numbers[name] = number
    quiet: dict[str, list[float]] = {name: [] for name in calls}
    disturbed: dict[str, list[float]] = {name: [] for name in calls}
    is_quiet()
    for turn in range(2 * rounds):
        start = turn // 2 % len(calls)
        names = list(calls)[start:] + list(calls)[:start]
        names = names[::-1] if turn % 2 else names
        found: dict[str, float] = {}
        for name in names:
            known = quiet[name] + disturbed[name]
            if len(known) >= ENOUGH and min(known) > SLOW:
                continue
            if threads > 1:
                _rest()
            ready = time.perf_counter() + (WARM if threads > 1 else 0.0)
            _sample(calls[name], max(1, numbers[name] // 4))
            while time.perf_counter() < ready:
                _sample(calls[name], max(1, numbers[name] // 4))
            found[name] = _sample(calls[name], numbers[name]) / numbers[name]
        samples = quiet if is_quiet() else disturbed
        for name, seconds in found.items():
            samples[name].append(seconds)
        if max(map(len, quiet.values())) == rounds:
            break
    enough = min(ENOUGH, rounds)
    return {
        name: found if len(found) >= enough else found + disturbed[name]
        for name, found in quiet.items()
    }


def _rest() -> None:
    """Wait until no thread of this process computes."""
    end = time.perf_counter() + LONGEST
    while time.perf_counter() < end:
        start, used = time.perf_counter(), time.process_time()
        time.sleep(PAUSE)
        if time.process_time() - used < 0.1 * (time.perf_counter() - start):
            return


def _sample(call: Call, number: int) -> float:
    was = gc.isenabled()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(number):
            call()
        return time.perf_counter() - start
    finally:
        if was:
            gc.enable()


def onnxruntime_call(
    model: str | bytes, inputs: Mapping[str, Array], outputs: Mapping[str, Array], threads: int
) -> Call:
    """A call of onnxruntime over these very arrays.

    Raises ImportError, and whatever onnxruntime raises for a model that it cannot run.
    """
    ort: Any = import_module("onnxruntime")
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for bind, arrays in ((binding.bind_input, inputs), (binding.bind_output, outputs)):
        for name, array in arrays.items():
            bind(name, "cpu", 0, _onnx_type(array), list(array.shape), array.ctypes.data)
    run = session.run_with_iobinding

    def call() -> object:
        run(binding)
        return outputs

    return call


def _onnx_type(array: Array) -> Any:
    if array.dtype.name != "bfloat16":
        return array.dtype.type
    return import_module("onnx").TensorProto.BFLOAT16


def openvino_call(
    model: str | bytes, inputs: Mapping[str, Array], outputs: Mapping[str, Array], threads: int
) -> Call:
    """A call of OpenVINO over these very arrays, computing in f32 where the model does.

    Raises ImportError, and whatever OpenVINO raises for a model that it cannot run.
    """
    ov: Any = import_module("openvino")
    core = ov.Core()
    network = core.read_model(model)
    for port, array in zip(network.inputs, inputs.values(), strict=True):
        if port.get_element_type().get_type_name() != _openvino_type(array):
            raise TypeError(f"input {port.any_name!r} is {port.get_element_type()}")
    compiled = core.compile_model(
        network,
        "CPU",
        {
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "PERFORMANCE_HINT": "LATENCY",
            "EXECUTION_MODE_HINT": "ACCURACY",
            "INFERENCE_PRECISION_HINT": "f32",
        },
    )
    request = compiled.create_infer_request()
    for number, array in enumerate(inputs.values()):
        request.set_input_tensor(number, _openvino_tensor(ov, array))
    for number, array in enumerate(outputs.values()):
        request.set_output_tensor(number, _openvino_tensor(ov, array))
    infer = request.infer

    def call() -> object:
        infer(share_outputs=True)
        return outputs

    return call


_OPENVINO_TYPES = {
    **{"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16"},
    **{"bool": "boolean", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64"},
    **{"uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64"},
}


def _openvino_type(array: Array) -> str:
    return _OPENVINO_TYPES.get(array.dtype.name, array.dtype.name)


def _openvino_tensor(ov: Any, array: Array) -> Any:
    if array.dtype.name == "bfloat16":
        return ov.Tensor(array.view("u2"), list(array.shape), ov.Type.bf16)
    return ov.Tensor(array, shared_memory=True)


PEERS: dict[str, Callable[..., Call]] = {
    "onnxruntime": onnxruntime_call,
    "openvino": openvino_call,
}
"""Other libraries by the names of their packages."""
