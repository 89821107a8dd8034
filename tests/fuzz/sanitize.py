"""Graphs under the sanitizers of C compilers: ``python -m tests.fuzz.sanitize``.

Examples and random graphs are built as the programs that ``opc compile --emit main`` writes, and
run as processes.  Every array is an allocation of exactly its size.  Results between kernels are
laid out apart from each other, and the memory between them is marked as not to be touched::

    python -m tests.fuzz.sanitize --graphs 300                  # addresses, undefined behaviour
    python -m tests.fuzz.sanitize --graphs 100 --tool memory    # reads of what nobody wrote
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from unittest.mock import patch

import numpy as np
from xdsl.dialects.func import FuncOp

from opc.api.driver import load, source_of
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import WORKSPACE, buffer_of, element_in
from opc.dialects.registry import context
from opc.dialects.shape import IndexAttr, shape_of, tensor_of
from opc.emit.outlining import StackSlots
from opc.emit.source import Emitted, emit
from opc.emit.standalone import program
from opc.errors import ArgumentError
from opc.interpret.extents import ITERATIONS
from opc.interpret.graph import evaluate
from opc.kernels import place_buffers, plan_buffers
from opc.loops import place_arrays
from opc.passes import pipeline
from opc.runtime.arguments import bind_symbols, origins
from opc.support.workspace import Slot, bytes_of
from tests.unit.common.samples import moderate

from . import scalars
from .build import FLAGS
from .compare import Difference
from .generate import generate
from .graph import Array, Graph
from .oracle import Oracle, is_refused
from .variants import MARCH

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))
BATCH = 8
"""Graphs in one program."""
SECONDS = 300
GAP = 128
"""Bytes that nothing may touch, between two intermediate results."""
REFUSED = 3
"""The exit code of a program whose inputs do not fit the graph."""


@dataclass(frozen=True)
class Tool:
    """A compiler with sanitizers, and what code calls to mark memory."""

    argv: tuple[str, ...]
    header: str = ""
    mark: str = ""

    @cached_property
    def is_there(self) -> bool:
        """Whether it builds a program that runs."""
        if shutil.which(self.argv[0]) is None:
            return False
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "a.c").write_text("int main(void) { return 0; }\n")
            command = f"{' '.join(self.argv)} a.c -o a && ./a"
            return not subprocess.run(command, shell=True, cwd=name, capture_output=True).returncode


_COMMON = ("-g", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
TOOLS = {
    "address": Tool(
        ("gcc", "-O1", "-fsanitize=address,undefined,float-cast-overflow", *_COMMON),
        "#include <sanitizer/asan_interface.h>",
        "__asan_poison_memory_region",
    ),
    "memory": Tool(("clang", "-O1", "-fsanitize=memory", *_COMMON)),
}
TARGETS = ("baseline", "native")
"""By turns: other instructions, and other C text for them."""

RENAMED = """\
#define main {name}_main
#define OPC_BEFORE_CALL(workspace, bytes) before_call(workspace)
void before_call(void *);
"""
DRIVER = """\
#include <stddef.h>
#include <stdlib.h>
{header}
{declared}

/* Marks parts of the workspace, each by its start and its size. */
void before_call(void *workspace) {{
  char *text = getenv("GAPS");
  while (text != NULL && *text != 0) {{
    char *const at = (char *)workspace + strtoull(text, &text, 10);
    const size_t size = strtoull(text, &text, 10);
{mark}    text += *text == ' ';
    (void)at, (void)size;
  }}
}}

int main(int argc, char **argv) {{
  int (*const mains[])(int, char **) = {{{mains}}};
  return mains[atoi(argv[1])](argc - 1, argv + 1);
}}
"""


@dataclass
class Case:
    """A graph as a program, and what it is called with."""

    name: str
    graph: Graph
    emitted: Emitted
    taken: list[tuple[ex.Expr, ex.Expr]]
    """Start and end in the workspace of each intermediate result and local array, in bytes."""
    end: ex.Expr
    """Where the part of the workspace ends that they are in."""
    inputs: list[list[Array]] = field(default_factory=list[list[Array]])

    @property
    def symbols(self) -> set[str]:
        """The symbols that places depend on; some are known only where the graph is computed."""
        return set().union(self.end.symbols(), *(e.symbols() for span in self.taken for e in span))

    def gaps(self, symbols: dict[str, int]) -> list[tuple[int, int]]:
        """Start and size of each part of the workspace between results."""
        found, at = list[tuple[int, int]](), 0
        spans = sorted((a.evaluate({}, symbols), b.evaluate({}, symbols)) for a, b in self.taken)
        for start, end in [*spans, (self.end.evaluate({}, symbols),) * 2]:
            if start > at:
                found.append((at, start - at))
            at = max(at, end)
        return found


def apart(slots: Sequence[Slot]) -> tuple[dict[object, ex.Expr], ex.Expr]:
    """In place of ``workspace.place``: nothing shares memory."""
    offsets: dict[object, ex.Expr] = {}
    end = ex.const(GAP)
    for slot in slots:
        offsets[slot.value] = end
        end = end + slot.size + GAP
    return offsets, end


def case(name: str, graph: Graph, target: str) -> Case:
    """The C of a graph whose intermediate results lie apart."""
    work = source_of(load(str(graph.module)), None)
    with (
        patch.object(plan_buffers, "place", apart),
        patch.object(place_buffers, "place", apart),
        patch.object(place_arrays, "place", apart),
    ):
        pipeline.run(work, context(), pipeline.passes("loops"), target=target)
        function = work.body.block.first_op
        assert isinstance(function, FuncOp)
        local = StackSlots(function, 1)
        emitted = emit(function, name)
    taken = [_span(op, local) for op in function.walk() if isinstance(op, loop.SliceOp)]
    for array, place in local.in_workspace.items():
        start = place.offset + (local.shared_bytes if place.is_of_thread else 0)
        taken.append((start, start + bytes_of(buffer_of("loop.local", array))))
    end = function.attributes[WORKSPACE]
    assert isinstance(end, IndexAttr)
    inputs = [graph.inputs, *graph.others]
    return Case(name, graph, emitted, taken, end.data[0] + local.total_bytes, inputs)


def _span(op: loop.SliceOp, local: StackSlots) -> tuple[ex.Expr, ex.Expr]:
    start = op.offset.data[0] + local.total_bytes
    return start, start + ex.product(shape_of(op.result.type)) * element_in(op.result).bytes


def example(path: Path) -> Graph:
    """An example with inputs."""
    module = load(path)
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    inputs = list[Array]()
    for k, arg in enumerate(function.args):
        type = el.element_of(tensor_of(arg).element_type)
        assert type is not None
        shape = [e.constant if e.constant is not None else 7 for e in shape_of(arg.type)]
        inputs.append(moderate(type, shape, k))
    return Graph(path.stem, module, inputs)


@dataclass
class Report:
    """What some graphs gave."""

    calls: int = 0
    refused: int = 0
    guarded: int = 0
    """Calls in whose workspace memory was marked."""
    found: list[str] = field(default_factory=list[str])

    def add(self, other: Report) -> None:
        self.calls += other.calls
        self.refused += other.refused
        self.guarded += other.guarded
        self.found += other.found


class Batch:
    """Graphs in one program of a tool, in a folder."""

    def __init__(self, folder: Path, tool: Tool, cases: Sequence[Case], target: str) -> None:
        self.folder, self.cases, self.marks = folder, cases, bool(tool.mark)
        for c in cases:
            weights = c.emitted.weights
            if weights is not None:
                (folder / f"{c.name}.bin").write_bytes(weights.tobytes())
            size = 0 if weights is None else weights.nbytes
            main = program(c.emitted.interface, size)
            (folder / f"{c.name}.c").write_text(c.emitted.source)
            (folder / f"{c.name}.h").write_text(c.emitted.header)
            (folder / f"{c.name}.main.c").write_text(RENAMED.format(name=c.name) + main)
        names = [c.name for c in cases]
        declared = "\n".join(f"int {n}_main(int, char **);" for n in names)
        listed = ", ".join(f"{n}_main" for n in names)
        mark = f"    {tool.mark}(at, size);\n" if tool.mark else ""
        text = DRIVER.format(header=tool.header, mark=mark, declared=declared, mains=listed)
        (folder / "driver.c").write_text(text)
        march = [MARCH[target]] if target in MARCH else []
        files = sorted(path.name for path in folder.glob("*.c"))
        command = [*tool.argv, *march, *FLAGS, "-o", "out", *files, "-lm"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr[:2000]}")

    def run(self) -> Report:
        """Call each graph on all of its inputs, one process for each call."""
        report = Report()
        for k, c in enumerate(self.cases):
            for inputs in c.inputs:
                what = self._call(k, c, inputs, report)
                if what:
                    shapes = [x.shape for x in inputs]
                    report.found.append(f"{c.graph.name}, inputs of {shapes}: {what}")
                    break
        return report

    def _call(self, k: int, c: Case, inputs: Sequence[Array], report: Report) -> str:
        interface = c.emitted.interface
        try:
            symbols = bind_symbols(interface, origins(interface), inputs)
        except ArgumentError as error:
            report.refused += 1
            return "" if is_refused(c.graph, inputs) else f"refused: {error}"
        symbols |= dict.fromkeys(interface.capacities, ITERATIONS)
        dims = [str(symbols[name]) for name in interface.dims]
        ins = [f"in{j}" for j in range(len(inputs))]
        outs = [f"out{j}" for j in range(len(interface.outputs))]
        for name, x in zip(ins, inputs, strict=True):
            (self.folder / name).write_bytes(x.tobytes())
        weights = [f"{c.name}.bin"] if interface.has_weights else []
        environment = dict(os.environ)
        known = {**(c.graph.symbols if inputs is c.graph.inputs else {}), **symbols}
        if self.marks and c.symbols <= known.keys():
            gaps = c.gaps(known)
            environment["GAPS"] = "".join(f"{start} {size} " for start, size in gaps)
            report.guarded += bool(c.taken)
        report.calls += 1
        done = subprocess.run(
            ["./out", str(k), *dims, *ins, *weights, *outs],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
        if done.returncode not in (0, REFUSED) or (done.stderr and done.returncode == 0):
            return f"exit code {done.returncode}\n{done.stderr[:3000]}"
        try:
            wanted = evaluate(c.graph.function, inputs)
        except ArgumentError:
            report.refused += 1
            return "" if done.returncode == REFUSED else "computed, but the interpreter refuses"
        if done.returncode:
            report.refused += 1
            return "" if is_refused(c.graph, inputs) else f"refused: {done.stderr}"
        found = [
            np.frombuffer((self.folder / name).read_bytes(), w.dtype).reshape(w.shape)
            for name, w in zip(outs, wanted, strict=True)
        ]
        try:
            check(c.graph, inputs, found)
        except Difference as error:
            return str(error)
        return ""


def check(graph: Graph, inputs: Sequence[Array], found: Sequence[Array]) -> None:
    """Difference unless these are the results of the graph."""
    Oracle(graph, inputs).check(found)


def batch(tool: str, seed: int, numbers: Sequence[int]) -> Report:
    """The graphs of some numbers under a tool."""
    target = TARGETS[numbers[0] // BATCH % len(TARGETS)]
    cases = [case(f"g{n}", generate(seed, n), target) for n in numbers]
    with tempfile.TemporaryDirectory(prefix="opc-fuzz-") as name:
        return Batch(Path(name), TOOLS[tool], cases, target).run()


def examples(tool: str, paths: Sequence[Path] = EXAMPLES) -> Report:
    """Examples under a tool."""
    cases = [case(path.stem, example(path), "native") for path in paths]
    with tempfile.TemporaryDirectory(prefix="opc-fuzz-") as name:
        return Batch(Path(name), TOOLS[tool], cases, "native").run()


def _job(job: tuple[str, int, Sequence[int]]) -> Report:
    tool, seed, numbers = job
    return batch(tool, seed, numbers) if numbers else examples(tool)


def reports(tool: str, seed: int, count: int, jobs: int) -> Iterator[Report]:
    """The examples and so many graphs under a tool."""
    # The oracle needs it, and processes to come share it.
    scalars.library()
    numbers = [range(k, min(k + BATCH, count)) for k in range(0, count, BATCH)]
    work = [(tool, seed, n) for n in (range(0), *numbers)]
    with mp.get_context("fork").Pool(jobs) as pool:
        yield from pool.imap_unordered(_job, work)


def main() -> int:
    """Run; the exit code is 1 if anything is found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.sanitize")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--graphs", type=int, default=300)
    parser.add_argument("--tool", choices=list(TOOLS), default="address")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    if not TOOLS[options.tool].is_there:
        print(f"{TOOLS[options.tool].argv[0]} has no such sanitizer here")
        return 1
    start, total = time.perf_counter(), Report()
    for report in reports(options.tool, options.seed, options.graphs, options.jobs):
        total.add(report)
        print(*report.found, sep="\n\n", end="\n" if report.found else "", flush=True)
    seconds = time.perf_counter() - start
    print(
        f"{options.tool}: {len(EXAMPLES)} examples and {options.graphs} graphs, "
        f"{total.calls} calls ({total.refused} refused, {total.guarded} with marked memory), "
        f"{len(total.found)} reports in {seconds:.0f} s"
    )
    return 1 if total.found else 0


if __name__ == "__main__":
    sys.exit(main())
