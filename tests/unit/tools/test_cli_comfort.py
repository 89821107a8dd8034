"""What makes the commands pleasant: short forms, several functions, progress, completion."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.__main__ import main
from opc.passes.pipeline import STAGES, passes
from opc.support.targets import NAMED
from opc.tools.cli import COMMANDS
from opc.tools.compile import STAGES as KINDS
from opc.tools.compile import SUFFIXES
from opc.tools.opt import main as opt_main
from opc.tools.run import seconds
from tests.unit.common import ROOT

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


@pytest.mark.parametrize("command", ["run", "bench", "verify"])
def test_one_function_a_call(command: str, capsys: Capture) -> None:
    message = failure(capsys, 2, command, "two.mlir", "--function", "first,second")
    assert "there is no function 'first,second'; the module has: first, second" in message
    assert f"opc {command} takes one function a call, opc compile several" in message
    assert "a call" not in failure(capsys, 2, command, "two.mlir", "--function", "third")


def test_results_go_to_files_of_kinds_that_are_known(capsys: Capture) -> None:
    for name in ("y.txt", "y.npyz", "y.csv"):
        message = failure(capsys, 2, "run", "one.mlir", "--input", "x.npy", "--output", name)
        assert f"--output: {name} ends in .{name.partition('.')[2]}; results are written" in message
    Path("there.v1").mkdir()
    for name in ("plain", "new.v1/", "there.v1"):
        assert main(["run", "one.mlir", "--input", "x.npy", "--output", name]) == 0
        assert files(name) == ["y.npy"]


def test_compile_and_run_recall_models(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither parses nor lowers a model, or a text, again that is in the cache, nor builds it."""
    monkeypatch.setenv("OPC_CACHE_DIR", str(Path("cache").absolute()))
    examples = ROOT / "examples"
    graphs = [str(examples / name) for name in ("centre.onnxtxt", "reduce_sum.xml", "centre.mlir")]

    def refuse(*args: object) -> None:
        raise AssertionError

    for graph in graphs:
        assert main(["compile", graph, "-o", "first"]) == 0
        opc.compile(graph)
        assert main(["run", graph, "--random", "0"]) == 0
    expected = capsys.readouterr().out
    with monkeypatch.context() as patched:
        patched.setattr("opc.api.driver.source_of", refuse)
        patched.setattr("opc.api.driver.emit", refuse)
        patched.setattr("opc.runtime.cache.translate", refuse)
        for graph in graphs:
            assert main(["compile", graph, "-o", "second"]) == 0
            assert main(["run", graph, "--random", "0"]) == 0
    assert capsys.readouterr().out == expected.replace("first", "second")
    for name in files("first"):
        assert (Path("first") / name).read_bytes() == (Path("second") / name).read_bytes()


def test_all_kinds_of_nodes_that_are_not_supported(capsys: Capture) -> None:
    Path("model.onnxtxt").write_text(
        '<ir_version: 8, opset_import: ["" : 17, "own" : 1]>\n'
        "g (float[3] x) => (float[3] y) {\n"
        "  a = StringNormalizer (x)\n  b = own.Gate (x)\n  c = StringNormalizer (b)\n"
        "  y = Relu (x)\n}\n"
    )
    for command in (["compile"], ["run", "--random", "0"], ["verify"]):
        message = failure(capsys, 4, command[0], "model.onnxtxt", *command[1:])
        assert message == (
            "model.onnxtxt: error: 2 kinds of nodes are not supported: StringNormalizer (opset 17) "
            "x 2, first node 0; own::Gate (opset 1) x 1, first node 1; what is needed: operators "
            "StringNormalizer, own::Gate\n"
        )


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
            if not code:
                continue
            assert f"error: {name}: expected a module at the stage " in err
            at = "graph" if stage == "source" else stage
            assert f", found one at the stage {at}: " in err
            first = re.search(r"; first run -p (\S+)\n", err)
            if order.index(name) < len(passes(stage)):
                assert first is None and f"that is after {name}: run it on" in err
                assert ", ".join(STAGES["loops"][:2]) in err or "or run -t c, which" in err
                continue
            assert first is not None, err
            assert opt_main([f"{stage}.mlir", "-p", f"{first[1]},{name}", "-o", "out.mlir"]) == 0
    assert re.fullmatch(
        r"source.mlir:3:5: error: form-kernels: expected a module at the stage normal, found one "
        r"at the stage graph: it contains opc.gelu; first run -p infer-shapes,sink-constants,\S+\n",
        texts["form-kernels"],
    )
    expected = "schedule: expected a module at the stage kernels after form-tile-fusions,"
    assert expected in texts["schedule"]
    capsys.readouterr()
    assert opt_main(["loops.mlir", "-p", "normalize-axes"]) == 2
    message = capsys.readouterr().err
    assert "normalize-axes: expected a module at the stage graph after require-ranges" in message
    assert "found one at the stage loops: its" in message and "normalize-axes: run it on" in message
    assert opt_main(["source.mlir", "-p", "no-such-pass"]) == 2


def test_opt_reads_models(capsys: Capture) -> None:
    examples = ROOT / "examples"
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


def test_files_of_kinds_that_are_not_known(capsys: Capture) -> None:
    Path("notes.md").write_text("# Notes\n")
    Path("model.pt").write_bytes(b"PK\x03\x04\xff\xfe")
    Path("graph.txt").write_text(ONE)
    for command in (["compile"], ["run", "--random", "0"]):
        message = failure(capsys, 3, command[0], "notes.md", *command[1:])
        assert message.splitlines() == [
            "notes.md:1:1: error: expected a name behind '#' (a file '.md' is read as MLIR text; "
            "models are .onnx, .onnxtxt, .xml)",
            "  # Notes",
            "  ^",
        ]
        message = failure(capsys, 3, command[0], "model.pt", *command[1:])
        assert "not UTF-8 text: byte 0xff" in message and "a file '.pt' is read as MLIR" in message
    assert main(["run", "graph.txt", "--random", "0"]) == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_there_is(command: str, capsys: Capture) -> None:
    assert main([command, "--help"]) == 0
    words = re.findall(r"[a-z0-9_.-]+", capsys.readouterr().out)
    expected = {"compile": (*SUFFIXES, *KINDS, *NAMED), "run": (".npy", ".npz", *NAMED)}
    assert set(expected.get(command, ())) <= {word.strip(".") for word in words} | set(words)


def test_files_give_names(capsys: Capture) -> None:
    """Two models in one folder do not write over each other because C lacks a character."""
    for file, name in (("my-net.v2", "my_net_v2"), ("other-net", "other_net"), ("3", "graph")):
        Path(f"{file}.mlir").write_text(ONE)
        assert main(["compile", f"{file}.mlir", "--emit", "c,h", "-o", "out"]) == 0
        assert f"int {name}_run(" in (Path("out") / f"{name}.h").read_text()
