"""The page of ``examples/web``: its detector hears a vowel, in node as on this processor."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import opc
from tests.unit.common import ROOT
from tests.unit.tools.test_wasm import needs

SCRIPT = """
import { readFile } from "node:fs/promises";
import { detector } from "./detector.mjs";
const hear = await detector(readFile("voice.wasm"));
const waves = JSON.parse(await readFile("waves.json"));
console.log(JSON.stringify(waves.map((wave) => hear(wave))));
"""


@needs
def test_the_detector_hears_a_vowel(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "web" / "voice.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    time = np.arange(2560)
    noise = 1e-3 * np.sin(time * time)
    vowel = np.sin(time[:, None] * np.arange(1, 7) * 0.17).sum(1) / 8
    waves = [wave.astype(np.float32) for wave in (noise, vowel)]
    (tmp_path / "waves.json").write_text(json.dumps([wave.tolist() for wave in waves]))
    (tmp_path / "hear.mjs").write_text(SCRIPT)
    done = subprocess.run(
        ["node", "hear.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    quiet_noise, loud_vowel = json.loads(done.stdout)
    assert max(quiet_noise) < 0.5 < min(loud_vowel)
    voice = opc.compile(tmp_path / "voice.mlir", products="rounded")
    quiet = np.full((1, 12), 40, np.float32)
    found: list[float] = []
    for samples in np.concatenate(waves).reshape(-1, 1, 256):
        likely, quiet = voice(samples, quiet)
        found.append(float(likely[0]))
    assert found == pytest.approx(quiet_noise + loud_vowel, abs=0)
