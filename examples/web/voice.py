"""A voice detector: from 256 samples at 16 kHz to how likely somebody speaks.

The power of twelve bands between 300 and 3400 Hz is compared with the quietest that each had, which
rises slowly.  ``python examples/web/voice.py FOLDER`` writes a page into a folder: ``voice.wasm``,
``voice.mjs``, ``detector.mjs`` and ``index.html``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import numpy as np

import opc
import opc.numpy as onp

SAMPLES, BANDS = 256, 12
BINS = range(5, 55)
"""The frequencies, in steps of 62.5 Hz."""
HERE = Path(__file__).parent


def _waves() -> np.ndarray:
    """Cosines and sines of each frequency, under a window: [256, 100]."""
    time = np.arange(SAMPLES)
    angles = 2 * np.pi * np.outer(time, BINS) / SAMPLES
    window = np.hanning(SAMPLES)[:, None]
    return np.concatenate([window * np.cos(angles), window * np.sin(angles)], 1).astype(np.float32)


def _bands() -> np.ndarray:
    """Which frequencies a band has, by overlapping triangles: [50, 12]."""
    edges = np.linspace(0, len(BINS) - 1, BANDS + 2)
    distance = np.abs(np.arange(len(BINS))[:, None] - edges[1:-1])
    return np.maximum(0, 1 - distance / (edges[1] - edges[0])).astype(np.float32)


WAVES, FILTERS = _waves(), _bands()


@opc.function
def voice(
    samples: Annotated[np.ndarray, "f32[1, 256]"], quiet: Annotated[np.ndarray, "f32[1, 12]"]
) -> tuple[np.ndarray, np.ndarray]:
    """How likely somebody speaks, and the quietest power of each band, for the next call."""
    waves = onp.matmul(samples, WAVES)
    power = waves * waves
    bands = onp.log(onp.matmul(power[:, :50] + power[:, 50:], FILTERS) + 1e-6)
    rest = onp.minimum(bands, quiet + 0.02)
    above = (bands - rest).mean(axis=1)
    return onp.sigmoid(2.0 * above - 4.0), rest


def main(folder: Path) -> int:
    """Compile the detector for browsers; the exit code of opc."""
    folder.mkdir(parents=True, exist_ok=True)
    graph = folder / "voice.mlir"
    graph.write_text(voice.ir("source"), encoding="utf-8")
    words = ["--target", "wasm32-simd", "--products", "rounded", "--emit", "wasm"]
    command = [sys.executable, "-m", "opc", "compile", str(graph), *words, "-o", str(folder)]
    for name in ("detector.mjs", "index.html"):
        shutil.copy(HERE / name, folder)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/web")))
