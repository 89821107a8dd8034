"""The page of ``examples/web``: its detector hears a vowel, in node and in a real browser."""

from __future__ import annotations

import functools
import http.server
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import opc
from tests.unit.common import ROOT
from tests.unit.common.browser import CHROMIUM, browser
from tests.unit.tools.test_wasm import needs

SCRIPT = """
import { readFile } from "node:fs/promises";
import { detector } from "./detector.mjs";
const hear = await detector(readFile("voice.wasm"));
const waves = JSON.parse(await readFile("waves.json"));
console.log(JSON.stringify(waves.map((wave) => hear(wave))));
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the example writes."""
    path = tmp_path_factory.mktemp("web")
    command = [sys.executable, str(ROOT / "examples" / "web" / "voice.py"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return path


@needs
def test_the_detector_hears_a_vowel(folder: Path) -> None:
    steps = np.arange(2560)
    noise = 1e-3 * np.sin(steps * steps)
    vowel = np.sin(steps[:, None] * np.arange(1, 7) * 0.17).sum(1) / 8
    waves = [wave.astype(np.float32) for wave in (noise, vowel)]
    (folder / "waves.json").write_text(json.dumps([wave.tolist() for wave in waves]))
    (folder / "hear.mjs").write_text(SCRIPT)
    done = subprocess.run(
        ["node", "hear.mjs"], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    quiet_noise, loud_vowel = json.loads(done.stdout)
    assert max(quiet_noise) < 0.5 < min(loud_vowel)
    voice = opc.compile(folder / "voice.mlir", products="rounded")
    quiet = np.full((1, 12), 40, np.float32)
    found: list[float] = []
    for samples in np.concatenate(waves).reshape(-1, 1, 256):
        likely, quiet = voice(samples, quiet)
        found.append(float(likely[0]))
    assert found == pytest.approx(quiet_noise + loud_vowel, abs=0)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of the files in a folder."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@needs
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_the_page_in_a_browser(folder: Path, tmp_path: Path) -> None:
    """A click plays noise and then a vowel to the module, and the page says that it is speech."""
    with served(folder) as address, browser(tmp_path) as page:
        page.open(f"{address}/index.html")
        page.click("#tone")
        end = time.monotonic() + 30
        while page.texts("#text") == ["nothing heard yet"] and time.monotonic() < end:
            page.click("#tone")
        assert page.texts("#text") == ["speech"]
        assert page.value("Number(document.querySelector('#likely').value)") > 0.5
        assert not page.failures
