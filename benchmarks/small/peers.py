"""The same networks as the C of other programs, where these are installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import onnx

IN_C = ("--large-temp-threshold", "0", "--large-weight-threshold", "0")
"""Arrays of emx are on the stack, not on a heap that nobody counts, and weights not in a file."""
SECONDS = 300
"""How long a program may take."""


def _run(*command: str) -> subprocess.CompletedProcess[str] | None:
    """A finished command, None if it failed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done if done.returncode == 0 else None


def _onnx2c(model: Path) -> tuple[str, str] | None:
    done = None if shutil.which("onnx2c") is None else _run("onnx2c", str(model))
    return done and (done.stdout, "entry")


def _emx(model: Path) -> tuple[str, str] | None:
    beside = Path(sys.executable).with_name("emx-onnx-cgen")
    program = str(beside) if beside.exists() else shutil.which("emx-onnx-cgen")
    text = model.with_suffix(".emx.c")
    if program is None or _run(program, "compile", *IN_C, str(model), str(text)) is None:
        return None
    return text.read_text(encoding="utf-8"), "model"


PEERS: dict[str, Callable[[Path], tuple[str, str] | None]] = {"onnx2c": _onnx2c, "emx": _emx}
"""Each gives the C of a model and the name of the function, None where it does not."""


def written(model: onnx.ModelProto, path: Path) -> None:
    """Write a model as the peers read it: with the shapes of all values."""
    # The releases of both know this version of the format.
    model.ir_version = 8
    onnx.save(onnx.shape_inference.infer_shapes(model), path)
