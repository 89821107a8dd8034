"""Damaged graphs: each is read and lowered, or ends in an error of opc, within limits.

From the root of the repository::

    python -m tests.fuzz.mutate                               # 2,000 mutants
    python -m tests.fuzz.mutate --seed 7 --mutants 20000      # the long form
    python -m tests.fuzz.mutate --seed 7 --mutant 123         # one again, with its files

Nothing else may happen: no other exception, no signal, no more than 10 s and 1 GiB.  One in
twenty of those that become C is compiled, too.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from xdsl.dialects.func import FuncOp

from opc.api import driver
from opc.errors import OpcError
from opc.runtime import toolchain

from .mutate_kinds import CHANGES
from .mutate_limits import Outcome, outcome, run
from .mutate_seeds import Files, seeds

COMPILED = 20
"""Of so many mutants that become C, one is compiled."""

FORMATS = ((".mlir", 45), (".onnx", 25), (".xml", 20), (".onnxtxt", 10))
"""The formats, and how many of a hundred mutants each gets."""


def mutant(seed: int, index: int) -> tuple[str, Files]:
    """The name of the seed, and the files of a mutant; the same ones in every process."""
    rng = random.Random(f"{seed}:{index}")
    suffix = rng.choices(*zip(*FORMATS, strict=True))[0]
    names = [n for n, files in seeds().items() if next(iter(files)).endswith(suffix)]
    valid = [n for n in names if n in sound()]
    name, other = rng.choice(valid if rng.random() < 0.7 else names), rng.choice(names)
    files = dict(seeds()[name])
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        # Data is seldom read for more than its size.
        file = next(iter(files)) if rng.random() < 0.9 else rng.choice(list(files))
        source = next(iter(seeds()[other].values()))
        change = rng.choice(CHANGES[Path(file).suffix])
        files[file] = change(rng, files[file], source)
    return name, files


@functools.cache
def sound() -> frozenset[str]:
    """The seeds that can be lowered: what they become goes further than the others."""
    found: set[str] = set()
    for name, files in seeds().items():
        with tempfile.TemporaryDirectory() as folder, contextlib.suppress(OpcError):
            lower(files, Path(folder))
            found.add(name)
    return frozenset(found)


def lower(files: Files, folder: Path) -> driver.Lowered:
    """Write the files into a folder, read the graph and lower its first function."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    module = driver.load(str(folder / next(iter(files))))
    functions = [op for op in module.body.ops if isinstance(op, FuncOp)]
    # Bodies of control flow are private.
    public = [f for f in functions if f.sym_visibility is None]
    return driver.lower(module, function=(public or functions)[0].sym_name.data)


def attempt(seed: int, index: int) -> str:
    """Lower a mutant; what became of it, or an OpcError."""
    _, files = mutant(seed, index)
    with tempfile.TemporaryDirectory(prefix="opc-mutant-") as name:
        lowered = lower(files, Path(name))
    if index % COMPILED:
        return "lowered"
    compiler = toolchain.find_compiler()
    try:
        toolchain.translate(compiler, lowered.c_source, "obj", target="baseline")
    except toolchain.ToolchainError as error:
        raise AssertionError(f"the C cannot be compiled: {error}") from None
    return "compiled"


def outcomes(seed: int, indices: Iterable[int], workers: int = 2) -> Iterable[Outcome]:
    """What becomes of mutants."""
    sound()  # and with that, everything that the processes need is loaded
    return run(list(indices), lambda index: attempt(seed, index), workers)


def main(args: list[str] | None = None) -> int:
    """Entry point; 1 if there is a defect."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.mutate", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--mutant", type=int, help="only this one, in this process")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(args)
    if options.mutant is not None:
        return _again(options.seed, options.mutant)
    start, kinds, slowest, defects = time.monotonic(), Counter[str](), Outcome(0, ""), 0
    indices = range(options.first, options.first + options.mutants)
    for found in outcomes(options.seed, indices, options.workers):
        kinds[found.kind] += 1
        slowest = max(slowest, found, key=lambda o: o.seconds)
        if found.is_defect:
            defects += 1
            name = mutant(options.seed, found.index)[0]
            print(f"--- mutant {found.index} of seed {options.seed} ({name}): {found.kind}")
            print(found.message, flush=True)
    listed = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    print(
        f"{options.mutants} mutants, seed {options.seed}: {listed}; {defects} defects; "
        f"slowest {slowest.seconds:.1f} s (mutant {slowest.index}); "
        f"{time.monotonic() - start:.0f} s"
    )
    return int(defects > 0)


def _again(seed: int, index: int) -> int:
    name, files = mutant(seed, index)
    folder = Path(tempfile.mkdtemp(prefix=f"mutant-{seed}-{index}-"))
    for file, content in files.items():
        (folder / file).write_bytes(content)
    print(f"{name}, written to {folder}")
    found = outcome(index, lambda index: attempt(seed, index))
    print(f"{found.kind} after {found.seconds:.1f} s\n{found.message}")
    return int(found.is_defect)


if __name__ == "__main__":
    sys.exit(main())
