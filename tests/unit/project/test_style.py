"""The code is linted, formatted, and checked by pyright in strict mode."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.common import ROOT

pytestmark = pytest.mark.smoke


def run(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [("check",), ("format", "--check")])
def test_ruff(arguments: tuple[str, ...]) -> None:
    done = run(sys.executable, "-m", "ruff", *arguments, ".")
    assert done.returncode == 0, done.stdout + done.stderr


def link_tree(source: Path, target: Path) -> None:
    """Folders as they are imported, files as links: pyright does not follow linked folders."""
    for path in source.rglob("*.py"):
        link = target / path.relative_to(source)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path)


def pyright() -> str | None:
    """The type checker of the Python that runs this, else that of the shell."""
    own = Path(sys.executable).parent / "pyright"
    return str(own) if own.exists() else shutil.which("pyright")


@pytest.mark.skipif(pyright() is None, reason="pyright (extra dev) is not installed")
def test_pyright(tmp_path: Path) -> None:
    link_tree(ROOT / "compiler", tmp_path / "opc")
    link_tree(ROOT / "dialects", tmp_path / "opc/dialects")
    settings = {"typeCheckingMode": "strict", "include": ["opc"], "extraPaths": ["."]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = run(pyright() or "", "--outputjson", "--pythonpath", sys.executable, cwd=tmp_path)
    report = json.loads(done.stdout)
    count = len(list((tmp_path / "opc").rglob("*.py")))
    assert report["summary"]["filesAnalyzed"] == count
    found = [
        f"{d['file']}:{d['range']['start']['line'] + 1}: {d['message']}"
        for d in report["generalDiagnostics"]
        if d["severity"] == "error"
    ]
    assert not found, "\n".join(found)
