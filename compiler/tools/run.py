"""``opc run``: a graph over arrays from files, or random ones."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opc.errors import UsageError
from opc.runtime.limits import DEFAULT_EXTENT

from .cli import add_extents, add_graph_arguments, chosen_extents, compiled_graph
from .files import say_written
from .progress import shown

if TYPE_CHECKING:
    import numpy as np

_LARGEST_SEED = 1 << 64

_EPILOG = f"""\
Inputs are given by name, from .npy files or from .npz archives; an archive without NAME= gives
every input that it holds by name, and a .npy file without it the only input.  --random makes the
others, in order, from numpy.random.default_rng(SEED): floats are normally distributed, integers
are 0 to 9 (signed: -9 to 9), booleans are even.  A symbolic extent that no given array decides is
{DEFAULT_EXTENT}, or what --extent says.

Element types that NumPy does not know by itself, such as bf16, are saved as raw bytes of their
width (a .npy of |V2), and read back from that.  Labels are saved as Unicode text (<U), dictionaries
as the matrix of their values: a row for each dictionary, a column for each key.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Compiles a graph, runs it, and prints or saves the outputs."
    parser.epilog = _EPILOG
    add_graph_arguments(parser)
    parser.add_argument(
        "--input",
        metavar="[NAME=]FILE",
        action="append",
        default=[],
        help="an array from a .npy file or an .npz archive",
    )
    parser.add_argument(
        "--random", metavar="SEED", help="make the inputs that are not given, from this seed"
    )
    add_extents(parser, "random inputs")
    parser.add_argument(
        "--output",
        metavar="PATH",
        help="save all outputs in an archive if PATH ends in .npz, the only output if it ends in "
        ".npy, and else, in a folder, each as PATH/NAME.npy; with any other suffix, PATH is a "
        "folder if it is there or ends in /",
    )


def run(args: argparse.Namespace) -> int:
    """Compile, run, and print or save; returns the exit code."""
    seed = _seed(args.random)
    output = None if args.output is None else _output(args.output)
    start = time.perf_counter()
    function = compiled_graph(args)
    compiled = time.perf_counter() - start
    interface = function.interface
    if output is not None and output.suffix == ".npy" and len(interface.outputs) != 1:
        raise UsageError(
            f"--output: {args.output} holds one array, and there are {len(interface.outputs)} "
            "outputs; give a folder, or a path that ends in .npz"
        )
    from opc.runtime.arguments import drawn_seed

    from . import arrays

    inputs = arrays.read_inputs(args.input, interface)
    if seed is not None:
        inputs |= arrays.random_inputs(
            seed, interface, inputs, chosen_extents(args, function.lowered)
        )
    elif args.extent:
        raise UsageError("--extent is for --random: given arrays bring their extents")
    if interface.has_seed and interface.inputs[-1].name not in inputs:
        inputs[interface.inputs[-1].name] = drawn_seed()
    missing = [spec.name for spec in interface.inputs if spec.name not in inputs]
    if missing:
        raise UsageError(
            f"missing inputs: {', '.join(missing)}; give --input NAME=FILE, or --random SEED"
        )
    start = time.perf_counter()
    with shown(args) as report:
        report("running")
        result: Any = function.arrays(*(inputs[spec.name] for spec in interface.inputs))
    ran = time.perf_counter() - start
    outputs: list[np.ndarray[Any, Any]] = [result] if len(interface.outputs) == 1 else list(result)
    size = sum(array.nbytes for array in outputs)
    timing = f"results: {size} bytes in {seconds(ran)}, compiled in {seconds(compiled)}"
    if output is not None:
        say_written(arrays.save_outputs(output, interface, outputs))
    else:
        for spec, array in zip(interface.outputs, outputs, strict=True):
            print(arrays.shown(spec, array))
    # Apart from the results, which are the same every time.
    print(timing, file=sys.stderr)
    return 0


def _output(text: str) -> Path:
    """Where results go: a file of a kind that is known, or a folder."""
    path = Path(text)
    if path.suffix in ("", ".npy", ".npz") or text.endswith("/") or path.is_dir():
        return path
    raise UsageError(
        f"--output: {text} ends in {path.suffix}; results are written to .npy and .npz files, or "
        "to a folder: a name without a suffix, or with a / at its end"
    )


def seconds(time: float) -> str:
    """A time to three digits, in the unit that suits it."""
    unit, scale = next(
        (u, s) for u, s in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)) if time >= s or u == "µs"
    )
    return f"{time / scale:.3g} {unit}"


def _seed(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) < _LARGEST_SEED):
        raise UsageError(f"--random: found {text[:40]!r}, expected a number from 0 to 2^64 - 1")
    return int(text)
