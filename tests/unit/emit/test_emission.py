"""The emitted C: no diagnostics, the same bits from every compiler, and nothing hostile in it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp

from opc.api.driver import Options, load, lower, source_of
from opc.dialects.element import ELEMENTS, element_of
from opc.dialects.named import INPUT_NAMES, RESULT_NAMES
from opc.dialects.registry import context
from opc.emit.source import emit
from opc.emit.threads import pool
from opc.emit.wrapping import COLUMNS
from opc.passes import pipeline
from opc.runtime.callable import CompiledFunction
from tests.unit.common import ROOT, samples
from tests.unit.common.emission_corpus import GRAPHS, lowered
from tests.unit.common.graphs import parse
from tests.unit.common.tolerance import assert_same_bits

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wvla", "-Werror"]
STRICT.append("-Wframe-larger-than=16384")
NATIVE = ["-march=native", "-fsyntax-only"]
COMPILERS = {
    # Some diagnostics, as of variables without a value, come with optimisation only.
    "gcc": ["gcc", "-std=c99", "-O2", *STRICT, "-c"],
    "gcc native": ["gcc", "-std=c99", *STRICT, "-pthread", *NATIVE],
    "gcc avx2": ["gcc", "-std=gnu11", *STRICT, "-march=x86-64-v3", "-fsyntax-only"],
    "g++": ["g++", "-std=c++17", "-x", "c++", *STRICT, "-fsyntax-only"],
    "g++ native": ["g++", "-std=c++17", "-x", "c++", *STRICT, *NATIVE],
    "clang": ["clang", "-std=c99", *STRICT, "-fsyntax-only"],
    "clang native": ["clang", "-std=c99", *STRICT, *NATIVE],
    "clang++ native": ["clang++", "-std=c++17", "-x", "c++", *STRICT, *NATIVE],
}


def run(command: Sequence[str], what: str = "") -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{what}\n{' '.join(command)}\n{done.stderr[:4000]}"
    return done.stdout


def needs(tool: str) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")


@cache
def _folder() -> Path:
    import tempfile

    return Path(tempfile.mkdtemp(prefix="opc-emission-"))


@pytest.fixture(scope="module", autouse=True)
def _cleanup():  # pyright: ignore[reportUnusedFunction]
    yield
    shutil.rmtree(_folder())
    _folder.cache_clear()


def source(name: str) -> Path:
    """The C file of a graph; its object file lies beside it once gcc ran."""
    path = _folder() / f"{lowered(name).interface.prefix}.c"
    if not path.exists():
        path.write_text(lowered(name).c_source, encoding="utf-8")
        path.with_suffix(".h").write_text(lowered(name).header, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def names(request: pytest.FixtureRequest) -> list[str]:
    """The graphs of the day, one of twelve; with --full all."""
    option = request.config.option
    return list(GRAPHS) if option.full else list(GRAPHS)[option.seed % 12 :: 12]


@pytest.mark.sample(4)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_no_diagnostics(compiler: str, names: list[str]) -> None:
    needs(compiler.split()[0])

    def build(name: str) -> None:
        path = source(name)
        output = ["-o", str(path.with_suffix(".o"))] if compiler == "gcc" else []
        run([*COMPILERS[compiler], str(path), *output], name)

    for name in names:
        lowered(name)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(build, names))


CALLED = re.compile(
    r"mem(cpy|set|move)|(sqrt|fabs|floor|ceil|trunc|rint|nearbyint|copysign|fmod|fma)f?"
)
"""What a file may need from elsewhere: exactly defined functions."""


@pytest.mark.sample(72)
@pytest.mark.parametrize("name", GRAPHS)
def test_symbols(name: str) -> None:
    """Nothing is allocated, nothing is written that lasts, and only the interface is visible."""
    path = source(name)
    needs("gcc")
    needs("nm")
    if not path.with_suffix(".o").exists():
        run([*COMPILERS["gcc"], str(path), "-o", str(path.with_suffix(".o"))])
    prefix = lowered(name).interface.prefix
    visible = {f"{prefix}_run"} | (
        {f"{prefix}_plan"} if lowered(name).interface.needs_plan else set[str]()
    )
    if "opc_share(" in path.read_text(encoding="utf-8"):
        visible.add(f"{prefix}_threads")
    found: set[str] = set()
    for line in run(["nm", "-P", str(path.with_suffix(".o"))]).splitlines():
        symbol, kind, *_ = line.split()
        if kind == "U":
            assert CALLED.fullmatch(symbol) or symbol == "_GLOBAL_OFFSET_TABLE_", symbol
        elif kind == "T":
            found.add(symbol)
        else:
            assert kind in "rt", f"{symbol} is of kind {kind}"
    assert found == visible


DEFINITION = re.compile(
    r"^(?:OPC_\w+ )*(?:static )?(?:inline )?(?:OPC_\w+ )?(?:const )?\w+ \*?(\w+)"
    r"\([^;]*?\) \{\n.*?^\}",
    re.M | re.S,
)


@pytest.mark.sample(72)
@pytest.mark.parametrize("name", GRAPHS)
def test_text(name: str) -> None:
    """No function calls itself or a later one; every helper is used; lines are readable."""
    text = lowered(name).c_source
    # The threads of a file are the one thing in it that lasts.
    assert (pool() in text) == ("opc_share(" in text)
    text = text.replace(pool(), "")
    own = r"inline|const|void g\d+_loop"
    words = "malloc|calloc|realloc|free|alloca|goto"
    assert not re.search(rf"\b({words}|static (?!{own}))\b", text)
    code = re.sub(r"/\*.*?\*/|//[^\n]*|^#(define|undef) opc_.*?$", "", text, flags=re.S | re.M)
    # clang defines the second one nowhere: a call of it is an error.
    known = ["opc_share", "opc_refuse_flags"]
    for found in DEFINITION.finditer(code):
        body = found[0].partition("{")[2]
        known.append(found[1])
        mentioned = set(re.findall(r"\b(?:opc|g\d+)_\w+(?=\()", body))
        assert mentioned <= set(known[:-1]), f"{found[1]}: {mentioned - set(known[:-1])}"
    assert all(line.isascii() for line in text.splitlines())
    assert max(map(len, (text + lowered(name).header).splitlines())) <= COLUMNS
    for helper in re.findall(
        r"^(?:OPC_APART |static (?:inline |const )).*?\b(opc_\w+)\b *[(\[]", code, re.M
    ):
        assert len(re.findall(rf"\b{helper}\b", code)) > 1, f"{helper} is not used"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_one_translation_unit(compiler: str, names: list[str], tmp_path: Path) -> None:
    """Files use the same helpers; some have another text for other machines."""
    needs(compiler)
    lines = [f'#include "{source(name)}"\n' for name in names]
    path = tmp_path / "all.c"
    path.write_text("".join(lines), encoding="utf-8")
    run([compiler, "-std=c99", *STRICT, "-fsyntax-only", str(path)])


@pytest.mark.parametrize("language", ["c89", "c99", "c11", "c++98", "c++11", "c++14", "c++17"])
@pytest.mark.parametrize("family", ["gcc", "clang"])
def test_headers_alone(language: str, family: str, names: list[str], tmp_path: Path) -> None:
    """Every header, twice, and nothing before it."""
    needs(family)
    lines = [f'#include "{source(name).with_suffix(".h")}"\n' for name in names]
    path = tmp_path / "all.c"
    path.write_text("".join(lines * 2) + "int main(void) { return 0; }\n", encoding="utf-8")
    tool = [family, "-x", "c++" if "+" in language else "c"]
    run([*tool, f"-std={language}", *STRICT, "-fsyntax-only", str(path)])


BITS = [
    *(f"elementwise {type}" for type in ("f64", "f32", "f16", "bf16", "i8", "ui64", "i1")),
    *(f"reductions {type}" for type in ("f64", "f32", "f16", "bf16", "i32")),
    "softmax", "layer normalization", "matmul of bytes", "column sums", "reductions f32, symbolic",
    "numbers", "constants",
]  # fmt: skip
"""Graphs whose results are compared bit by bit between builds."""
EXPENSIVE = ("reductions f16", "reductions f32, symbolic", "elementwise f16")
"""Of these the short form has a sibling: bf16 is computed as f16 is, and in other files are sums of
unknown extents from several builds."""
CHECKED = ["-std=c99", "-fPIC", "-shared", *STRICT]
BUILDS = {
    "gcc -O0": ["gcc", "-O0"],
    "gcc -O3 native": ["gcc", "-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math"],
    "clang -O0": ["clang", "-O0"],
    "clang -O3 native": ["clang", "-O3", "-march=native", "-fno-math-errno"],
    # GNU C contracts by default: the file forbids it itself.
    "gnu -O2 native": ["gcc", "-O2", "-march=native", "-std=gnu99"],
}


def dims_of(name: str) -> dict[str, int]:
    extents = {"M": 5, "N": 300}
    return {dim: extents.get(dim, 3) for dim in lowered(name).interface.dims}


def arguments(name: str) -> list[np.ndarray]:
    dims = dims_of(name)
    found: list[np.ndarray] = []
    for k, spec in enumerate(lowered(name).interface.inputs):
        shape = [e if isinstance(e, int) else dims[e] for e in spec.shape]
        type = next(t for t in ELEMENTS if t.dtype == spec.dtype)
        special = "elementwise" in name
        found.append(
            samples.values(type, shape, k) if special else samples.moderate(type, shape, k)
        )
    return found


def results(name: str, build: str, command: Sequence[str]) -> list[np.ndarray]:
    path = source(name)
    library = path.with_name(f"{path.stem}-{build.replace(' ', '')}.so")
    run([command[0], *CHECKED, *command[1:], str(path), "-lm", "-o", str(library)], build)
    low = lowered(name)
    result: Any = CompiledFunction(low.interface, library, low.weights)(*arguments(name))
    return [result] if isinstance(result, np.ndarray) else list(result)


@pytest.mark.sample(72)
@pytest.mark.parametrize(
    "name", [pytest.param(b, marks=pytest.mark.long if b in EXPENSIVE else ()) for b in BITS]
)
def test_same_bits_everywhere(name: str) -> None:
    """Whatever the compiler, the optimisation and the instruction set."""
    needs("gcc")
    reference = results(name, "baseline", ["gcc", "-O3"])
    builds = {b: c for b, c in BUILDS.items() if shutil.which(c[0])}

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        every = list(pool.map(results, [name] * len(builds), builds, builds.values()))
    for build, found in zip(builds, every, strict=True):
        for k, (actual, expected) in enumerate(zip(found, reference, strict=True)):
            assert_same_bits(actual, expected, what=f"{build}: result {k}")


def test_same_text_every_time(request: pytest.FixtureRequest) -> None:
    """Also in another process, where sets have another order."""
    option = request.config.option
    names = ("softmax", "run-time axes", "workspace", "broadcast, symbolic", "elementwise f32")
    if not option.full:
        names = names[option.seed % 5 :: 5]
    own = os.environ.get("PYTHONHASHSEED")
    code = (
        "import hashlib, sys\n"
        "from tests.unit.common.emission_corpus import lowered\n"
        "for name in sys.argv[1:]:\n"
        "    low = lowered(name)\n"
        "    print(hashlib.sha256((low.c_source + low.header).encode()).hexdigest())\n"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code, *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "2" if own == "1" else "1"},
    ).stdout
    texts = [(low.c_source + low.header).encode() for low in map(lowered, names)]
    assert printed.split() == [hashlib.sha256(text).hexdigest() for text in texts]
    for name in names[:2]:
        again = lower(load(GRAPHS[name]), Options(prefix=lowered(name).interface.prefix))
        assert again.c_source == lowered(name).c_source
        assert again.header == lowered(name).header


HOSTILE = (
    '*/ system("x"); /*', "a\nb", '"; int x;', "??/", "\\", "x/*", "//", "ü\u202e\u0000", "int",
    "#include <x>", "a" * 10_000, "", "%s", "{0}", "*/", "in0", "return 1;}",
)  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "name", ["names", "several results", "run-time axes", "softmax f16, symbolic"]
)
def test_names_never_become_code(name: str, tmp_path: Path) -> None:
    module = parse(GRAPHS[name])
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    inputs = len(function.args)
    outputs = len(function.function_type.outputs)

    def named(count: int, shift: int) -> ArrayAttr[StringAttr]:
        wanted = [HOSTILE[(k + shift) % len(HOSTILE)] for k in range(count)]
        return ArrayAttr([StringAttr(text) for text in wanted])

    prefix = lowered(name).interface.prefix

    def check(source: str, header: str) -> None:
        assert source == lowered(name).c_source
        comments = re.compile(r"/\*.*?\*/", re.S)
        assert comments.sub("", header) == comments.sub("", lowered(name).header)
        assert len(header) < len(lowered(name).header) + 200
        assert header.isascii()

    def rename(function: FuncOp, shift: int) -> None:
        function.attributes[INPUT_NAMES] = named(inputs, shift)
        function.attributes[RESULT_NAMES] = named(outputs, shift + inputs)

    rename(function, 0)
    low = lower(module, Options(prefix=prefix))
    check(low.c_source, low.header)
    # Passes do not read these names, so each pair of names needs only be printed.
    loops = source_of(module, None)
    pipeline.run(loops, context(), pipeline.passes("loops"))
    function = loops.body.block.first_op
    assert isinstance(function, FuncOp)
    for shift in range(len(HOSTILE)):
        rename(function, shift)
        emitted = emit(function, prefix)
        check(emitted.source, emitted.header)


@pytest.mark.parametrize("hostile", ['*/ system("x"); /*', "a b", "while", "é", "x" * 100])
def test_function_names_never_become_code(hostile: str) -> None:
    """A name that C cannot use is not used."""
    module = parse(GRAPHS["rank 0"])
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    function.sym_name = StringAttr(hostile)
    low = lower(module)
    assert low.interface.function == hostile
    assert low.interface.prefix == "graph"
    assert hostile not in low.c_source.replace("while (", "") or hostile == "while"
    assert "graph_run(" in low.header


def test_weights_are_not_text() -> None:
    low = lowered("weights")
    assert low.weights is not None
    assert low.interface.has_weights
    assert low.weights.nbytes == 40 * 30 * 4
    assert "const void *OPC_RESTRICT weights" in low.c_source
    assert len(low.c_source) < 6000
    assert "_WEIGHT_BYTES 4800" in low.header


def test_every_element_type_is_covered() -> None:
    seen = {
        element_of(type.type) for type in ELEMENTS
        if f"elementwise {type}" in GRAPHS and f"reductions {type}" in GRAPHS
    }  # fmt: skip
    assert seen == set(ELEMENTS)


def test_arrays_that_loops_without_rounds_leave(tmp_path: Path) -> None:
    """gcc warns of what is passed on to where it is not read."""
    needs("gcc")
    text = """func.func @main(%n: tensor<i32>, %x: tensor<0xf32>)
        -> (tensor<?x?xf32, #opc.dims<M, bcast(M, K)>>, tensor<?xf32, #opc.dims<M>>) {
      opc.split_axes %n of <0> outer ["M"] inner ["K"] kept [] : tensor<i32>
      %r = opc.reshape %x : tensor<0xf32> -> tensor<?x?xf32, #opc.dims<M, K>>
      %m = opc.reduce_mean %r {axes = [1]}
      %y = opc.mean %r, %m, %m, %m
      %l = opc.reduce_l2 %y {axes = [1]}
      return %y, %l : tensor<?x?xf32, #opc.dims<M, bcast(M, K)>>, tensor<?xf32, #opc.dims<M>>
    }"""
    path = tmp_path / "g.c"
    path.write_text(lower(load(text), Options(prefix="g")).c_source, encoding="utf-8")
    run([*COMPILERS["gcc"], str(path), "-o", str(tmp_path / "g.o")])
