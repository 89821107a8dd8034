"""Everything that the README shows is run, and what it shows as output is compared."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from xml.etree import ElementTree

import pytest

import opc
from opc.passes.pipeline import STAGES
from tests.unit.common import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


ARCHITECTURE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
EXPLAIN = (ROOT / "docs/explain.md").read_text(encoding="utf-8")
SHELL = [line for block in blocks("sh") for line in block.splitlines()]
SET_UP = [line for line in SHELL if line.startswith("python3 -m venv ")]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the examples, to run commands in without leaving anything behind."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


def environment() -> dict[str, str]:
    """The tools of the running Python first in PATH."""
    return os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def test_set_up_is_two_commands_and_ci_runs_them() -> None:
    assert len(SET_UP) == 2
    assert "opc run examples/centre.mlir" in SET_UP[0]
    assert " -m pytest " in SET_UP[1]
    assert "grep '^python3 -m venv ' README.md" in (ROOT / ".ci/run").read_text(encoding="utf-8")


EXPLAINED = re.search(r"```sh\n(.*?)```", EXPLAIN, re.DOTALL)
EXPLAINING = EXPLAINED[1].splitlines() if EXPLAINED else []


@pytest.mark.sample(3)
@pytest.mark.parametrize("command", [*(c for c in SHELL if c not in SET_UP), *EXPLAINING])
def test_command(command: str, clone: Path) -> None:
    done = subprocess.run(
        command,
        shell=True,
        cwd=clone,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_picture_of_the_page() -> None:
    """It is a PNG of 1400 by 900, and small enough to be in a repository."""
    picture = (ROOT / "docs/explain.png").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n" and len(picture) < 200_000
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (1400, 900)
    assert "](explain.png)" in EXPLAIN and len(EXPLAINING) == 4


def test_main_job(clone: Path) -> None:
    """The last part of the first command; the parts before it install."""
    command = SET_UP[0].rpartition("&&")[2].strip().removeprefix(".venv/bin/")
    done = subprocess.run(
        command,
        shell=True,
        cwd=clone,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "float32" in done.stdout or "f32" in done.stdout


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_python(number: int, clone: Path) -> None:
    script = clone / f"block{number}.py"
    script.write_text(blocks("python")[number], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=clone,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("name, printed", [("python", "float32"), ("deploy", "")])
def test_pages_with_python(clone: Path, name: str, printed: str) -> None:
    page = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    script = clone / "page.py"
    script.write_text("\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)))
    command = [sys.executable, str(script)]
    done = subprocess.run(
        command, cwd=clone, env=environment(), capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert printed in done.stdout


def test_graph_and_c_are_those_of_the_example() -> None:
    graph = (ROOT / "examples/centre.mlir").read_text(encoding="utf-8")
    assert blocks("mlir")[0] == graph
    lowered = opc.lower(opc.api.driver.load(ROOT / "examples/centre.mlir"))
    assert textwrap.indent(blocks("c")[0], "    ") in lowered.c_source


def test_picture_shows_the_example() -> None:
    """Each line of the IR and of the C in the picture stands in what opc writes."""
    lowered = opc.lower(opc.api.driver.load(ROOT / "examples/centre.mlir"))
    shown = {"schedule": lowered.ir("schedule"), "c": lowered.c_source}
    picture = ElementTree.parse(ROOT / "docs/graph_to_c.svg")
    texts = [(t.get("class"), t.text or "") for t in picture.iter() if t.tag.endswith("}text")]
    assert {kind for kind, _ in texts} > set(shown)
    for kind, line in texts:
        if kind in shown:
            assert any(known.endswith(line) for known in shown[kind].splitlines()), line


def test_counts_of_the_official_suite() -> None:
    suite = pytest.importorskip("test_onnx_backend")
    lines = suite.LIST.read_text(encoding="utf-8").splitlines()
    refused = sum(not line.startswith("#") for line in lines)
    (cases,) = suite.CASES.values()
    passed = cases - refused - len(suite.DIFFERS) - len(suite.RANDOM)
    assert f"Of the {cases:,} cases of ONNX's official suite {passed:,} pass." in README


def test_reading_order_names_files() -> None:
    paths = re.findall(r"`((?:compiler|dialects|docs|tests)/[\w/.]+)`", ARCHITECTURE)
    assert len(paths) >= 8
    for path in paths:
        assert (ROOT / path).exists(), path


def test_reading_order_is_that_of_the_example() -> None:
    """All files that it names work on the graph, and those in place of one do not."""
    text = ARCHITECTURE[ARCHITECTURE.index("To follow `examples/centre.mlir`") :].split("\n\n")[0]
    named, others = (
        re.findall(r"`(compiler/[\w/.]+)`", part) for part in text.split("Other nests")
    )
    assert 8 <= len(named) <= 10
    graph = (ROOT / "examples/centre.mlir").read_text(encoding="utf-8")
    package = Path(opc.__file__).parent
    files = set[str]()
    opc.lower(graph, cache=None)  # imports everything
    sys.setprofile(lambda frame, event, argument: files.add(frame.f_code.co_filename))
    try:
        opc.lower(graph, cache=None)
    finally:
        sys.setprofile(None)
    used = {
        str(Path("compiler", Path(file).relative_to(package)))
        for file in files
        if Path(file).is_relative_to(package)
    }
    assert used >= set(named)
    assert others and used.isdisjoint(others)


def test_pipeline() -> None:
    """The table of stages has the passes that lead to each."""
    rows = re.findall(r"^\| (\w+) \| ([a-z, -]*?) ?\| ", ARCHITECTURE, re.MULTILINE)
    found = {stage: tuple(passes.split(", ")) if passes else () for stage, passes in rows}
    assert {stage: found[stage] for stage in STAGES} == STAGES
