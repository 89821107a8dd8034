"""Frames stay under 16 KiB; what has no room there lies in the workspace, for each thread apart."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.api.driver import Lowered, Options, load, lower
from opc.loops import outline_loops
from opc.support.target import FRAME, LOOPS
from tests.unit.common.emission_corpus import GRAPHS
from tests.unit.common.speed_graphs import layers

pytestmark = pytest.mark.level("-O3")

LIMIT = FRAME
BUILDS = (
    ["gcc", "-O0"],
    ["gcc", "-O1"],
    ["gcc", "-O3", "-march=native", "-pthread"],
    ["clang", "-O0"],
    ["clang", "-O3", "-march=native"],
)


def matmul(left: tuple[int | str, ...], right: tuple[int | str, ...]) -> str:
    def tensor(shape: tuple[int | str, ...]) -> str:
        extents = "x".join(str(e) if isinstance(e, int) else "?" for e in shape)
        names = ", ".join(map(str, shape))
        return f"tensor<{extents}xf32, #opc.dims<{names}>>"

    result = tensor((*left[:-1], right[-1]))
    return f"""
func.func @main(%a: {tensor(left)}, %b: {tensor(right)}) -> {result} {{
  %r = opc.matmul %a, %b
  return %r : {result}
}}"""


LINE = "tensor<64xf32>"
MIDDLE = """
func.func @main(%x: tensor<?x?x1024xf32, #opc.dims<B, N, 1024>>)
    -> tensor<?x1024xf32, #opc.dims<B, 1024>> {
  %e = opc.exp %x
  %s = opc.reduce_sum %e {axes = [1]}
  return %s : tensor<?x1024xf32, #opc.dims<B, 1024>>
}"""
COLUMNS = """
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %m = opc.reduce_max %x {axes = [0], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [0], keepdims = true}
  %y = opc.div %e, %s
  return %y : tensor<4096x1024xf32>
}"""
TEXTS = {
    "middle": MIDDLE,
    "heads": matmul(("B", "H", "T", "T"), ("B", "H", "T", 32)),
    "matmul M,K K,N": matmul(("M", "K"), ("K", "N")),
    "matmul M,64 64,N": matmul(("M", 64), (64, "N")),
    "matmul M,4096 4096,1000": matmul(("M", 4096), (4096, 1000)),
    "matmul 1,768 768,3072": matmul((1, 768), (768, 3072)),
    "matmul 8,12,197,197": matmul((8, 12, 197, 197), (8, 12, 197, 64)),
    "softmax down columns": COLUMNS,
    "transposed add": """
func.func @main(%x: tensor<4096x1024xf32>, %y: tensor<1024x4096xf32>) -> tensor<4096x1024xf32> {
  %t = opc.transpose %y {permutation = [1, 0]}
  %r = opc.add %x, %t
  return %r : tensor<4096x1024xf32>
}""",
    "convolution": """
func.func @main(%x: tensor<2x64x56x56xf16>, %w: tensor<64x64x3x3xf16>) -> tensor<2x64x56x56xf16> {
  %r = opc.conv %x, %w {pads = [1, 1, 1, 1]}
  return %r : tensor<2x64x56x56xf16>
}""",
    "many layers": layers(200),
    "column sums": GRAPHS["column sums"],
    "reductions f32, symbolic": GRAPHS["reductions f32, symbolic"],
}


@cache
def lowered(name: str, threads: int) -> Lowered:
    return lower(load(TEXTS[name]), Options(prefix="graph", threads=threads))


@pytest.mark.sample(8)
@pytest.mark.parametrize("build", BUILDS, ids=" ".join)
@pytest.mark.parametrize("name", TEXTS)
def test_frames_stay_small(name: str, build: list[str], tmp_path: Path) -> None:
    if shutil.which(build[0]) is None:
        pytest.skip(f"{build[0]} is not installed")
    path = tmp_path / "graph.c"
    path.write_text(lowered(name, 4).c_source, encoding="utf-8")
    command = [*build, "-w", "-fstack-usage", "-c", str(path), "-o", str(tmp_path / "graph.o")]
    subprocess.run(command, check=True)
    for line in (tmp_path / "graph.su").read_text().splitlines():
        function, size, *_ = line.split("\t")
        assert int(size) < LIMIT, function


def test_each_thread_has_a_part() -> None:
    """The size grows with their number, and no more threads than that share the loop."""
    one, four = (lowered("middle", threads) for threads in (1, 4))
    assert one.interface.workspace is not None and four.interface.workspace is not None
    # 40 levels of a cascade over 1024 columns of f32.
    assert one.interface.workspace >= 40 * 1024 * 4
    assert four.interface.workspace == 4 * one.interface.workspace
    assert "opc_share(" not in one.c_source
    assert re.search(r"opc_share\([^;]*, 4, [^;]*\);", four.c_source)
    arrays = re.findall(r"\b(levels0|row\d)\[\d+\];", four.c_source)
    assert "levels0" not in arrays


@pytest.mark.parametrize("name", ["middle", "softmax down columns"])
def test_threads_do_not_meet(name: str) -> None:
    """The bits are those of one thread."""
    rng = np.random.default_rng(0)
    dims = {"B": 7, "N": 300}
    specs = lowered(name, 1).interface.inputs
    shapes = [[e if isinstance(e, int) else dims[e] for e in spec.shape] for spec in specs]
    inputs = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    alone = opc.compile(TEXTS[name], threads=1)(*inputs)
    shared = opc.compile(TEXTS[name], threads=3)
    for _ in range(5):
        np.testing.assert_array_equal(shared(*inputs), alone)


KINDS = ("sum", "prod", "max", "l1", "sum_square", "log_sum", "l2")


def test_what_a_loop_adds_up_reaches_what_follows() -> None:
    """A loop with many arrays is no function where it changes scalars or lanes of its caller."""
    results = ", ".join(["tensor<f16>"] * len(KINDS))
    lines = "\n".join(
        f"  %{kind} = opc.reduce_{kind} %x {{axes = [0]}} : tensor<256xf16> -> tensor<f16>"
        for kind in KINDS
    )
    text = f"""func.func @main(%x: tensor<256xf16>) -> ({results}) {{
{lines}
  return {", ".join("%" + kind for kind in KINDS)} : {results}
}}"""
    x = np.where(np.arange(256) % 4 == 0, -1, 1).astype(np.float16)
    found = [float(r) for r in opc.compile(text)(x)]
    assert found == [128, 1, 1, 256, 256, float(np.float16(np.log(128))), 16]


DRIVER = """\
#include "graph.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char stack[1 << 20] __attribute__((aligned(4096)));
static int64_t shapes[4];

static void *call(void *unused) {
  size_t bytes = 0;
  float *x = calloc(1 << 18, 4), *r = calloc(1 << 18, 4);
  if (graph_plan(2, 128, x, shapes, &bytes) == 0) {
    void *workspace = aligned_alloc(64, bytes);
    if (graph_run(2, 128, x, r, workspace) == 0) {
      return stack;
    }
  }
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  void *result = NULL;
  memset(stack, 0x5a, sizeof stack);
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, sizeof stack);
  pthread_create(&thread, &attributes, call, NULL);
  pthread_join(thread, &result);
  size_t unused = 0;
  while (unused < sizeof stack && stack[unused] == 0x5a) {
    ++unused;
  }
  printf("%zu\\n", sizeof stack - unused);
  return result == NULL;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O3"])
def test_the_stack_is_that_of_the_header(level: str, tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    low = lowered("middle", 1)
    stated = re.search(r"less than (\d+) KiB of stack", low.header)
    assert stated
    (tmp_path / "graph.c").write_text(low.c_source, encoding="utf-8")
    (tmp_path / "graph.h").write_text(low.header, encoding="utf-8")
    (tmp_path / "main.c").write_text(DRIVER, encoding="utf-8")
    command = ["gcc", level, "-w", "-pthread", "main.c", "graph.c", "-o", "main", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    # The system's own part of a thread's stack is in this.
    assert 4096 < int(done.stdout) < int(stated[1]) << 10


def test_no_function_has_many_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compilers take more than twice the time for a function with twice as many loops."""
    count = 200
    lines = [f"  %{k + 1} = opc.sigmoid %{k}" for k in range(count)]
    text = "func.func @main(%0: tensor<64xf32>) -> tensor<64xf32> {\n"
    text += "\n".join(lines) + f"\n  func.return %{count} : tensor<64xf32>\n}}"
    # Equal ones would be one function.
    monkeypatch.setattr(outline_loops, "equal_loops", lambda _: {})
    function = opc.compile(text, cache=None)
    bodies = re.split(r"\n(?=\S.*\()", function.c_source)
    assert sum(body.count("  for (") for body in bodies) >= count
    assert max(body.count("\n  for (") for body in bodies) <= LOOPS
    fixed = 0.659046068  # sigmoid of itself
    np.testing.assert_allclose(function(np.zeros(64, np.float32)), fixed, rtol=1e-6)


def test_sums_in_registers_stay_there_among_many_loops() -> None:
    """Each of more than 64 loops is a function, but for those along sums in registers."""
    steps = "\n".join(f"  %n{k + 1} = opc.sigmoid %n{k} : {LINE} -> {LINE}" for k in range(LOOPS))
    text = f"""
func.func @main(%x: tensor<1x1x256x1xf32>, %w: tensor<1x1x5x3xf32>, %n0: {LINE})
    -> (tensor<1x1x252x1xf32>, {LINE}) {{
  %c = opc.conv %x, %w {{strides = [1, 2], dilations = [1, 1], pads = [0, 2, 0, 0]}}
{steps}
  return %c, %n{LOOPS} : tensor<1x1x252x1xf32>, {LINE}
}}"""
    function = opc.compile(text, fuse=False)
    assert re.search(r"^ +opc_f32v\d+ sums0\[", function.c_source, re.M)
    x, w = np.arange(256, dtype=np.float32), np.ones((1, 1, 5, 3), np.float32)
    found, _ = function(x.reshape(1, 1, 256, 1), w, np.zeros(64, np.float32))
    np.testing.assert_array_equal(found.reshape(-1), np.convolve(x, np.ones(5), "valid"))


DEPTH = 16
"""Levels of bodies, so many that without optimization they take more stack than all else."""


def nested(levels: int) -> str:
    """Loops in loops, each with a softmax and a product in its body."""
    x, w = "tensor<64x96xf32>", "tensor<96x96xf32>"

    def call(k: int, value: str) -> str:
        return f"%y = opc.scan @f{k} <2> carry (%{value}) with (%w) : ({x}, {w}) -> ({x})"

    texts = [
        f"func.func @main(%x: {x}, %w: {w}) -> {x} {{\n  {call(1, 'x')}\n  return %y : {x}\n}}"
    ]
    for k in range(1, levels + 1):
        texts.append(f"""func.func private @f{k}(%x: {x}, %w: {w}) -> {x} {{
  %a = opc.matmul %x, %w
  %m = opc.reduce_max %a {{axes = [1], keepdims = true}}
  %d = opc.sub %a, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {{axes = [1], keepdims = true}}
  %q = opc.div %e, %s
  {call(k + 1, "q") if k < levels else "%y = opc.tanh %q"}
  return %y : {x}
}}""")
    return "\n".join(texts)


@pytest.mark.long
def test_the_header_says_what_bodies_in_bodies_take(tmp_path: Path) -> None:
    """Each body has a frame, so calls that go into many of them take more than others."""
    low = lower(load(nested(DEPTH)), Options(prefix="graph"))
    assert f"A call takes less than {64 + DEPTH * 16} KiB" in " ".join(low.header.split())
    (tmp_path / "graph.c").write_text(low.c_source, encoding="utf-8")
    stated = {k: lower(load(nested(k)), Options(prefix="graph")).header for k in (1, 2)}
    assert "less than 80 KiB" in stated[1] and "less than 96 KiB" in stated[2]
    for build in BUILDS:
        if shutil.which(build[0]) is None:
            continue
        command = [*build, "-w", "-fstack-usage", "-c", "graph.c", "-o", "graph.o"]
        subprocess.run(command, check=True, cwd=tmp_path)
        lines = (tmp_path / "graph.su").read_text().splitlines()
        sizes = {line.split("\t")[0]: int(line.split("\t")[1]) for line in lines}
        bodies = sum(size for name, size in sizes.items() if "_body" in name)
        others = sorted(size for name, size in sizes.items() if "_body" not in name)
        assert bodies + sum(others[-3:]) < (64 + DEPTH * 16) << 10
        if build[1] == "-O0":
            assert bodies + others[-1] > 64 << 10, "the text would be right without bodies"


WINDOWS = """
func.func @main(%a: tensor<7x12xf32>, %c: tensor<1x1xi1>, %b: tensor<7x12xf32>,
                %u: tensor<7x12xui32>, %i: tensor<7x2xi64>)
    -> (tensor<7x10x3xui32>, tensor<7xf32>, tensor<35x12xf32>, tensor<35x8x5xf32>,
        tensor<35x12xf32>, tensor<35x12xf32>, tensor<7x12xf32>, tensor<7x10x3xi32>,
        tensor<7x2xf32>) {
  %0 = opc.where %c, %a, %a : tensor<1x1xi1>, tensor<7x12xf32>, tensor<7x12xf32>
      -> tensor<7x12xf32>
  %1 = opc.concat %a, %0, %b, %0, %a {axis = 0}
  %2 = opc.broadcast %1 : tensor<35x12xf32> -> tensor<35x12xf32>
  %3 = opc.bitwise_and %u, %u
  %4 = opc.windows %3 {sizes = [3], strides = [1], dilations = [1]}
  %5 = opc.bitcast %4 : tensor<7x10x3xui32> -> tensor<7x10x3xi32>
  %6 = opc.acosh %1
  %7 = opc.transpose %a {permutation = [0, 1]}
  %8 = opc.reduce_min %a {axes = [1], keepdims = false}
  %9 = opc.windows %6 {sizes = [5], strides = [1], dilations = [1]}
  %10 = opc.gather %7, %i {axes = [1], batch = 1}
  return %4, %8, %2, %9, %6, %1, %7, %5, %10 : tensor<7x10x3xui32>, tensor<7xf32>,
      tensor<35x12xf32>, tensor<35x8x5xf32>, tensor<35x12xf32>, tensor<35x12xf32>,
      tensor<7x12xf32>, tensor<7x10x3xi32>, tensor<7x2xf32>
}"""
CALLER = """
#include "graph.h"
static float a[84], b[84], y[7][2048];
static unsigned char c[1], w[65536];
static uint32_t u[84], v[210];
static int32_t z[210];
static int64_t i[14];
int main(void) {
  return graph_run(a, c, b, u, i, v, y[0], y[1], y[2], y[3], y[4], y[5], z, y[6], w);
}
"""


@pytest.mark.parametrize("machine", ["x86-64-v3", "x86-64-v4", "native"])
def test_arrays_are_aligned(machine: str, tmp_path: Path) -> None:
    """gcc 12 writes vectors to an array that it has not aligned, and the process ends."""
    found = lower(load(WINDOWS), Options(prefix="graph"))
    assert re.search(r"  OPC_ALIGNED \w+ \w+\[\d+\];\n", found.c_source)
    (tmp_path / "graph.c").write_text(found.c_source)
    (tmp_path / "graph.h").write_text(found.header)
    (tmp_path / "main.c").write_text(CALLER)
    command = ["gcc", "-std=c99", "-O2", f"-march={machine}", "-fPIC", "-ffp-contract=off"]
    command += ["-fno-math-errno", "-fno-trapping-math", "main.c", "graph.c", "-lm", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    ended = subprocess.run([tmp_path / "main"]).returncode
    # Also a machine without these instructions.
    assert ended == 0 or (ended == -4 and machine != "native")
