"""What makes the commands pleasant: short forms, several functions, progress, completion."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.__main__ import main
from opc.pipeline import STAGES, passes
from opc.tools.opt import main as opt_main
from opc.tools.run import seconds

ONE = """\
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = opc.neg %x
  return %y : tensor<?x4xf32>
}
"""
TWO = ONE.replace("@main", "@first") + ONE.replace("@main", "@second").replace("neg", "abs")
PAIR = """\
func.func @main(%x: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = opc.neg %x
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}
"""
X = np.arange(8, dtype=np.float32).reshape(2, 4)
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("one", ONE), ("two", TWO), ("pair", PAIR)):
        Path(f"{name}.mlir").write_text(text)
    np.save("x.npy", X)
    return tmp_path


def files(folder: str = ".") -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def failure(capsys: Capture, code: int, *args: str) -> str:
    """What a command says that ends with ``code``, after checking that it wrote nothing."""
    before = files()
    assert main(list(args)) == code
    out, err = capsys.readouterr()
    assert "Traceback" not in err and out == ""
    assert files() == before
    return err


def test_the_only_input_needs_no_name(capsys: Capture) -> None:
    assert main(["run", "one.mlir", "--input", "x.npy"]) == 0
    assert capsys.readouterr().out.startswith("y: f32[2,4]\n[[-0., -1.")
    message = failure(capsys, 2, "run", "pair.mlir", "--input", "x.npy")
    assert "needs the name of its input: NAME=x.npy; there are: x, z" in message
    assert "given twice" in failure(
        capsys, 2, "run", "one.mlir", "--input", "x.npy", "--input", "x=x.npy"
    )


def test_the_only_output_in_a_file_of_its_own(capsys: Capture) -> None:
    base = ["run", "one.mlir", "--input", "x.npy", "--output"]
    assert main([*base, "new/y.npy"]) == 0
    assert capsys.readouterr().out == f"wrote {Path('new/y.npy')} (160 bytes)\n"
    np.testing.assert_array_equal(np.load("new/y.npy"), -X)
    assert files("new") == ["y.npy"]
    message = failure(capsys, 2, "run", "pair.mlir", "--random", "1", "--output", "y.npy")
    assert "y.npy holds one array, and there are 2 outputs" in message


def test_time_and_size_of_results(capsys: Capture) -> None:
    assert main(["run", "one.mlir", "--input", "x.npy"]) == 0
    out, err = capsys.readouterr()
    assert re.fullmatch(r"results: 32 bytes in [\d.]+ [mµ]?s, compiled in [\d.]+ [mµ]?s\n", err)
    assert "results:" not in out
    assert [seconds(t) for t in (2.5, 0.0123456, 1.5e-6, 0.0, 1.0)] == [
        *("2.5 s", "12.3 ms", "1.5 µs", "0 µs", "1 s")
    ]


def test_several_functions_in_one_call(capsys: Capture) -> None:
    assert main(["compile", "two.mlir", "--all-functions", "-o", "all"]) == 0
    wanted = [f"{n}{s}" for n in ("first", "second") for s in (".c", ".h", ".json", ".so")]
    assert files("all") == wanted
    x, second = X - 3, opc.load("all/second.json")
    np.testing.assert_array_equal(second(x), np.abs(x))
    assert main(["compile", "two.mlir", "--function", "second,first", "-o", "named"]) == 0
    assert files("named") == wanted
    capsys.readouterr()
    assert main(["compile", "two.mlir", "--all-functions", "--emit", "graph"]) == 0
    text = capsys.readouterr().out
    assert [text.count(w) for w in ("@first", "@second", "// -----\n")] == [1, 1, 1]
    base = ("compile", "two.mlir")
    assert "no function 'third'" in failure(capsys, 2, *base, "--function", "first,third")
    assert "no function ''" in failure(capsys, 2, *base, "--function", "first,")
    message = failure(capsys, 2, *base, "--all-functions", "--prefix", "p")
    assert "--prefix: there are 2 functions" in message
    Path("second.mlir").write_text(TWO.replace("@first", "@main"))
    message = failure(capsys, 2, "compile", "second.mlir", "--all-functions")
    assert "two functions would be written as second" in message
    assert "choose a function" in failure(capsys, 2, *base)


def test_what_is_no_array_is_told_without_advice_to_load_pickles(capsys: Capture) -> None:
    objects = np.array([{}], dtype=object)
    np.save("objects.npy", objects, allow_pickle=True)
    np.savez("objects.npz", x=objects)
    Path("text.npy").write_text("no array")
    Path("empty.npy").write_bytes(b"")
    Path("pickle.npy").write_bytes(b"\x80\x04]\x94.")
    for name in ("objects.npy", "objects.npz", "text.npy", "empty.npy", "pickle.npy"):
        message = failure(capsys, 3, "run", "one.mlir", "--input", f"x={name}")
        what = "expected numbers" if name.startswith("objects") else "neither a .npy file nor"
        assert what in message and "pickle" not in message.removeprefix(name)


def test_versions_are_those_of_opc(capsys: Capture) -> None:
    assert opc.__version__ == metadata.version("opc-compiler")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"opc {opc.__version__}\n"
    assert opt_main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"opc-opt {opc.__version__}, ")


def test_passes_say_what_they_need(capsys: Capture) -> None:
    """Each pass, on a graph that has gone through the passes of each stage."""
    Path("graph.mlir").write_text(ONE.replace("neg", "gelu"))
    order = passes("loops")
    texts: dict[str, str] = {}
    for stage in STAGES:
        assert opt_main(["graph.mlir", "-p", ",".join(passes(stage)), "-o", f"{stage}.mlir"]) == 0
    for stage in STAGES:
        for name in dict.fromkeys(order):
            code = opt_main([f"{stage}.mlir", "-p", name])
            err = capsys.readouterr().err
            assert code in (0, 2), f"{name} at {stage}: {err}"
            if stage == "source":
                texts[name] = err
            if code and "first run" not in err:
                assert f"{name}: expected tensors, found buffers; it comes before" in err
    for name in ("form-kernels", "fuse-kernels", "schedule", "lower-schedules"):
        found = re.fullmatch(r"source.mlir:.*first run -p (\S+)\n", texts[name])
        assert found is not None and f"error: {name}: " in texts[name]
        assert "opc.gelu is gone" in texts[name] or "expected buffers" in texts[name]
        assert opt_main(["graph.mlir", "-p", f"{found[1]},{name}"]) == 0
    capsys.readouterr()
    assert opt_main(["source.mlir", "-p", "no-such-pass"]) == 2


def test_opt_reads_models(capsys: Capture) -> None:
    examples = Path(__file__).parents[2] / "examples"
    for name, operator in (("centre.onnxtxt", "onnx.node"), ("reduce_sum.xml", "openvino.layer")):
        assert opt_main([str(examples / name)]) == 0
        assert operator in capsys.readouterr().out
        legal = "legalize-onnx,legalize-openvino,infer-shapes"
        assert opt_main([str(examples / name), "-p", legal, "-o", "out.mlir"]) == 0
        assert "opc.reduce_" in Path("out.mlir").read_text()
        assert opt_main([str(examples / name), "-p", "form-kernels"]) == 2
        assert operator in capsys.readouterr().err
        assert opt_main([str(examples / name), "--split-input-file"]) == 2
        assert "is no text" in capsys.readouterr().err
    Path("bad.onnx").write_bytes(b"no model")
    assert opt_main(["bad.onnx"]) == 3
    assert capsys.readouterr().err.startswith("bad.onnx: error: ")
