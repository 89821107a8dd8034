"""What C programs rely on: complete headers, refused extents, files that go together."""

from __future__ import annotations

import ctypes
import itertools
import math
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import opc
from opc.api.driver import Lowered, Options, load, lower
from opc.dialects import expr as ex
from opc.emit.prologue import bound, sizes_check
from opc.emit.wrapping import COLUMNS, wrapped
from opc.support.interface import CONTRACT
from opc.tools.cli import main
from tests.unit.common import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

SYMBOLIC = """
func.func @graph(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?xf32, #opc.dims<M>> {
  %0 = opc.exp %x
  %1 = opc.reduce_sum %0 {axes = [1], keepdims = false}
  func.return %1 : tensor<?xf32, #opc.dims<M>>
}"""


def lowered(path: Path, target: str, prefix: str) -> Lowered:
    return lower(load(path), Options(prefix=prefix, target=target))


def built(folder: Path, source: str) -> ctypes.CDLL:
    (folder / "graph.c").write_text(source, encoding="utf-8")
    command = ["gcc", "-std=c99", "-O1", "-fPIC", "-shared", "graph.c", "-lm", "-o", "graph.so"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "graph.so"))


@pytest.mark.sample(2)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_pairs_in_one_translation_unit(compiler: str, tmp_path: Path) -> None:
    """Each two of the examples, for the same machine and for others."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    files = {
        (path.stem, target): lowered(path, target, f"{path.stem}_{target}").c_source
        for path in EXAMPLES
        for target in ("baseline", "avx512")
    }
    for (name, target), text in files.items():
        (tmp_path / f"{name}.{target}.c").write_text(text, encoding="utf-8")
        assert max(map(len, text.splitlines())) <= COLUMNS
    pairs = [
        (a, b)
        for a, b in itertools.combinations(files, 2)
        if a[1] == "baseline" or a[0] == b[0]
    ]  # fmt: skip
    assert len(pairs) > 2 * len(EXAMPLES)
    for k, pair in enumerate(pairs):
        lines = "".join(f'#include "{name}.{target}.c"\n' for name, target in pair)
        (tmp_path / f"pair{k}.c").write_text(lines, encoding="utf-8")
    units = [f"pair{k}.c" for k in range(len(pairs))]
    command = [compiler, "-std=c99", *STRICT, "-fsyntax-only", *units]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_file_includes_its_header_where_there_is_one(tmp_path: Path) -> None:
    graph = str(EXAMPLES[0].with_name("softmax.mlir"))
    include = '#include "softmax.h"'
    assert main(["compile", graph, "--emit", "c,h", "-o", str(tmp_path / "both")]) == 0
    assert main(["compile", graph, "--emit", "c", "-o", str(tmp_path / "one")]) == 0
    both = (tmp_path / "both/softmax.c").read_text()
    alone = (tmp_path / "one/softmax.c").read_text()
    assert next(line for line in both.splitlines() if line.startswith("#include")) == include
    assert both.replace(include + "\n\n", "") == alone
    for folder, more in (("both", ["-Wmissing-prototypes"]), ("one", [])):
        command = ["gcc", "-std=c99", *STRICT, *more, "-fsyntax-only", "softmax.c"]
        subprocess.run(command, cwd=tmp_path / folder, check=True)


REFUSED = [(-1, 4), (4, -1), (1 << 62, 1 << 62), (1 << 31, 1 << 31), (0, 1 << 62), (-(1 << 63), 1)]
"""Extents M and N of an array of float: what is negative, or too large, also beside a zero."""


def test_extents_that_no_array_has_are_refused(tmp_path: Path) -> None:
    low = opc.lower(load(SYMBOLIC))
    library = built(tmp_path, low.c_source)
    number = ctypes.c_int64
    shapes, size = (number * 1)(-7), ctypes.c_size_t(99)
    for m, n in REFUSED:
        found = library.graph_plan(number(m), number(n), None, shapes, ctypes.byref(size))
        assert (found, shapes[0], size.value) == (-1, -7, 99), (m, n)
        assert library.graph_run(number(m), number(n), None, None, None) == -1, (m, n)
    for m, n in ((0, 0), (3, 5), (1 << 30, 1 << 20)):
        assert library.graph_plan(number(m), number(n), None, shapes, ctypes.byref(size)) == 0
        assert shapes[0] == m
    contract = f"#define GRAPH_CONTRACT {CONTRACT}\n"
    for text in ("     -1  ", "shapes[0] ", "GRAPH_SHAPES 1", "extent M", contract):
        assert text in low.header


def test_bound_of_a_size() -> None:
    """Never less than the expression, whatever the extents."""
    n, m = ex.sym("N"), ex.sym("M")
    sizes = [
        n * m * 4 - n, ex.floordiv(n * m + 63, 64) * 64, ex.minimum(n, 100) * m, ex.mod(n, 16),
        ex.maximum(n - m, 3) * n, ex.broadcast(n, m), ex.floordiv(n, m), ex.nonunit(n) * m,
    ]  # fmt: skip
    for size in sizes:
        found = bound(size)
        assert all(c >= 0 for c in found.values())
        for values in itertools.product((1, 2, 17, 1000), repeat=2):
            known = dict(zip("NM", values, strict=True))
            most = sum(c * math.prod(known[name] for name in names) for names, c in found.items())
            assert size.evaluate({}, known) <= most, (str(size), known)
    assert sizes_check([ex.const(4096)], {}) == []


def test_long_lines_break_at_loose_operators() -> None:
    long = "    x = f(" + " + ".join(f"n{k} * m{k}" for k in range(20)) + ", y);"
    lines = wrapped(long).split("\n")
    assert len(lines) > 1
    assert max(map(len, lines)) <= COLUMNS
    assert all(line.startswith("        + ") for line in lines[1:])
    assert " ".join(line.strip() for line in lines) == long.strip()
    assert wrapped("#define " + "x " * 100) == "#define " + "x " * 100


def test_program_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What docs/c.md shows, from the graph to the numbers, and with sanitizers where there are."""
    page = (EXAMPLES[0].parents[1] / "docs/c.md").read_text(encoding="utf-8")
    graph, program, shell = (
        re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)[0]
        for language in ("python", "c", "sh")
    )
    monkeypatch.chdir(tmp_path)
    exec(graph, {})
    compile, build = shell.strip().splitlines()
    assert main(compile.split()[1:]) == 0
    (tmp_path / "build/main.c").write_text(program, encoding="utf-8")
    build = build.replace("-Wpedantic", "-Wpedantic -Werror -fsanitize=undefined")
    done = subprocess.run(build, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["1023.5", "2047", "3070.5"]
