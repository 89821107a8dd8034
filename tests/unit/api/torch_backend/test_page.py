"""The code of docs/torch_compile.md runs, and its options are those that there are."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.common import ROOT

pytest.importorskip("torch")

from opc.api.torch_backend.settings import MODES, OF_COMPILE, OWN

PAGE = (ROOT / "docs/torch_compile.md").read_text(encoding="utf-8")


def test_code(tmp_path: Path) -> None:
    script = tmp_path / "page.py"
    script.write_text("\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)))
    command = [sys.executable, "-W", "error:opc", str(script)]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", [*OF_COMPILE, *OWN, *MODES])
def test_names(name: str) -> None:
    assert f"`{name}`" in PAGE
