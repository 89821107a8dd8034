"""The documents: links lead somewhere, commands and code run, and pages stay short."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import opc
from opc.passes.stages import ORDER
from tests.unit.common import ROOT

PAGES = {p.relative_to(ROOT).as_posix(): p for p in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))}
MOST_WORDS = {"architecture": 1100} | dict.fromkeys(
    ("kernels", "schedule", "emission", "runtime"), 1500
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def text_of(page: str) -> str:
    return PAGES[page].read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(page), re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    """What the headings of a page are linked by."""
    titles = re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in titles}


def dead_links(path: Path) -> list[str]:
    """The relative links of a page that lead to no file, or to no heading of it."""
    dead: list[str] = []
    for link in LINK.findall(FENCED.sub("", path.read_text(encoding="utf-8"))):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if re.match(r"[a-z]+:", link):
            continue
        if not target.exists() or (
            anchor and anchor not in anchors(target.read_text(encoding="utf-8"))
        ):
            dead.append(link)
    return dead


@pytest.mark.smoke
@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    assert dead_links(PAGES[page]) == []


@pytest.mark.smoke
def test_dead_links_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A b\n[x](none.md) [y](#a-b) [z](#c) [w](https://x.example/)\n")
    assert dead_links(page) == ["none.md", "#c"]


@pytest.mark.smoke
def test_pages_name_files_that_exist() -> None:
    for page in PAGES:
        for path in re.findall(r"`((?:compiler|dialects|docs|tests)/[\w/.]+)`", text_of(page)):
            assert (ROOT / path).exists(), f"{page}: {path}"


@pytest.mark.smoke
def test_every_page_is_in_the_index() -> None:
    linked = set(LINK.findall(text_of("docs/README.md")))
    names = {p.removeprefix("docs/") for p in PAGES if p.startswith("docs/")} - {"README.md"}
    assert names <= linked


@pytest.mark.smoke
def test_pages_are_short() -> None:
    assert len(text_of("README.md").splitlines()) <= 180
    for name, most in MOST_WORDS.items():
        assert len(text_of(f"docs/{name}.md").split()) <= most, name


@pytest.mark.smoke
def test_tasks_are_few_and_those_of_the_page() -> None:
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    tasks = [line.partition(":")[0] for line in lines if re.match(r"\w+: ; ", line)]
    assert 1 < len(tasks) <= 10
    assert f".PHONY: {' '.join(tasks)}" in lines
    named = re.findall(r"\bmake ((?:\w+ ?)+?)(?:`|  )", text_of("CONTRIBUTING.md"))
    assert named and set(" ".join(named).split()) <= set(tasks)


def environment(package: Path | None = None) -> dict[str, str]:
    """The tools of the running Python first in PATH, and a changed copy of opc if there is one."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": path} | ({"PYTHONPATH": str(package)} if package else {})


def run(command: list[str], folder: Path, package: Path | None = None) -> str:
    """Standard output and error of a command that must succeed."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(package),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def copy_of_opc(folder: Path, page: str) -> None:
    """A copy of opc in a folder, with the edits of a page, and the graphs of the page beside it."""
    package = Path(opc.__file__).parent
    shutil.copytree(package, folder / "opc", ignore=shutil.ignore_patterns("dialects"))
    shutil.copytree(ROOT / "dialects", folder / "opc/dialects")
    for hunk in blocks(page, "diff"):
        head, *lines = hunk.splitlines()
        room, _, name = head.removeprefix("+++ ").partition("/")
        path = folder / "opc" / ("dialects" if room == "dialects" else "") / name
        old, new = ("".join(f"{x[1:]}\n" for x in lines if x[0] in kinds) for kinds in (" -", " +"))
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{page}: {head}"
        path.write_text(text.replace(old, new), encoding="utf-8")
    for graph in blocks(page, "mlir"):
        if named := re.match(r"// (\w+\.mlir)\n", graph):
            (folder / named[1]).write_text(graph[named.end() :], encoding="utf-8")


def stripped(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


def test_places_of_an_operator_made_of_others() -> None:
    """Each file of its tables names it, and each line of code on the page is one of the code."""
    section = (
        (ROOT / "docs/tutorial.md").read_text(encoding="utf-8").partition("## An operator made")[2]
    )
    for name in re.findall(r"^\| `([\w/.]+)` \|", section, re.M):
        assert "celu" in (ROOT / name).read_text(encoding="utf-8").lower(), name
    sources = "".join(
        p.read_text(encoding="utf-8") for p in (ROOT / "compiler/frontend").rglob("*.py")
    )
    for call in re.findall(r"`((?:versions|add)\([^`]*\))`", section):
        assert re.sub(r"\s", "", call)[:-1] in re.sub(r"\s", "", sources), call


def test_tutorial(tmp_path: Path) -> None:
    """Its operator, added to a copy of opc, becomes the IR and the C on the page, and is right."""
    page = "docs/tutorial.md"
    copy_of_opc(tmp_path, page)
    shown = "".join(run(["bash", "-ec", b], tmp_path, tmp_path) for b in blocks(page, "sh"))
    untyped = re.sub(r" : tensor<.*", "", shown)
    for text in blocks(page, "text"):
        assert stripped(text) in stripped(untyped) or stripped(text) in stripped(shown), text
    (c_text,) = blocks(page, "c")
    emitted = (tmp_path / "build/positives.c").read_text(encoding="utf-8")
    assert textwrap.indent(c_text, 6 * " ") in emitted
    (tmp_path / "gate.py").write_text("\n".join(blocks(page, "python")), encoding="utf-8")
    assert run([sys.executable, "gate.py"], tmp_path, tmp_path) == "[0.  0.5 0.5 1.  nan]\n"


def test_debugging(tmp_path: Path) -> None:
    """Its fault, planted in a copy of opc, is found as the page says."""
    page = "docs/debugging.md"
    copy_of_opc(tmp_path, page)
    shown = "".join(run(["bash", "-ec", b], tmp_path, tmp_path) for b in blocks(page, "sh"))
    shown += (tmp_path / "small.mlir").read_text(encoding="utf-8")
    for text in blocks(page, "text"):
        # Each pass prints to standard error what the next one begins with.
        assert stripped(text) in stripped(shown), text


@pytest.mark.parametrize("page", ["docs/tutorial.md", "docs/debugging.md"])
def test_file_check_tests(page: str, tmp_path: Path) -> None:
    tests = [graph for graph in blocks(page, "mlir") if graph.startswith("// RUN: ")]
    assert tests
    for test in tests:
        (tmp_path / "test.mlir").write_text(test, encoding="utf-8")
        command = test.splitlines()[0].removeprefix("// RUN: ").replace("%s", "test.mlir")
        command = re.sub(r"\bfilecheck\b", f"{sys.executable} -m filecheck", command)
        run(["bash", "-o", "pipefail", "-c", command], tmp_path)


def test_commands_of_the_page_on_schedules(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    first, second = blocks("docs/schedule.md", "sh")
    shown = run(["bash", "-ec", first], tmp_path)
    tree = blocks("docs/schedule.md", "")[0]
    assert stripped(re.sub(r" *//.*", "", tree)) in stripped(shown)
    run(["bash", "-ec", second], tmp_path)
    assert (tmp_path / "build/softmax.c").exists()


def test_pages_made_from_the_code_are_current() -> None:
    command = [sys.executable, "-c", "from tests import reference; reference.check()"]
    assert run(command, ROOT) == ""
    for section in text_of("docs/schedule_reference.md").split("\n### schedule.")[1:]:
        # An example in the text of the operation does, too: its graph would need large constants.
        assert "\nExamples: " in section or "\n```\n" in section, section.splitlines()[0]


def test_what_is_printed_after_passes_is_ir(capfd: pytest.CaptureFixture[str]) -> None:
    opc.lower(ROOT / "examples/centre.mlir", print_ir_after_all=True, cache=None)
    first, *rest = capfd.readouterr().err.split("// ----- after ")[1:]
    name, _, text = rest[-1].partition("\n")
    assert first.startswith("legalize-onnx\n") and name == ORDER[-1]
    assert text.startswith("builtin.module {\n")
    # Text has no locations, from which the comments come.
    again, direct = opc.lower(text, cache=None), opc.lower(ROOT / "examples/centre.mlir")
    assert again.c_source == re.sub(r" */\* reduce_mean #0, sub #1 \*/\n", "", direct.c_source)
