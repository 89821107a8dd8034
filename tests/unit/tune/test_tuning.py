"""Tuning: forms of nests, files of rows, the search, and what compiling makes of them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc
from opc.__main__ import main
from opc.api.driver import Options, load, lower, source_of
from opc.dialects.budgets import CANDIDATES
from opc.dialects.schedule import TreeOp
from opc.errors import InputError, UsageError
from opc.schedule.candidates import candidates, choices
from opc.schedule.contraction import Contraction, analyse
from opc.schedule.contraction_cost import ContractionCost, Costs
from opc.schedule.nest_form import Form
from opc.schedule.plan_contraction import choose, plan
from opc.schedule.plan_nest import Plans, plan_nest
from opc.schedule.tuning import Row, Tuning, parse
from opc.support.target import Target
from opc.support.targets import processor, target
from opc.tune import measure
from opc.tune.nests import Nest, nests_of
from opc.tune.search import Report, search

pytestmark = pytest.mark.level("-O0")
Capture = pytest.CaptureFixture[str]

PRODUCT = """
func.func @main(%x: tensor<40x30xf32>, %y: tensor<30x50xf32>) -> tensor<40x50xf32> {
  %r = opc.matmul %x, %y
  func.return %r : tensor<40x50xf32>
}"""
RENAMED = PRODUCT.replace("main", "other").replace("%x", "%a").replace("%y", "%b")
UNKNOWN = """
func.func @main(%x: tensor<?x30xf32, #opc.dims<N, 30>>, %y: tensor<30x50xf32>)
    -> tensor<?x50xf32, #opc.dims<N, 50>> {
  %r = opc.matmul %x, %y
  func.return %r : tensor<?x50xf32, #opc.dims<N, 50>>
}"""
FILTERS = np.random.default_rng(3).standard_normal((64, 1024)).astype(np.float32)
CONVOLUTION = f"""
func.func @main(%x: tensor<1x1024x64x64xf32>) -> tensor<1x64x64x64xf32> {{
  %w = opc.constant dense<"0x{FILTERS.tobytes().hex()}"> : tensor<64x1024x1x1xf32>
  %r = opc.conv %x, %w
  func.return %r : tensor<1x64x64x64xf32>
}}"""
WINDOWS = """
func.func @main(%x: tensor<1x48x100x76xf32>, %w: tensor<32x48x3x3xf32>) -> tensor<1x32x98x74xf32> {
  %r = opc.conv %x, %w
  func.return %r : tensor<1x32x98x74xf32>
}"""
POINTS = """
func.func @main(%x: tensor<40x30xf32>) -> tensor<40x30xf32> {
  %r = opc.exp %x
  func.return %r : tensor<40x30xf32>
}"""

SOFTMAX = """
func.func @main(%x: tensor<640x1000xf32>) -> tensor<640x1000xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  func.return %r : tensor<640x1000xf32>
}"""

SUM = """
func.func @main(%x: tensor<40x3000xf32>) -> tensor<40xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  func.return %r : tensor<40xf32>
}"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is measured long: any of the candidates may win."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("opc.schedule.candidates.CANDIDATES", 4)
    monkeypatch.setattr(measure, "ROUNDS", 1)
    Path("product.mlir").write_text(PRODUCT)
    Path("points.mlir").write_text(POINTS)
    Path("unknown.mlir").write_text(UNKNOWN)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def nests(text: str, **sizes: int) -> list[Nest]:
    source = source_of(load(text), None)
    return list(nests_of(source, "native", sizes, fuse=True).nests.values())


def form(text: str) -> Form:
    (nest,) = nests(text)
    return nest.form


def arrays(*shapes: tuple[int, ...]) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(5)
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def row_for(text: str, tree: str, threads: int = 1) -> Row:
    """A row that gives a nest some schedule."""
    (nest,) = nests(text)
    described = nest.target.describe()
    return Row(nest.form.digest, "a product", processor(), described, threads, tree, 1.0, 2.0)


def last_candidate(text: str) -> str:
    (nest,) = nests(text)
    return nest.form.without_names(str(nest.candidates()[-1].tree))


def shown(text: str) -> str:
    return " ".join(text.split())


def test_names_do_not_count_in_a_form() -> None:
    assert form(PRODUCT) == form(RENAMED)
    assert form(UNKNOWN).digest == form(UNKNOWN.replace("N", "M")).digest
    assert form(UNKNOWN).symbols == ("N",)


@pytest.mark.parametrize(
    "other",
    [
        PRODUCT.replace("40", "41"),
        PRODUCT.replace("f32", "f64"),
        PRODUCT.replace("func.return %r", "%s = opc.relu %r\n  func.return %s"),
        PRODUCT.replace("40x30", "30x40").replace(
            "%r = opc.matmul %x", "%t = opc.transpose %x {permutation = [1, 0]}\n%r = opc.matmul %t"
        ),
    ],
    ids=["extents", "type", "epilogue", "layout"],
)
def test_what_schedules_depend_on_counts(other: str) -> None:
    assert form(PRODUCT).digest != form(other).digest


def test_symbols_of_a_schedule_are_those_of_the_nest() -> None:
    known = form(UNKNOWN.replace("N", "rows"))
    assert known.without_names("by <floordiv(rows, 4)>\n  x") == "by <floordiv(s0, 4)> x"
    assert known.with_names("by <floordiv(s0, 4)>") == "by <floordiv(rows, 4)>"


def test_candidates_begin_with_the_planned_schedule() -> None:
    (nest,) = nests(PRODUCT)
    c = analyse(nest.nest)
    assert c is not None
    trees = [candidate.tree for candidate in candidates(c, nest.target, nest.chunks)]
    assert str(trees[0]) == str(plan(c, nest.target, nest.chunks))
    assert len({str(tree) for tree in trees}) == len(trees) == 4


def test_equal_nests_are_planned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless threads may share the loops of only one of them."""
    (nest,) = nests(PRODUCT)
    counts: list[int] = []

    def counted(c: Contraction, machine: Target, chunks: int) -> TreeOp:
        counts.append(chunks)
        return plan(c, machine, chunks)

    monkeypatch.setattr("opc.schedule.plan_nest.plan", counted)
    plans = Plans(nest.target)
    first, second = plans.tree(nest.nest), plans.tree(nest.nest)
    assert first is not second and str(first) == str(second) and len(counts) == 1
    plans.tree(nest.nest, is_shared=False)
    assert len(counts) == 2 and counts[1] == 1


def test_sweeps_have_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points one by one, in blocks, row by row and in a pipeline, and several loops over lanes."""
    monkeypatch.setattr("opc.schedule.candidates.CANDIDATES", CANDIDATES)
    (nest,) = nests(SOFTMAX)
    trees = [str(candidate.tree) for candidate in nest.candidates()]
    assert trees[0] == str(plan_nest(nest.nest, nest.target))
    assert len(set(trees)) == len(trees) > 12
    for part in ("pipeline", "[d0] by 64 parallel", "pack_rows"):
        assert any(part in tree for tree in trees), part
    (nest,) = nests(SUM)
    trees = [str(candidate.tree) for candidate in nest.candidates()]
    for part in ("[d1] by 256 unroll", "[d1] by 128 unroll", "[d1] by 64 unroll", "run value 0"):
        assert any(part in tree for tree in trees), part


def test_the_cost_sees_rows_that_evict_each_other() -> None:
    """Rows 16 KiB apart along the chain, which the tiles of each 16 filters read again."""
    source = source_of(load(CONVOLUTION), None)
    (nest,) = nests_of(source, "avx2", {}, fuse=True).nests.values()
    c = analyse(nest.nest)
    assert c is not None
    d = c.transposed
    own = [x for x in choices(c, nest.target) if x.contraction.row == d.row]
    costs, pixels = ContractionCost(d, nest.target), ("parallel", "serial")
    own = [x for x in own if tuple(kind for _, _, kind in x.loops) == pixels]
    direct = {x.loops: costs.cycles(x) for x in own if "left" not in x.packs}
    packed = {x.loops: costs.cycles(x) for x in own if "left" in x.packs}
    filters = [loops for loops in direct if loops[0][0] == d.column]
    assert filters and all(direct[loops] > 2 * packed[loops] for loops in filters)


def test_a_loop_of_one_iteration_is_not_shared() -> None:
    """All filters are one tile, so threads share rows: the cost took them for one part."""
    (nest,) = nests_of(source_of(load(WINDOWS), None), "avx512", {}, fuse=True).nests.values()
    c = analyse(nest.nest)
    assert c is not None
    chosen = choose(c, nest.target, nest.chunks)
    costs, (filters, *rows) = Costs(nest.target, nest.chunks), chosen.loops
    assert filters[:2] == (chosen.contraction.column, 32)
    assert costs.cycles(chosen) == costs.cycles(replace(chosen, loops=tuple(rows)))


def test_a_file_has_its_rows_again() -> None:
    one, other = row_for(PRODUCT, "a"), row_for(UNKNOWN, "b")
    other = replace(other, others=((2.0, "c"), (3.0, "d")), sizes={"s0": 8})
    tuning = Tuning({}).with_rows([one, other])
    assert parse(tuning.text, "file") == tuning
    assert tuning.text.count("\n") == 2


def test_the_last_row_of_a_nest_counts() -> None:
    old, new = row_for(PRODUCT, "old"), replace(row_for(PRODUCT, "new"), seconds=9.0)
    other = row_for(PRODUCT, "threads", threads=2)
    merged = parse(old.line + other.line + "\n" + new.line, "file")
    assert [row.tree for row in merged.rows.values()] == ["threads", "new"]


def test_rows_are_for_a_processor_or_for_a_named_target() -> None:
    (nest,) = nests(PRODUCT)
    row = replace(row_for(PRODUCT, "tree"), processor="another one")
    assert Tuning({}).with_rows([row]).row(nest.form, nest.target, 1) is None
    named = target("avx2")
    row = replace(row, target=named.describe())
    assert Tuning({}).with_rows([row]).row(nest.form, named, 1) == row
    assert Tuning({}).with_rows([row]).row(nest.form, named, 2) is None


BROKEN = {
    "text": ("nonsense", "found no row, expected a row of tuning, version 1"),
    "version": ('{"opc_tuning": 2}', "found version 2, expected"),
    "field": ('{"opc_tuning": 1, "nest": 5}', "found nest 5, expected"),
    "list": ("[1]", "found no row, expected"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_an_error_with_its_line(name: str) -> None:
    text, message = BROKEN[name]
    with pytest.raises(InputError) as raised:
        parse("\n" + text, "my.tuning")
    assert str(raised.value).startswith(f"my.tuning:2: error: {message}")
    assert "\n" not in str(raised.value)


def test_runners_up_are_checked() -> None:
    values = json.loads(row_for(PRODUCT, "tree").line)
    for broken in ([1], [["x", "y"]], [[1.0]], [[1.0, "a", 3]]):
        with pytest.raises(InputError, match="found others"):
            parse(json.dumps(values | {"others": broken}), "file")


def test_compiling_uses_a_row() -> None:
    tree = last_candidate(PRODUCT)
    tuning = Tuning({}).with_rows([row_for(PRODUCT, tree)])
    Path("my.tuning").write_text(tuning.text)
    planned, tuned = opc.compile(PRODUCT), opc.compile(RENAMED, tuned="my.tuning", prefix="main")
    assert tree in shown(tuned.ir("schedule")) and tree not in shown(planned.ir("schedule"))
    assert tuned.c_source != planned.c_source
    x, y = arrays((40, 30), (30, 50))
    assert planned(x, y).tobytes() == tuned(x, y).tobytes()
    assert opc.compile(RENAMED, tuned=tuning, prefix="main").c_source == tuned.c_source
    # The content of the file is a part of what the cache goes by.
    Path("my.tuning").write_text("")
    again = opc.compile(PRODUCT, tuned="my.tuning")
    assert again.c_source == planned.c_source


def test_rows_are_for_a_number_of_threads() -> None:
    tree = last_candidate(PRODUCT)
    tuning = Tuning({}).with_rows([row_for(PRODUCT, tree, threads=2)])
    assert tree not in shown(lower(PRODUCT, tuned=tuning).ir("schedule"))
    assert tree in shown(lower(PRODUCT, tuned=tuning, threads=2).ir("schedule"))


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        ("schedule.tree { schedule.run init }", "found stages init, expected init, step"),
        ("schedule.tree { schedule.sing }", "schedule.sing"),
        ("schedule.run init", "expected schedule.tree"),
        ("schedule.tree {" + "schedule.for [d0] by 4 serial {" * 3000, "nested too deeply"),
    ],
    ids=["illegal", "unknown", "no tree", "deep"],
)
def test_a_stale_row_is_left_out_with_a_warning(tree: str, reason: str) -> None:
    tuning = Tuning({}).with_rows([row_for(PRODUCT, tree)])
    with pytest.warns(RuntimeWarning) as raised:
        tuned = lower(PRODUCT, tuned=tuning, cache=None)
    messages = {str(w.message) for w in raised}
    assert len(messages) == 1
    (message,) = messages
    assert message.startswith("the tuning of a product is not used, tune it again: ")
    assert reason in message and "\n" not in message
    assert tuned.c_source == lower(PRODUCT, cache=None).c_source


def searched(text: str, tuning: Tuning | None = None, **sizes: int) -> Report:
    return search(source_of(load(text), None), Options(), 60.0, tuning or Tuning({}), sizes)


def test_a_search_finds_rows() -> None:
    report = searched(PRODUCT)
    (row,) = report.rows
    assert row.nest == form(PRODUCT).digest and row.processor == processor()
    assert 0 < row.seconds <= row.planned
    assert row.about == "product of 40x50, chains of 30, f32"
    assert all(row.seconds <= seconds or row.tree == tree for seconds, tree in row.others) or (
        row.seconds == row.planned
    )
    again = searched(PRODUCT, Tuning({}).with_rows(report.rows))
    assert (again.rows, again.known) == ((), 1)


def test_unknown_extents_are_measured_where_they_are_given() -> None:
    assert searched(UNKNOWN) == Report((), known=0, unknown=1, left=0)
    (row,) = searched(UNKNOWN, N=24).rows
    assert row.sizes == {"s0": 24}
    tuned = opc.compile(UNKNOWN.replace("N", "M"), tuned=Tuning({}).with_rows([row]))
    x, y = arrays((7, 30), (30, 50))
    assert tuned(x, y).tobytes() == opc.compile(UNKNOWN)(x, y).tobytes()


def test_schedules_that_differ_in_a_bit_are_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = iter(range(100))
    monkeypatch.setattr(measure, "_bits", lambda results: next(counter))
    with pytest.raises(opc.OpcError, match="defect: schedules of product of 40x50"):
        searched(PRODUCT)


def test_compiling_may_search_first() -> None:
    x, y = arrays((40, 30), (30, 50))
    tuned = opc.compile(PRODUCT, tune=30)
    assert isinstance(tuned.lowered.options.tuned, Tuning)
    assert len(tuned.lowered.options.tuned.rows) == 1
    assert tuned(x, y).tobytes() == opc.compile(PRODUCT)(x, y).tobytes()


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), 1e9, "30", True])
def test_seconds_of_a_search_are_checked(seconds: Any) -> None:
    with pytest.raises(UsageError, match=r"^tune: found .*, expected seconds above 0"):
        opc.compile(PRODUCT, tune=seconds)


@pytest.mark.parametrize("tuned", [5, "", b"x"])
def test_tuned_is_a_path(tuned: Any) -> None:
    with pytest.raises(UsageError, match=r"^tuned: found .*, expected the path of a tuning file"):
        opc.compile(PRODUCT, tuned=tuned)


def test_the_command(capsys: Capture) -> None:
    assert main(["tune", "product.mlir", "--budget", "30", "-o", "my.tuning"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and "product of 40x50, chains of 30, f32" in out and "my.tuning" in out
    first = Path("my.tuning").read_text()
    assert main(["tune", "product.mlir", "-o", "my.tuning"]) == 0
    assert "1 nests were in the file" in capsys.readouterr().out
    assert Path("my.tuning").read_text() == first
    command = ["compile", "product.mlir", "--tuned", "my.tuning", "--emit", "schedule"]
    assert main(command) == 0
    (row,) = parse(first, "my.tuning").rows.values()
    assert row.tree in shown(capsys.readouterr().out)


def test_a_page_shows_what_was_measured(capsys: Capture) -> None:
    assert main(["tune", "product.mlir", "--threads", "2", "--budget", "30"]) == 0
    (row,) = parse(Path("product.tuning").read_text(), "product.tuning").rows.values()
    assert row.threads == 2
    explain = ["explain", "product.mlir", "--tuned", "product.tuning", "-o", "page.html"]
    assert main([*explain, "--threads", "2"]) == 0
    page = Path("page.html").read_text()
    assert 'data-stage="tuning"' in page and f"{row.about}: " in page and "as planned" in page
    assert all(seconds == 0 or shown(tree)[:40] in page for seconds, tree in row.others)
    assert main(explain) == 0
    assert 'data-stage="tuning"' not in Path("page.html").read_text()


def test_the_command_measures_extents(capsys: Capture) -> None:
    command = ["tune", "unknown.mlir", "-o", "my.tuning"]
    assert main([*command, "--extent", "N=16", "--budget", "nodes=50", "--budget", "9"]) == 0
    (row,) = parse(Path("my.tuning").read_text(), "my.tuning").rows.values()
    assert row.sizes == {"s0": 16}
    assert main(["tune", "unknown.mlir", "--dim", "N=16", "-o", "my.tuning"]) == 0
    assert len(parse(Path("my.tuning").read_text(), "my.tuning").rows) == 2
    assert main(["tune", "unknown.mlir", "-o", "other.tuning"]) == 0
    assert "1 nests have unknown extents" in capsys.readouterr().out


ERRORS = {
    "seconds": (["product.mlir", "--budget", "soon"], 2, "found 'soon', expected a number of"),
    "no time": (["product.mlir", "--budget", "0"], 2, "found '0', expected a number of seconds"),
    "limits": (["product.mlir", "--budget", "nods=3"], 2, "found 'nods=3', expected NAME=N"),
    "extent": (
        ["unknown.mlir", "--extent", "N=0"],
        2,
        "tune: found extent 0 of N, expected 1 or more",
    ),
    "nothing": (["points.mlir"], 2, "tune: found no contraction and no reduction"),
    "symbol": (["unknown.mlir", "--extent", "M=3"], 2, "--extent: there is no symbol 'M'"),
    "file": (["product.mlir", "-o", "broken"], 3, "broken:1: error: found no row, expected a row"),
    "graph": (["missing.mlir"], 3, "missing.mlir"),
    "tuned": (["product.mlir", "--tuned", "x"], 2, "--tuned: -o names the file"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_of_the_command(name: str, capsys: Capture) -> None:
    args, code, message = ERRORS[name]
    Path("broken").write_text("x\n")
    assert main(["tune", *args]) == code
    err = capsys.readouterr().err
    assert message in err.splitlines()[-1]
    assert not list(Path().glob("*.tuning"))


@pytest.mark.parametrize("place", ["product.mlir/my.tuning", "folder"])
def test_a_file_that_cannot_be_written_is_an_error_at_once(
    place: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("folder").mkdir(exist_ok=True)
    monkeypatch.setattr("opc.api.tuning.tune", None)
    assert main(["tune", "product.mlir", "-o", place]) == 6
    assert "cannot" in capsys.readouterr().err


def test_a_missing_file_is_an_error(capsys: Capture) -> None:
    assert main(["compile", "product.mlir", "--tuned", "none.tuning"]) == 3
    assert capsys.readouterr().err == (
        "none.tuning: error: cannot be read: No such file or directory\n"
    )
    assert not Path("product.c").exists()
