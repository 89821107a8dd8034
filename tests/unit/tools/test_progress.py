"""The line that a terminal shows while a command takes long."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from opc.__main__ import main
from opc.graph.fold_constants import FoldConstantsPass
from opc.passes import registry
from opc.runtime import cache, toolchain
from opc.tools import progress
from tests.unit.common import ROOT

pytestmark = pytest.mark.level("-O3")

GRAPH = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = opc.neg %x
  return %y : tensor<4xf32>
}
"""
ERASE = "\r\x1b[K"
SLOW = 0.3
SHORT = {
    "compile": ["compile", "graph.mlir"],
    "run": ["run", "graph.mlir", "--random", "1"],
    "bench": ["bench", "graph.mlir", "--rounds", "40", "--against", ""],
    "verify": ["verify", "graph.mlir"],
}


class SlowPass(FoldConstantsPass):
    """A pass that takes its time."""

    def apply(self, ctx: Any, op: Any) -> None:
        time.sleep(SLOW)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("OPC_CACHE_DIR", str(tmp_path / "cache"))
    Path("graph.mlir").write_text(GRAPH)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow pass and a slow C compiler; what takes longer than a tenth of it is shown."""
    usual = toolchain.translate

    def translate(*args: Any, **keywords: Any) -> bytes:
        time.sleep(SLOW)
        return usual(*args, **keywords)

    monkeypatch.setitem(registry.PASSES, "fold-constants", f"{__name__}:SlowPass")
    monkeypatch.setitem(sys.modules, __name__, sys.modules[SlowPass.__module__])
    monkeypatch.setattr(toolchain, "translate", translate)
    monkeypatch.setattr(cache, "translate", translate)
    monkeypatch.setattr(progress, "AFTER", SLOW / 10)
    monkeypatch.setattr(progress, "PERIOD", SLOW / 10)


def on_terminal(monkeypatch: pytest.MonkeyPatch, args: list[str], code: int = 0) -> str:
    """What a command writes to standard error, if that is a terminal."""
    leader, follower = pty.openpty()
    with monkeypatch.context() as patch, os.fdopen(follower, "w") as stream:
        patch.setattr(sys, "stderr", stream)
        found = bytearray()

        def read() -> None:
            while not found.endswith(b"END"):
                found.extend(os.read(leader, 4096))

        # A terminal takes only so much that nobody reads.
        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        assert main(args) == code
        stream.write("END")
        stream.flush()
        reader.join(60)
    os.close(leader)
    return found.decode().removesuffix("END")


@pytest.mark.parametrize("command", SHORT)
def test_the_line_is_shown_and_erased(
    command: str, slow: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = on_terminal(monkeypatch, SHORT[command])
    assert re.search(r"\r\x1b\[Kfold-constants \(\d+ of \d+\), [\d.]+ s", text)
    # It is drawn again while nothing is reported.
    assert text.count("C compiler, ") > 2
    assert bool(re.search(r"rounds \(\d+ of 40\), ", text)) == (command == "bench")
    shown, _, rest = text.rpartition(ERASE)
    assert shown.count(ERASE) > 4
    end = r"results: .*" if command == "run" else ""
    assert re.fullmatch(end, rest.strip())
    assert "\n" not in shown


def test_it_is_erased_before_an_error(slow: None, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("graph.mlir").write_text(GRAPH.replace("opc.neg %x", "opc.topk %x"))
    text = on_terminal(monkeypatch, ["compile", "graph.mlir"], code=3)
    assert re.search(r"(^|\r\x1b\[K)graph\.mlir:2:", text)
    broken = Path("cc")
    broken.write_text('#!/bin/sh\ncase "$*" in *-c*|*-o*) exit 1;; esac\nexec cc "$@"\n')
    broken.chmod(0o755)
    Path("graph.mlir").write_text(GRAPH)
    text = on_terminal(monkeypatch, ["compile", "graph.mlir", "--cc", str(broken.resolve())], 5)
    assert re.search(r"C compiler, \S+ s\r\x1b\[Kopc: error: ", text)


def test_nothing_is_shown_within_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER", 100.0)
    assert on_terminal(monkeypatch, SHORT["compile"]) == ""
    assert progress.PERIOD <= 0.2


@pytest.mark.parametrize(
    ("name", "value"), [("CI", "true"), ("TERM", "dumb"), ("TERM", None), ("CI", "1")]
)
def test_nothing_is_shown_where_it_cannot_be_erased(
    name: str, value: str | None, slow: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is None:
        monkeypatch.delenv(name)
    else:
        monkeypatch.setenv(name, value)
    assert on_terminal(monkeypatch, SHORT["compile"]) == ""


def test_passes_that_print_are_not_disturbed(slow: None, monkeypatch: pytest.MonkeyPatch) -> None:
    text = on_terminal(monkeypatch, [*SHORT["compile"], "--time-passes"])
    assert " ms  fold-constants" in text and "\x1b" not in text


def test_a_pipe_shows_nothing(slow: None, capfd: pytest.CaptureFixture[str]) -> None:
    for command in ("compile", "verify"):
        assert main(SHORT[command]) == 0
        out, err = capfd.readouterr()
        assert err == "" and "\x1b" not in out and "fold-constants" not in out


def test_a_second_of_a_real_process() -> None:
    """With the usual times, from another process; its standard output is a pipe."""
    script = """\
import sys
from tests.unit.tools import test_progress
from opc.passes import registry
from opc.__main__ import main
test_progress.SLOW = 0.8
registry.PASSES["fold-constants"] = "tests.unit.tools.test_progress:SlowPass"
sys.exit(main(["compile", "graph.mlir", "--emit", "loops"]))
"""
    leader, follower = pty.openpty()
    command = [sys.executable, "-c", script]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=follower)
    out, _ = process.communicate(timeout=100)
    os.close(follower)
    err = os.read(leader, 65536).decode()
    os.close(leader)
    assert process.returncode == 0 and out.startswith(b"builtin.module")
    first, *others = re.findall(r"\r\x1b\[K[\w -]+ \(\d+ of \d+\), ([\d.]+) s", err)
    assert float(first) >= 1 and others and err.endswith(ERASE)


def test_a_line_is_not_longer_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl
    import struct
    import termios

    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 20, 0, 0))
    with os.fdopen(follower, "w") as stream:
        shown = progress.Progress(stream, since=time.monotonic() - 5)
        shown("a stage with a name that is long")
        assert os.read(leader, 4096).decode() == ERASE + "a stage with a name"
        shown.close()
        shown("after the end")
        assert os.read(leader, 4096).decode() == ERASE
    os.close(leader)
