"""The commands ``opc`` and ``opc-opt``: what they write, and how they end."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from opc.__main__ import main
from opc.tools import files, opt, report
from opc.tools.opt import main as opt_main

GRAPH = """\
func.func @main(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4xf32> {
  %0 = opc.add %x, %b
  %y = opc.reduce_max %0 {axes = [-1]}
  return %y : tensor<4xf32>
}
"""

SYMBOLIC = """\
func.func @main(%x: tensor<?x4xf32>, %h: tensor<?xbf16>) -> (tensor<?x4xf32>, tensor<?xbf16>) {
  %r = opc.neg %x
  %s = opc.abs %h
  return %r, %s : tensor<?x4xf32>, tensor<?xbf16>
}
"""

X = np.arange(32, dtype=np.float32).reshape(4, 8)
B = np.ones(8, np.float32)
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("graph.mlir").write_text(GRAPH)
    Path("symbolic.mlir").write_text(SYMBOLIC)
    np.save("x.npy", X)
    np.save("b.npy", B)
    np.savez("both.npz", x=X, b=B)
    return tmp_path


def names(folder: Path | str) -> set[str]:
    return {path.name for path in Path(folder).iterdir()}


def failure(capsys: Capture, code: int, *args: str) -> str:
    """What a command says that ends with ``code``, after checking that it wrote nothing."""
    before = names(".")
    assert main(list(args)) == code
    out, err = capsys.readouterr()
    assert "Traceback" not in err and out == ""
    assert names(".") == before
    return err


def test_compile_writes_a_usable_library(capsys: Capture) -> None:
    assert main(["compile", "graph.mlir", "-o", "new/folder"]) == 0
    assert names("new/folder") == {"graph.c", "graph.h", "graph.so", "graph.json"}
    printed = capsys.readouterr().out.splitlines()
    sizes = [f"wrote {p} ({p.stat().st_size} bytes)" for p in Path("new/folder").iterdir()]
    assert sorted(printed) == sorted(sizes)
    described = json.loads(Path("new/folder/graph.json").read_text())
    assert [i["name"] for i in described["inputs"]] == ["x", "b"]
    library = ctypes.CDLL(str(Path("new/folder/graph.so").absolute()))
    result = np.empty(4, np.float32)
    arrays = [a.ctypes.data_as(ctypes.c_void_p) for a in (X, B, result)]
    assert library.graph_run(*arrays, None) == 0
    np.testing.assert_array_equal(result, (X + B).max(1))


def test_compile_writes_into_the_working_directory() -> None:
    before = names(".")
    assert main(["compile", "graph.mlir", "--emit", "c,h", "--prefix", "centre"]) == 0
    assert names(".") - before == {"centre.c", "centre.h", "centre.json"}
    included = [
        line for line in Path("centre.h").read_text().splitlines() if line.startswith("#include")
    ]
    assert set(included) <= {"#include <stdint.h>", "#include <stddef.h>"}


def test_compile_to_every_kind() -> None:
    kinds = "c,h,so,obj,asm,source,graph,normal,kernels,loops"
    assert main(["compile", "graph.mlir", "-o", "all", "--emit", kinds]) == 0
    stages = {f"graph.{stage}.mlir" for stage in kinds.split(",")[5:]}
    binaries = {"graph.c", "graph.h", "graph.so", "graph.o", "graph.s", "graph.json"}
    assert names("all") == stages | binaries


@pytest.mark.parametrize("stage", ["source", "graph", "normal", "kernels", "loops"])
def test_stage_goes_to_standard_output(stage: str, capsys: Capture) -> None:
    before = names(".")
    assert main(["compile", "graph.mlir", "--emit", stage]) == 0
    text = capsys.readouterr().out
    assert names(".") == before
    Path("again.mlir").write_text(text)
    assert opt_main(["again.mlir"]) == 0, "what is printed can be read"
    assert capsys.readouterr().out.strip() == text.strip()


def test_same_files_twice() -> None:
    for folder in ("one", "two"):
        assert main(["compile", "graph.mlir", "-o", folder]) == 0
    for name in names("one"):
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()


def test_compile_from_standard_input() -> None:
    command = [sys.executable, "-m", "opc", "compile", "-", "--emit", "normal"]
    done = subprocess.run(command, input=GRAPH, capture_output=True, text=True, check=True)
    assert "opc.reduce_max" in done.stdout
    done = subprocess.run(command, input="x", capture_output=True, text=True, check=False)
    assert done.returncode == 3 and done.stderr.startswith("<stdin>:1:1: error: ")


def test_passes_are_shown(capsys: Capture) -> None:
    flags = ["--print-ir-after-all", "--verify-each", "--time-passes", "--emit", "loops"]
    assert main(["compile", "graph.mlir", *flags]) == 0
    out, err = capsys.readouterr()
    assert "normalize-axes" in err and "normalize-axes" not in out


def test_bad_graphs(capsys: Capture) -> None:
    Path("empty.mlir").write_text("")
    Path("bytes.mlir").write_bytes(b"\xff\xfe")
    Path("types.mlir").write_text(GRAPH.replace("axes = [-1]", "axes = [7]"))
    Path("call.mlir").write_text(GRAPH.replace("opc.add", "func.call @main"))
    Path("deep.mlir").write_text("module {" * 10000)
    expected = {
        "none.mlir": "none.mlir: error: cannot be read: No such file or directory",
        ".": ".: error: cannot be read: Is a directory",
        "empty.mlir": "empty.mlir:1:1: error: ",
        "bytes.mlir": "bytes.mlir:1:1: error: not UTF-8 text",
        "types.mlir": "types.mlir:3:23: error: opc.reduce_max: axis 7 is outside [-2, 1]",
        "deep.mlir": "deep.mlir:1:513: error: operations are nested more than 64 deep",
    }
    for name, message in expected.items():
        assert failure(capsys, 3, "compile", name).startswith(message)
        assert failure(capsys, 3, "run", name, "--random", "1").startswith(message)


def test_bad_options(capsys: Capture) -> None:
    base = ("compile", "graph.mlir")
    assert "unknown kind 'q'" in failure(capsys, 2, *base, "--emit", "c,q")
    for empty in (",", "c,,h", "", "c,", " "):
        message = failure(capsys, 2, *base, "--emit", empty)
        assert "found an empty kind" in message and "there are: c, h, so" in message
    assert "unknown target 'q'" in failure(capsys, 2, *base, "--target", "q")
    assert "no function 'q'" in failure(capsys, 2, *base, "--function", "q")
    assert "from 1 to 999999" in failure(capsys, 2, *base, "--threads", "0")
    assert "from 1 to 999999" in failure(capsys, 2, *base, "--threads", "9" * 5000)
    assert "invalid choice: 'q'" in failure(capsys, 2, "q")
    assert "required: graph" in failure(capsys, 2, "compile")
    assert "no C compiler" in failure(capsys, 5, *base, "--cc", "no-such-compiler")
    assert "exit code 1" in failure(capsys, 5, *base, "--cc", "false")
    before = names("."), names("..")
    for prefix in ("a b", "../x", "int", "1x", "", "x" * 5000):
        assert main([*base, "--prefix", prefix]) in (2, 3)
        assert "prefix" in (message := capsys.readouterr().err)
        assert ("is a keyword" in message) == (prefix == "int")
    assert (names("."), names("..")) == before


def test_unwritable_output(capsys: Capture) -> None:
    base = ("compile", "graph.mlir", "-o")
    assert failure(capsys, 6, *base, "graph.mlir").startswith("graph.mlir: error: cannot make")
    assert "graph.mlir" in failure(capsys, 6, *base, "graph.mlir/inner")
    Path("taken/graph.h").mkdir(parents=True)
    assert "taken/graph.h: error: " in failure(capsys, 6, *base, "taken")
    assert names("taken") == {"graph.h"}
    if os.geteuid() != 0:
        Path("locked").mkdir(mode=0o500)
        assert "Permission denied" in failure(capsys, 6, *base, "locked")


def test_nothing_is_left_of_a_failed_write(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(files.Path, "replace", full)
    assert main(["compile", "graph.mlir", "-o", "out"]) == 6
    assert not Path("out").exists()


def test_failed_compiler_leaves_the_old_files() -> None:
    assert main(["compile", "graph.mlir", "-o", "out"]) == 0
    before = {name: Path("out", name).read_bytes() for name in names("out")}
    compiler = Path("broken")
    compiler.write_text('#!/bin/sh\ncase "$1" in --version|-dump*) exec cc "$1";; esac\nexit 3\n')
    compiler.chmod(0o755)
    assert main(["compile", "symbolic.mlir", "-o", "out", "--cc", "./broken"]) == 5
    assert {name: Path("out", name).read_bytes() for name in names("out")} == before


def test_run_prints(capsys: Capture) -> None:
    for inputs in (["x=x.npy", "b=b.npy"], ["both.npz"], ["x=both.npz", "b=b.npy"]):
        flags = [word for item in inputs for word in ("--input", item)]
        assert main(["run", "graph.mlir", *flags]) == 0
        assert capsys.readouterr().out == "y: f32[4]\n[ 8., 16., 24., 32.]\n"


def test_run_saves() -> None:
    flags = ["--input", "both.npz", "--output"]
    assert main(["run", "graph.mlir", *flags, "out"]) == 0
    assert main(["run", "graph.mlir", *flags, "sub/out.npz"]) == 0
    expected = (X + B).max(1)
    np.testing.assert_array_equal(np.load("out/y.npy"), expected)
    with np.load("sub/out.npz") as archive:
        assert archive.files == ["y"]
        np.testing.assert_array_equal(archive["y"], expected)


def test_run_saves_outputs_of_any_name() -> None:
    result = '-> (tensor<4xf32> {opc.name = "/y/0"})'
    Path("named.mlir").write_text(GRAPH.replace("-> tensor<4xf32>", result))
    flags = ["--input", "both.npz", "--output"]
    assert main(["run", "named.mlir", *flags, "named"]) == 0
    assert [path.name for path in Path("named").iterdir()] == ["output0.npy"]
    assert main(["run", "named.mlir", *flags, "named.npz"]) == 0
    with np.load("named.npz") as archive:
        assert archive.files == ["/y/0"]


def test_run_bfloat16_from_files() -> None:
    h = np.array([-1.5, 2.0, -0.0], ml_dtypes.bfloat16)
    np.save("h.npy", h)
    assert np.load("h.npy").dtype.kind == "V"
    flags = ["--input", "h=h.npy", "--random", "1", "--output", "out"]
    assert main(["run", "symbolic.mlir", *flags]) == 0
    saved = np.load("out/s.npy").view(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(saved, np.abs(h))


def test_run_random(capsys: Capture) -> None:
    texts: list[str] = []
    for seed in ("7", "7", "8"):
        assert main(["run", "graph.mlir", "--random", seed]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != texts[2]
    rng = np.random.default_rng(7)
    x, b = rng.standard_normal((4, 8)), rng.standard_normal(8)
    expected = (x.astype(np.float32) + b.astype(np.float32)).max(1)
    assert main(["run", "graph.mlir", "--random", "7", "--output", "out"]) == 0
    np.testing.assert_array_equal(np.load("out/y.npy"), expected)


def test_run_extents(capsys: Capture) -> None:
    assert main(["run", "symbolic.mlir", "--random", "1"]) == 0
    assert "r: f32[8,4]" in capsys.readouterr().out
    flags = ["--input", "x=x4.npy", "--random", "1"]
    np.save("x4.npy", np.zeros((3, 4), np.float32))
    assert main(["run", "symbolic.mlir", *flags]) == 0
    assert "r: f32[3,4]" in capsys.readouterr().out
    symbol = failure(capsys, 2, "run", "symbolic.mlir", "--random", "1", "--extent", "no=3")
    name = symbol.partition("there are: ")[2].split(",")[0].strip()
    assert main(["run", "symbolic.mlir", "--random", "1", "--extent", f"{name}=5"]) == 0
    assert "f32[5,4]" in capsys.readouterr().out
    assert "3 in the arrays" in failure(
        capsys, 2, "run", "symbolic.mlir", *flags, "--extent", f"{name}=5"
    )


def test_run_bad_inputs(capsys: Capture) -> None:
    base = ("run", "graph.mlir")
    Path("text.npy").write_text("no array")
    Path("cut.npy").write_bytes(Path("x.npy").read_bytes()[:100])
    Path("cut.npz").write_bytes(Path("both.npz").read_bytes()[:200])
    np.save("pickled.npy", np.array([{}], dtype=object), allow_pickle=True)
    np.save("doubles.npy", X.astype(np.float64))
    np.save("short.npy", X[:, :7])
    header = Path("x.npy").read_bytes().replace(b"(4, 8)", b"(99999999999, 99999)")
    Path("huge.npy").write_bytes(header)
    for name in ("text.npy", "cut.npy", "cut.npz", "pickled.npy", "none.npy", ".", "huge.npy"):
        message = failure(capsys, 3, *base, "--input", f"x={name}", "--random", "1")
        assert message.startswith(f"{name}: error: ") and message.count("\n") == 1
    assert "float64" in failure(capsys, 7, *base, "--input", "x=doubles.npy", "--random", "1")
    assert "axis 1: found 7, expected 8" in failure(
        capsys, 7, *base, "--input", "x=short.npy", "--random", "1"
    )
    assert "missing inputs: x, b" in failure(capsys, 2, *base)
    assert "missing inputs: b" in failure(capsys, 2, *base, "--input", "x=x.npy")
    assert "no input 'q'" in failure(capsys, 2, *base, "--input", "q=x.npy")
    assert "found an empty path" in failure(capsys, 3, *base, "--input", "x=")
    assert "found an empty path" in failure(capsys, 3, "run", "", "--random", "1")
    assert "needs the name" in failure(capsys, 2, *base, "--input", "x.npy")
    assert "given twice" in failure(capsys, 2, *base, "--input", "x=x.npy", "--input", "both.npz")
    assert "expected a number" in failure(capsys, 2, *base, "--random", "9" * 5000)
    assert "expected NAME=EXTENT" in failure(capsys, 2, *base, "--random", "1", "--extent", "n")


def test_ops(capsys: Capture) -> None:
    assert main(["ops"]) == 0
    table = capsys.readouterr().out
    assert "opc.reduce_sum" in table.split()
    assert main(["ops", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    (gelu,) = (row for row in rows if row["name"] == "opc.gelu")
    assert gelu["types"] == ["f64", "f32", "f16", "bf16"] and gelu["formats"][0] == "mlir"
    assert gelu["attributes"][0]["default"] == '"none"'


def test_version_and_help(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("opc ")
    assert main([]) == main(["--help"]) == 0
    text = capsys.readouterr().out
    for code in (2, 3, 4, 5, 6, 7, 70, 71, 130, 141):
        assert f"  {code} " in text
    for command in ("compile", "run", "ops"):
        assert main([command, "--help"]) == 0
        assert "usage" in capsys.readouterr().out


def test_defects_and_exhaustion(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPC_DEBUG", raising=False)

    def fail(error: BaseException) -> int:
        def command() -> int:
            raise error

        return report.guarded("opc", command)

    assert fail(KeyError("defect")) == 70
    err = capsys.readouterr().err
    assert err.startswith("opc: internal error: KeyError: 'defect'") and err.count("\n") == 1
    assert fail(MemoryError()) == 71
    assert fail(RecursionError()) == 3
    assert fail(KeyboardInterrupt()) == 130
    assert "Traceback" not in capsys.readouterr().err
    monkeypatch.setenv("OPC_DEBUG", "1")
    assert fail(KeyError("defect")) == 70
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")
def test_broken_pipe() -> None:
    command = f"{sys.executable} -m opc ops --json; echo $? >&2"
    done = subprocess.run(
        ["sh", "-c", f"({command}) | head -c 1 > /dev/null"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.strip() in ("141", "0")


def test_interrupt() -> None:
    read, write = os.pipe()
    command = [sys.executable, "-m", "opc", "compile", "-"]
    # What a shell starts in the background ignores the signal, and so would what it starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command, stdin=read, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, before)
    os.set_blocking(write, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(write, bytes(1 << 16))
    # There is room again once the command reads.
    assert select.select([], [write], [], 60)[1]
    # A signal between two reads is seen only when the next one ends, so there are several.
    for _ in range(10):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(2)
            break
    _, err = process.communicate(timeout=20)
    os.close(write)
    os.close(read)
    assert process.returncode == 130 and err == ""


def test_interrupt_that_a_package_turns_into_another_error(capsys: Capture) -> None:
    """NumPy makes an ImportError of whatever is raised while its core is imported."""

    def interrupted() -> int:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("numpy._core.multiarray failed to import") from None
        return 0

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert report.guarded("opc", interrupted) == 130
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == ""


def test_warnings_are_messages(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("open").mkdir(mode=0o777)
    Path("open").chmod(0o777)
    code = "import sys; from opc.__main__ import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", "graph.mlir", "--random", "0"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OPC_CACHE_DIR": "open/cache"},
    )
    assert done.returncode == 0
    first, second = done.stderr.splitlines()
    assert first.startswith("opc: warning: the cache ") and second.startswith("results: ")


def test_opt_continues_behind_an_error(capsys: Capture) -> None:
    text = f"{GRAPH}// -----\nfunc.func @bad(\n// -----\n{GRAPH.replace('@main', '@last')}"
    Path("split.mlir").write_text(text)
    assert opt_main(["split.mlir", "--split-input-file"]) == 3
    out, err = capsys.readouterr()
    assert "@main" in out and "@last" in out
    assert err.startswith("split.mlir:8:1: error: ")
    for flag in ("--verify-diagnostics", "--parsing-diagnostics"):
        assert opt_main(["split.mlir", "--split-input-file", flag]) == 0
        out, err = capsys.readouterr()
        assert "split.mlir:8:1: error: " in out and err == ""


def test_opt_options(capsys: Capture) -> None:
    flags = ["--print-ir-after-all", "--time-passes", "--verify-each"]
    assert opt_main(["graph.mlir", "-p", "infer-shapes,normalize-axes", *flags]) == 0
    out, err = capsys.readouterr()
    assert "axes = [1]" in out
    assert err.count("// ----- after ") == 2 and "infer-shapes: " in err
    assert opt_main(["graph.mlir", "-p", "no-such-pass"]) == 2
    assert opt_main(["graph.mlir", "-p", "normalize-axes{"]) == 2
    assert opt_main(["graph.mlir", "-p", "normalize-axes{no=1}"]) == 2
    assert opt_main(["graph.mlir", "-t", "no-such-target"]) == 2
    assert opt_main(["none.mlir"]) == 3
    assert opt_main(["graph.mlir", "-o", "none/out.mlir"]) == 6
    assert "Traceback" not in capsys.readouterr().err


def test_opt_reports_a_failing_pass(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    from xdsl.passes import ModulePass
    from xdsl.utils.exceptions import PassFailedException

    class FailingPass(ModulePass):
        name = "failing"

        def apply(self, ctx: object, op: object) -> None:
            raise PassFailedException("no luck")

    monkeypatch.setitem(opt.PASSES, "failing", "unused:unused")
    monkeypatch.setattr(opt, "resolve", lambda reference: FailingPass)
    assert opt_main(["graph.mlir", "-p", "failing", "--disable-verify"]) in (3, 70)
    assert "Traceback" not in capsys.readouterr().err
