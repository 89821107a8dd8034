"""The benchmarks: rows mean the same everywhere, wrong results are noticed, reports add up."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.common import ROOT
from tests.unit.project.test_style import link_tree, run

pytest.importorskip("onnx")

from benchmarks import graph, measure, quiet, report
from benchmarks.__main__ import main
from benchmarks.contractions import CONTRACTIONS
from benchmarks.convolutions import CONVOLUTIONS
from benchmarks.inputs import ALIGNED, MISALIGNED, parse
from benchmarks.measure import Measurement
from benchmarks.plan import Plan
from benchmarks.random_rows import random_rows
from benchmarks.rows import GROUPS, Row
from benchmarks.systems import SYSTEMS, Opc, System, Task, task

pytestmark = [pytest.mark.level("-O1"), pytest.mark.bench]

TYPED = ("f64", "i32", "f16", "i64")
SCHEMAS = [*(row for rows in GROUPS.values() for row in rows), *CONTRACTIONS, *CONVOLUTIONS]
SMALL = [row.limited(6) for row in (*SCHEMAS, *random_rows(0, 12), *random_rows(2, 12, TYPED))]
PEERS = [s for s in SYSTEMS if not s.name.startswith("opc")]


def problem(system: System, row: Row, factor: int) -> str | None:
    job = task(row, 1)
    call = system.prepare(job)
    job.clear()
    return measure.difference(job, system.read(call()), factor)


@pytest.mark.parametrize("row", SMALL, ids=lambda row: row.name)
def test_row(row: Row) -> None:
    assert problem(Opc(), row, 1) is None


@pytest.mark.parametrize("system", [s for s in PEERS if s.name != "torch"], ids=lambda s: s.name)
def test_peer(system: System) -> None:
    """One row of each kind of namespace function; torch would take too long to compile them."""
    if not system.is_available():
        pytest.skip("is not installed")
    for name in ("sub row", "sum middle", "a*sigmoid(a)*b"):
        row = next(r for r in SMALL if r.name == name)
        assert problem(system, row, measure.LOOSER) is None


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
@pytest.mark.parametrize("row", SMALL, ids=lambda row: row.name)
def test_torch_computes_the_same_without_compiling(row: Row) -> None:
    import torch

    from benchmarks.namespaces import Torch

    job = task(row, 1)
    if row.dtype in ("bf16", "i8"):
        pytest.skip("NumPy arrays of that type do not become tensors")
    found = row.function(Torch(), *map(torch.from_numpy, job.arrays))
    results = [r.numpy() for r in (found if isinstance(found, tuple) else (found,))]
    assert measure.difference(job, results, measure.LOOSER) is None


def test_names_are_unique() -> None:
    names = [row.name for row in SCHEMAS]
    assert len(set(names)) == len(names)
    assert len(SCHEMAS) > 60 and {row.dtype for row in SCHEMAS} == {
        *("f64", "f32", "f16", "bf16", "i32", "i8")
    }


def test_inputs() -> None:
    x, b = parse("x f16[N=40,3], b f32[]")
    assert (x.shape, x.symbolic, str(x)) == ((40, 3), ("N", 3), "x f16[N=40,3]")
    assert b.array().shape == () and x.limited(8).array().shape == (8, 3)
    assert np.array_equal(x.array(), x.array())


def starts(job: Task) -> set[int]:
    return {a.ctypes.data % 64 for a in (*job.arrays, *job.results.values())}


@pytest.mark.parametrize("name", ["sub row", "sub row bf16", "min and max last"])
def test_arrays_begin_where_they_are_said_to(name: str) -> None:
    row = next(r for r in SMALL if r.name == name)
    assert starts(task(row, 1)) == starts(task(row, 1, ALIGNED)) == {0}
    assert starts(task(row, 1, MISALIGNED)) == {16}


def test_misaligned_arrays_are_timed_beside_aligned_ones() -> None:
    row = next(r for r in SMALL if r.name == "sum last")
    seen: dict[str, list[set[int]]] = {"opc": [], "jax": []}

    class Watching(Fake):
        def prepare(self, task: Task) -> Callable[[], Any]:
            seen[self.name].append(starts(task))
            # What is wrong with arrays of one kind only is wrong.
            if self.name == "jax" and len(seen["jax"]) == 2:
                return lambda: tuple(2 * e for e in task.expected)
            return super().prepare(task)

    systems = [Watching("opc", lambda e: e), Watching("jax", lambda e: e)]
    done = measure.measure(row, systems, 1, 2, misaligned=True)
    assert seen == {"opc": [{0}, {16}], "jax": [{0}, {16}]}
    assert set(done.times) == set(done.misaligned) == {"opc"} and done.wrong == ["jax"]
    assert measure.measure(row, systems[:1], 1, 2).misaligned == {}


def test_random_rows_follow_the_seed() -> None:
    def shown(seed: int) -> list[tuple[Any, ...]]:
        return [(row.name, row.inputs) for row in random_rows(seed, 30)]

    assert shown(5) == shown(5) != shown(6)
    assert len({len(row.inputs[0].shape) for row in random_rows(5, 30)}) > 3
    types = [row.dtype for row in random_rows(5, 5, ("f32", "i8"))]
    assert types == ["f32", "i8", "f32", "i8", "f32"]


class Fake(System):
    """A system that gives what ``change`` makes of the expected results."""

    def __init__(self, name: str, change: Callable[[Any], Any]) -> None:
        self.name = name  # pyright: ignore[reportAttributeAccessIssue]
        self.change = change

    def prepare(self, task: Task) -> Callable[[], Any]:
        return lambda: tuple(self.change(e) for e in task.expected)


def test_a_wrong_result_is_not_timed() -> None:
    row = next(r for r in SMALL if r.name == "sum last")
    systems = [
        Fake("opc", lambda e: e * 1.001),
        Fake("numpy", lambda e: e * 1.00001),
        Fake("jax", lambda e: e * np.nan),
        Fake("torch", lambda e: e[1:]),
    ]
    done = measure.measure(row, systems, 1, 2)
    assert set(done.times) == {"numpy"} and done.wrong == ["opc", "jax", "torch"]
    found = report.Report({"core": [row.name]})
    found.rows.append(done)
    found.peaks[1] = 1e9
    (line,) = found.problems(check=False)
    assert line.startswith("sum last: opc: result 0: relative error 0.00")
    text = found.markdown()
    assert "| wrong | " in text and "jax: result 0: relative error nan" in text


def example(row: str, threads: int, opc: float, peer: float) -> Measurement:
    times = {"opc": opc, "onnxruntime": peer, "numpy": 2 * peer}
    return Measurement(
        *(row, "f32", "4096x1024", "compute", threads, 1000, 1000), copy=1e-6, times=times, quiet=9
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("matmul odd", 2 * 255 * 257 * 333),
        ("BERT projection", (2 * 768 + 1) * 128 * 768),
        ("3x3 by 2, 64 of 56x56", 2 * 28 * 28 * 128 * 64 * 9 + 2 * 28 * 28 * 128),
        ("3x3 each, 384 of 14x14", 2 * 14 * 14 * 384 * 9 + 2 * 14 * 14 * 384),
    ],
)
def test_operations_of_contractions(name: str, expected: int) -> None:
    row = next(r for r in [*CONTRACTIONS, *CONVOLUTIONS] if r.name == name)
    model = graph.model(row.function, [i.static() for i in row.inputs], ["f32"])
    assert graph.operations(model) == expected


def test_a_peak_that_was_not_measured_is_not_stated() -> None:
    row = SCHEMAS[0]
    found = report.Report({"core": [row.name]})
    found.peaks[1] = 1e9
    found.rows += [example(row.name, threads, 2e-6, 4e-6) for threads in (1, 2)]
    assert [found.peak_share(m) for m in found.rows] == [0.5, None]
    text = found.markdown()
    assert "at most: 1 on one thread.\n" in text and "| 50 | 50 |" in text and "| 50 | - |" in text


def test_report(tmp_path: Path) -> None:
    rows = SCHEMAS[:2]
    found = report.Report({"core": [row.name for row in rows]})
    for threads, scale in ((1, 1.0), (2, 0.5)):
        found.peaks[threads] = 1e9
        found.rows.append(example(rows[0].name, threads, 2e-6 * scale, 4e-6 * scale))
        found.rows.append(example(rows[1].name, threads, 2e-6 * scale, 1e-6 * scale))
    summary = found.summary()
    assert "one thread, all rows: 1.00 times as fast as the best peer of each row" in summary
    assert "0.50 times at least (sub middle), 1 slower than 1.05 times" in summary
    assert "by arithmetic: two threads are 2.00 times as fast as one" in summary
    assert "in half the time of one: two threads are 2.00 times as fast as one" in summary
    assert found.problems(check=False) == []
    assert found.problems(check=True) == [
        "sub middle: 2.00 times the time of onnxruntime",
        "sub middle (2 threads): 2.00 times the time of onnxruntime",
    ]
    assert report.Report.load(found.json()).markdown() == found.markdown()
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- benchmarks -->\nold\n<!-- /benchmarks -->\nb\n")
    for _ in range(2):
        report.replace_in(page, found.short("docs/p.svg"))
    text = page.read_text()
    assert text.startswith("a\n<!--") and text.endswith("-->\nb\n") and "old" not in text
    assert text.count("](docs/p.svg)") == 1
    assert "- one thread: 1.00 times as fast as the best peer" in text
    assert "| sub row | f32 | 4096x1024 | 2.0 | 4.0 |" in found.markdown()
    for measurement in found.rows:
        measurement.copy = 1.0
    assert "in half the time of one" not in found.summary()


def test_misaligned_arrays_are_reported() -> None:
    found = report.Report({"core": [row.name for row in SCHEMAS[:2]]})
    found.rows += [example(row.name, 1, 2e-6, 4e-6) for row in SCHEMAS[:2]]
    assert "isaligned" not in found.markdown()
    found.rows[0].misaligned = {"opc": 2.2e-6, "onnxruntime": 8e-6, "numpy": 3.3e-6}
    found.rows[1].misaligned = {"opc": 2.5e-6, "onnxruntime": 5e-6}
    text = found.markdown()
    assert "| misaligned | its ratio |" in text and "| 1.10 | 1.50 |" in text
    assert "misaligned arrays: 1.17 times the time of aligned ones" in text
    assert "1.25 times at most (sub middle), 1 above 1.15; 1.73 times as fast" in text
    assert "1.50 times at least (sub row)" in text
    assert found.problems(check=False) == []
    assert found.problems(check=True) == [
        "sub middle: misaligned 1.25 times the time of aligned arrays"
    ]
    assert report.Report.load(found.json()).markdown() == text


def test_networks_are_a_part_of_their_own() -> None:
    rows = report.Report({"core": [SCHEMAS[0].name]})
    rows.rows.append(example(SCHEMAS[0].name, 1, 2e-6, 4e-6))
    rows.peaks[1] = 1e9
    networks = report.Report({report.NETWORKS_GROUP: ["resnet"]})
    times = {"opc": 2e-3, "openvino": 1e-3}
    networks.rows.append(
        Measurement("resnet", "f32", "1x3", "network", 1, 1000, 0, times=times, quiet=9)
    )
    found = report.Report.load(rows.json(), networks.json())
    text = found.markdown()
    assert text.count("## one thread\n") == text.count("## one thread, networks\n") == 1
    assert "one thread, all rows: 2.00 times" in text
    assert "one thread, networks: 0.50 times as fast as the best peer" in text
    assert "| resnet | f32 | 1x3 | 2000 | 1000 | openvino | 0.50 | - | - | - |" in text
    assert "- one thread, networks: 0.50" in found.short(None)
    assert report.Report.load(found.json()).markdown() == text


def test_networks_beside_onnxruntime(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("onnxruntime")
    from benchmarks.networks.__main__ import LIGHT_NETWORKS
    from benchmarks.networks.__main__ import main as compare

    assert len(LIGHT_NETWORKS) == 9
    path = tmp_path / "networks.json"
    options = ["--small", "--rounds", "1", "--threads", "1", "--peers", "onnxruntime"]
    assert compare(["squeezenet", *options, "--json", str(path)]) == 0
    assert "## one thread, networks" in capsys.readouterr().out
    assert main(["--load", str(path)]) == 0
    assert "| squeezenet | f32 |" in capsys.readouterr().out


def test_what_is_decided_within_rounding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where scores tie but for a rounding, what stays is right if it follows from these scores."""
    import onnx
    from onnx.reference import ReferenceEvaluator

    from benchmarks.networks import agreement
    from benchmarks.networks.net import Net

    monkeypatch.setattr(
        agreement,
        "expected",
        lambda path, arrays: list(ReferenceEvaluator(onnx.load(path)).run(None, arrays)),
    )
    net = Net()
    scores = net("Mul", net.input("x", 1, 1, 3), net.scalar(0.5))
    boxes = net.constant([[[0, 0, 1, 1], [0, 0, 1, 0.9], [2, 2, 3, 3]]])
    limits = net.integers(9), net.constant([0.5]), net.constant([0.1])
    net.output(net("NonMaxSuppression", boxes, scores, *limits), "chosen", "i64")
    onnx.save(net.model(), path := tmp_path / "model.onnx")
    x = np.array([[[0.6, 0.6, 0.8]]], np.float32)
    reference = agreement.Reference(path, {"x": x})
    theirs, ours = ([[[0, 0, 2], [0, 0, k]]] for k in (0, 1))
    near = x / 2
    near[0, 0, 1] = np.nextafter(near[0, 0, 1], np.float32(1))
    for found, values, is_right in (
        (theirs, x / 2, True),
        (ours, near, True),
        (theirs, near, False),
        (ours, near + np.float32(0.01), False),
    ):
        chosen = [np.array(a, np.int64) for a in found]
        assert reference.difference(chosen, lambda _, v=values: [v])[1] is is_right


def test_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([(5.0, 10.0), (5.5, 11.0), (5.51, 12.0), (5.9, 13.0)])
    monkeypatch.setattr(quiet.Quiet, "_times", lambda _: next(seconds))
    judge = quiet.Quiet()
    assert [judge() for _ in range(3)] == [True, True, False]
    assert (judge.rounds, judge.disturbed) == (2, 1)


def test_quick_run(tmp_path: Path) -> None:
    """The whole way, as somebody types it."""
    page = tmp_path / "page.md"
    page.write_text("<!-- benchmarks --><!-- /benchmarks -->")
    command = [sys.executable, "-m", "benchmarks", "--quick", "--threads", "1", "2"]
    command += ["--misaligned", "--json", str(tmp_path / "all.json"), "--readme", str(page)]
    if find_spec("matplotlib"):
        command += ["--plot", str(tmp_path / "plot.svg")]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "all.json").read_text())
    assert len(found["rows"]) == 14 and set(found["peak"]) == {"1", "2"}
    assert all(set(row["times"]) >= {"opc", "numpy"} for row in found["rows"])
    assert all(set(row["misaligned"]) == set(row["times"]) for row in found["rows"])
    assert "## one thread" in done.stdout and "## 2 threads" in done.stdout
    assert "- one thread: " in page.read_text()
    if find_spec("matplotlib"):
        assert "softmax last" in (tmp_path / "plot.svg").read_text()


def test_bad_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--systems", "opc,q"]) == 2
    assert main(["--rows", "no such row"]) == 2
    assert main(["--rows", "("]) == 2
    assert main(["--readme", "none.md"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("benchmarks: no system q; there are opc, ")
    assert lines[1] == "benchmarks: --rows: no row matches"
    assert lines[2].startswith("benchmarks: --rows: ")
    assert lines[3] == "benchmarks: --readme: none.md has no <!-- benchmarks --> and " + (
        "<!-- /benchmarks -->"
    )
    for name, file in (("json", "no/x"), ("markdown", "."), ("plot", "no/x.svg"), ("plot", "x.y")):
        assert main([f"--{name}", file]) == 2
        assert capsys.readouterr().err.startswith(f"benchmarks: --{name}: ")
    for file in ("none", ".", str(Path(__file__)), str(ROOT / "pyproject.toml")):
        assert main(["--load", file]) == 2
        assert capsys.readouterr().err.startswith("benchmarks: --load: not what --json writes")
    for name in ("threads", "rounds", "count"):
        with pytest.raises(SystemExit, match="2"):
            main([f"--{name}", "0"])
        assert "expected a number from 1 to 999999" in capsys.readouterr().err
    assert main(["--random", "1", "--types", "f32,f31"]) == 2
    assert "--types: no type f31; there are f64, f32" in capsys.readouterr().err
    assert main(["--list", "--random", "1", "--count", "3"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_plan_survives_the_way_to_a_process() -> None:
    plan = Plan("sub", ("opc", "numpy"), 5, 24, None, 3, ("f32", "i8"), True, misaligned=True)
    assert Plan.from_json(plan.to_json()) == plan


@pytest.mark.skipif(shutil.which("pyright") is None, reason="pyright (extra dev) is not installed")
def test_pyright(tmp_path: Path) -> None:
    link_tree(ROOT / "benchmarks", tmp_path / "benchmarks")
    link_tree(ROOT / "compiler", tmp_path / "opc")
    link_tree(ROOT / "dialects", tmp_path / "opc/dialects")
    settings = {"typeCheckingMode": "strict", "include": ["benchmarks"], "extraPaths": ["."]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = run("pyright", "--pythonpath", sys.executable, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
