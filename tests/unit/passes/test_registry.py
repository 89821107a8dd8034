"""What the registries promise: everything in them is documented, tested, and loaded lazily."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.ir import Operation

import opc
from opc.dialects.opc import OPERATORS, Opc
from opc.dialects.opc.base import OpcOp
from opc.dialects.registry import DIALECTS, resolve
from opc.frontend.onnx.ops import signatures
from opc.interpret.graph import MEANINGS
from opc.passes.registry import PASSES
from opc.passes.stages import ORDER
from opc.tools import ops
from tests.unit.common import ROOT

pytestmark = pytest.mark.smoke

LIT = ROOT / "tests" / "lit"


def lit_text(folder: str) -> str:
    return "\n".join(p.read_text(encoding="utf-8") for p in sorted((LIT / folder).glob("*.mlir")))


@pytest.mark.parametrize("op", list(Opc.operations), ids=lambda op: op.name)
def test_operator(op: type[Operation]) -> None:
    own = vars(op).get("__doc__")
    assert own and own.strip(), "no docstring of its own"
    text = lit_text("opc")
    assert re.search(rf"// CHECK.*\b{re.escape(op.name)}\b", text), "no round-trip test"
    if issubclass(op, OpcOp):
        assert op.name in MEANINGS, "the interpreter does not know it"
        for param in op.params:
            assert param.meaning, f"attribute {param.name} has no meaning"


def test_operators_are_leaves() -> None:
    names = [op.name for op in OPERATORS]
    assert len(set(names)) == len(names)
    assert all(name.startswith("opc.") for name in names)


@pytest.mark.parametrize("name", DIALECTS)
def test_dialect(name: str) -> None:
    assert resolve(DIALECTS[name]).name == name


@pytest.mark.parametrize("name", PASSES)
def test_pass(name: str) -> None:
    module, _, class_name = PASSES[name].partition(":")
    room, _, file = module.removeprefix("opc.").partition(".")
    if room == "frontend":
        # One file a format: legalize-onnx is frontend/onnx/legalize.py.
        assert file == ".".join(reversed(name.split("-")))
    else:
        assert room in ("graph", "kernels", "schedule", "loops") and file == name.replace("-", "_")
    assert class_name == "".join(map(str.capitalize, name.split("-"))) + "Pass"
    found = resolve(PASSES[name])
    assert found.name == name
    assert "-->" in (vars(found)["__doc__"] or ""), "the docstring is not its rewrite"
    assert (LIT / "passes" / f"{name.replace('-', '_')}.mlir").exists(), "no lit file"


def test_passes_are_in_the_order_of_the_pipeline() -> None:
    """``opc-opt --help`` lists them so."""
    assert list(PASSES) == list(dict.fromkeys(ORDER))


def test_ids_of_constraints_of_schedules_are_unique() -> None:
    paths = sorted((ROOT / "compiler/schedule").glob("*.py"))
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    ids = re.findall(r"# (\w+_c\d+):", text)
    assert len(ids) > 20 and sorted(set(ids)) == sorted(ids)


def constraint_ids() -> list[str]:
    paths = sorted((ROOT / "dialects" / "opc").glob("*.py"))
    texts = (p.read_text(encoding="utf-8") for p in paths)
    return [found for text in texts for found in re.findall(r"# (\w+_c\d+):", text)]


def test_every_constraint_has_a_negative_test() -> None:
    ids = constraint_ids()
    assert len(set(ids)) == len(ids), "an id is used twice"
    tested = set(re.findall(r"func\.func @(\w+_c\d+)\w*\(", lit_text("opc")))
    assert tested == set(ids)


ALLOWED = {
    "dialects": {"dialects", "errors", "support"},
    "frontend": {"dialects", "errors", "frontend", "graph", "numpy", "support"},
    "numpy": {"dialects", "frontend"},
    "interpret": {"dialects", "errors", "interpret", "support"},
    "graph": {"dialects", "errors", "frontend", "graph", "interpret", "passes", "support"},
    "kernels": {"dialects", "errors", "graph", "kernels", "passes", "support"},
    "schedule": {"dialects", "errors", "kernels", "passes", "schedule", "support"},
    "loops": {"dialects", "errors", "kernels", "loops", "passes", "schedule", "support"},
    "emit": {"dialects", "emit", "errors", "support"},
    "runtime": {"errors", "runtime", "support"},
    "support": {"dialects", "errors", "support"},
    "errors": set[str](),
}
"""What each part of opc may import of the others; parts that are not here may import all."""


def sources() -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / "compiler").rglob("*.py")):
        inner = path.relative_to(ROOT / "compiler").with_suffix("").parts
        yield ".".join(("opc", *inner)).removesuffix(".__init__"), path
    for path in sorted((ROOT / "dialects").rglob("*.py")):
        inner = path.relative_to(ROOT / "dialects").with_suffix("").parts
        yield ".".join(("opc.dialects", *inner)).removesuffix(".__init__"), path


SOURCES = list(sources())


def imports(module: str, path: Path) -> Iterator[str]:
    """Every module that is imported anywhere in a file, in functions too."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join((*parts, base)).rstrip(".")
            yield from (f"{base}.{alias.name}" for alias in node.names)


def misplaced(module: str, path: Path) -> Iterator[str]:
    """What a module imports that it may not."""
    part = module.split(".")[1] if "." in module else ""
    for name in imports(module, path):
        is_of_sources = name.startswith(("compiler.", "dialects."))
        is_xdsl = part == "runtime" and name.startswith("xdsl")
        is_above = name.startswith("opc.") and name.split(".")[1] not in ALLOWED.get(part, ())
        if is_of_sources or is_xdsl or (part in ALLOWED and is_above):
            yield f"{module} imports {name}"


def test_layers() -> None:
    """Imports follow the flow of data; the runtime and emitted code need no xDSL."""
    assert [line for source in SOURCES for line in misplaced(*source)] == []


PLANNERS = re.compile(
    r"opc\.schedule\.(plan_\w+|form_\w+|contraction_\w+|tiles|cost|tuning)|opc\.tune\.\w+"
)
"""Modules that choose schedules."""
FOLLOWERS = re.compile(r"opc\.loops\.\w+|opc\.schedule\.(\w*legality|versions)")
"""Modules that must not depend on these: legality and lowerings."""


def test_legality_and_lowerings_import_no_planner() -> None:
    """What is legal, and which loops a schedule gives, is not the planners' choice.

    That holds for what they import themselves, and for what those modules import.
    """
    paths = dict(SOURCES)
    imported = {
        module: {
            n
            for name in imports(module, path)
            for n in (name, name.rpartition(".")[0])
            if n in paths and n.startswith("opc.")
        }
        for module, path in SOURCES
    }
    followers = [name for name in paths if FOLLOWERS.fullmatch(name)]
    assert len(followers) > 30
    for follower in followers:
        seen, left = {follower}, [follower]
        while left:
            module = left.pop()
            new = imported[module] - seen
            planners = sorted(filter(PLANNERS.fullmatch, new))
            assert not planners, f"{follower}: {module} imports {', '.join(planners)}"
            seen |= new
            left += new


PRINTED = frozenset((
    *("CREDIT", "FORK", "JOIN", "PATIENCE", "PIECES", "SPINS", "THREADS"),
    *("LINE", "PIECE", "SHORT", "STAGED", "VECTOR", "WIDEST"),
    *("FRAME", "KIB", "TOGETHER", "UNIT"),
))  # fmt: skip
"""The numbers of a machine that emission may know: of the thread pool; of the texts of helpers, and
of which of them fits; of the header, and of translation units."""


def test_emission_decides_nothing() -> None:
    """It knows no number by which passes decide about loops, no target, and rewrites nothing."""
    names = {
        name: module
        for module, path in SOURCES
        if module.startswith("opc.emit.")
        for name in imports(module, path)
    }
    numbers = {n.rpartition(".")[2] for n in names if n.startswith("opc.support.target.")}
    assert numbers == PRINTED
    decides = re.compile(
        r"opc\.support\.(target|targets\b.*|target\.[A-Z][a-z]\w*)|xdsl\.\w*rewrit.*"
    )
    assert [f"{names[n]} imports {n}" for n in names if decides.fullmatch(n)] == []


def test_modules() -> None:
    texts = {module: path.read_text(encoding="utf-8") for module, path in SOURCES}
    assert [m for m, text in texts.items() if not ast.get_docstring(ast.parse(text))] == []
    assert [m for m, text in texts.items() if len(text.splitlines()) > 450] == [], "too long"


def test_import_is_light() -> None:
    code = (
        "import sys, time; t = time.process_time(); import opc; t = time.process_time() - t; "
        "print(t, [m for m in sys.modules if m.partition('.')[0] in ('numpy', 'xdsl')])"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(3)
    ]
    assert all(run.stdout.split(" ", 1)[1].strip() == "[]" for run in runs)
    assert min(float(run.stdout.split()[0]) for run in runs) < 0.05


def test_command_line_starts_fast() -> None:
    start = time.perf_counter()
    for command in (["--version"], ["--help"], ["compile", "--help"]):
        args = [sys.executable, "-X", "importtime", "-m", "opc", *command]
        done = subprocess.run(args, capture_output=True, text=True, check=True)
        assert not re.search(r"\| +(numpy|xdsl)$", done.stderr, re.M)
    assert time.perf_counter() - start < 5


def test_public_names() -> None:
    for name in opc.__all__:
        assert getattr(opc, name) is not None


def test_operators_page_is_current() -> None:
    page = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
    assert page == ops.markdown(ops.operators()), "run: opc ops --markdown > docs/operators.md"
    assert ":: opc." not in page, "a block of code in a cell"


def test_wheel_is_complete(tmp_path: Path) -> None:
    """A package that is missing from the wheel still imports where opc is installed editable."""
    # Built from a copy: left-over files of an earlier build would be packed too.
    copy = tmp_path / "source"
    copy.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "compiler", "dialects"):
        if (ROOT / name).exists():
            (copy / name).symlink_to(ROOT / name)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--disable-pip-version-check"]
    command += ["-w", str(tmp_path / "out"), str(copy)]
    # Without isolation it needs setuptools and wheel here, with it the network to fetch them.
    for isolation in (["--no-build-isolation"], []):
        done = subprocess.run([*command, *isolation], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            break
    else:
        if "Could not find a version" in done.stderr:
            pytest.skip("neither setuptools and wheel nor a package index is here")
        raise AssertionError(done.stdout + done.stderr)
    (wheel,) = (tmp_path / "out").glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        module.replace(".", "/") + ("/__init__.py" if path.name == "__init__.py" else ".py")
        for module, path in SOURCES
    }
    for folder in ("helpers", "texts"):
        texts = (ROOT / "compiler/emit" / folder).glob("*.*")
        wanted |= {f"opc/emit/{folder}/{path.name}" for path in texts}
    wanted |= {"opc/py.typed", "opc/tools/profile/roofline.c", "opc/tools/reached.txt"}
    wanted |= {f"opc/tools/explain/page.{kind}" for kind in ("css", "html", "js")}
    wanted |= {f"opc/tools/completion.{shell}" for shell in ("bash", "zsh")}
    wanted |= {f"opc/frontend/onnx/ops/{name}" for name in signatures.TABLES}
    wanted.add("opc/frontend/openvino/ops/openvino.txt")
    assert not wanted - packed, "missing from the wheel"
    assert {n for n in packed if n.startswith("opc/")} - wanted == set()
