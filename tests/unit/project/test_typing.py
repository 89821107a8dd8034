"""Installed in each way, opc is found and understood by mypy and pyright."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.unit.common import ROOT

pytestmark = pytest.mark.long

SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "compiler", "dialects")

GOOD = """
from typing import Annotated, Any, assert_type

import numpy as np

import opc
import opc.numpy as onp
from opc.dialects.opc.base import OpcOp
from opc.errors import InputError, OpcError

Rows = Annotated[np.ndarray, "f32[N, 256]"]


@opc.function
def softmax(x: Rows) -> np.ndarray:
    e = onp.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@opc.function(threads=2)
def masked(x: Rows, mask: Annotated[np.ndarray, "i1[N, 256]"], by: float = 2.0):
    return onp.where(mask, x * by, -onp.inf), onp.einsum("ij->i", x) / x.shape[1]


@opc.function
def named(x: Rows) -> dict[str, Any]:
    return {"y": x + onp.float32(1)}


@opc.function
def plain(x, k=2):
    return onp.tanh(x) * k


x = np.zeros((2, 256), np.float32)
assert_type(softmax(x), np.ndarray)
assert_type(softmax(x=x), np.ndarray)
assert_type(softmax(x, out=x), Any)
assert_type(masked(x, x > 0, by=3.0)[0], Any)
assert_type(named(x), Any)
assert_type(plain(x, 4), Any)
assert_type(opc.function(np.exp, "f32[N]", threads=2).threads, int)
assert_type(softmax.c_source, str)
assert_type(softmax.bind(x, out=x)(), Any)
assert_type(opc.compile("graph.mlir", threads=2), opc.Function)
assert_type(opc.lower("graph.mlir").c_source, str)
assert_type(opc.compile("graph.mlir")(x), Any)
assert_type(OpcOp.name, str)
assert_type(opc.numpy.newaxis, None)
error: type[OpcError] = InputError
"""

BAD = """
from typing import Annotated

import numpy as np

import opc
import opc.numpy as onp
from opc.dialects.opc.base import Nothing  # wrong


@opc.function
def scaled(x: Annotated[np.ndarray, "f32[N]"], by: float = 2.0) -> np.ndarray:
    return x * by


x = np.zeros(3, np.float32)
scaled(x, 2.0, 3.0)  # wrong
scaled(x, by="a")  # wrong
scaled(x, bye=2.0)  # wrong
scaled()  # wrong
number: int = scaled(x)  # wrong
scaled.nothing  # wrong
opc.nothing  # wrong
onp.median(x)  # wrong
opc.compile(path="a.mlir")  # wrong
"""


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {
        k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "MYPYPATH", "VIRTUAL_ENV")
    }
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


def tool(name: str, extra: str) -> str:
    """The path of a command beside the running Python, or anywhere."""
    found = shutil.which(name, path=Path(sys.executable).parent) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} (extra {extra}) is not installed")
    return found


def left_out(folder: str, names: list[str]) -> list[str]:
    """What an editable install and Python leave in folders of sources."""
    return [n for n in names if n == "__pycache__" or (Path(folder) / n).is_symlink()]


class Installed:
    """A fresh virtual environment with opc in it, and the dependencies of the running one."""

    def __init__(self, folder: Path, way: str) -> None:
        self.folder = folder
        self.source = folder / "source"
        self.source.mkdir()
        for name in SOURCES:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.source / name, ignore=left_out)
            else:
                shutil.copy(ROOT / name, self.source / name)
        venv.create(folder / "venv", with_pip=False)
        self.python = folder / "venv/bin/python"
        (site,) = (folder / "venv").glob("lib/python*/site-packages")
        known = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
        (site / "zz_dependencies.pth").write_text("\n".join(known))
        if way == "wheel":
            self.pip("wheel", "--no-deps", "-w", folder, self.source)
            self.pip("install", "--no-deps", *folder.glob("*.whl"))
        else:
            self.pip("install", "--no-deps", *(["-e"] if way == "editable" else []), self.source)

    def pip(self, command: str, *arguments: str | Path) -> None:
        pip = [sys.executable, "-m", "pip", "--python", self.python, command]
        # Without isolation it needs setuptools here, with it the network to fetch them.
        for isolation in (["--no-build-isolation"], []):
            done = run(*pip, *arguments, *isolation, cwd=self.folder)
            if done.returncode == 0:
                return
        if "Could not find a version" in done.stderr:
            pytest.skip("neither setuptools and wheel nor a package index is here")
        raise AssertionError(done.stdout + done.stderr)


@pytest.fixture(scope="module", params=["editable", "plain", "wheel"])
def installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    found = Installed(tmp_path_factory.mktemp(request.param), request.param)
    (found.folder / "user").mkdir()
    (found.folder / "user/good.py").write_text(GOOD)
    (found.folder / "user/bad.py").write_text(BAD)
    return found


def errors(text: str) -> list[tuple[str, int]]:
    """File and line of each error that mypy or pyright printed."""
    found = re.findall(r"(\w+\.py):(\d+):(?:\d+)?(?: -|) error", text)
    return sorted({(name, int(line)) for name, line in found})


@pytest.mark.sample(4)
def test_the_packages_are_found(installed: Installed) -> None:
    code = "import opc, opc.dialects.opc; print(opc.__file__, opc.dialects.opc.__file__)"
    done = run(installed.python, "-c", code, cwd=installed.folder / "user")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(str(installed.folder)) == 2
    done = run(installed.python.parent / "opc", "ops", cwd=installed.folder / "user")
    assert "opc.reduce_sum" in done.stdout, done.stderr


@pytest.mark.sample(4)
def test_mypy(installed: Installed) -> None:
    command = (tool("mypy", "test"), "--python-executable", installed.python)
    check(installed, *command, "--no-error-summary")


def test_pyright(installed: Installed) -> None:
    check(installed, tool("pyright", "dev"), "--pythonpath", installed.python)


def check(installed: Installed, *command: str | Path) -> None:
    """A type checker finds what is wrong in the one file, and nothing in the other."""
    done = run(*command, "good.py", "bad.py", cwd=installed.folder / "user")
    wrong = [k for k, line in enumerate(BAD.splitlines(), 1) if line.endswith("# wrong")]
    assert errors(done.stdout) == [("bad.py", k) for k in wrong], done.stdout + done.stderr


def test_new_files_are_found_at_once(tmp_path: Path) -> None:
    installed = Installed(tmp_path, "editable")
    identity = "; from opc.api.compile_cache import IDENTITY; print(IDENTITY)"
    before = run(installed.python, "-c", f"import opc{identity}", cwd=tmp_path)
    for name in ("added.py", "graph/added.py", "tools/added/__init__.py"):
        (installed.source / "compiler" / name).parent.mkdir(exist_ok=True)
        (installed.source / "compiler" / name).write_text("")
        added = run(installed.python, "-c", f"import opc{identity}", cwd=tmp_path)
        assert added.stdout != before.stdout, "the cache takes it for the same opc"
        before = added
    (installed.source / "dialects/added.py").write_text("")
    code = "import opc.added, opc.graph.added, opc.tools.added, opc.dialects.added"
    done = run(installed.python, "-c", code + identity, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout != before.stdout
    assert not (installed.source / "build").exists()
