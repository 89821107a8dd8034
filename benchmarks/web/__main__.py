"""Prints time and size of WebAssembly modules, and those of onnxruntime-web in turns.

usage: python -m benchmarks.web [--models WORDS] [--rounds N] [--folder FOLDER] [--products KIND]
                               [--cc COMMAND]
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import opc
from benchmarks.models import MODELS, Model
from benchmarks.models.inputs import Array
from benchmarks.models.packages import PackageError, default_folder
from opc.api.options import Options

PEER = "onnxruntime-web"
NAMES = (
    *("silero_v5", "silero_ov16k"),  # is somebody speaking
    *("oww_jarvis", "oww_mycroft", "oww_timer", "oww_melspec"),  # wake words
    *("attacut_c", "romanize_decoder", "magika"),  # text
    *("gut_cls", "mtcnn_onet"),  # images
    *("tashkeel_v3", "voicefilter_int8"),  # quantized dynamically
)
SECONDS = 600
"""How long the compiler may take."""
RACE = Path(__file__).with_name("race.mjs")
HEAD = (
    f"| model | opc ms | {PEER} ms | ratio | module KiB | of {PEER} | largest difference | bits |"
)
LINE = "|---|---|---|---|---|---|---|---|"


@dataclass(frozen=True)
class Row:
    """A model's medians in ms, the bytes of the module, and what was compared."""

    name: str
    own: float
    peer: float
    size: int
    difference: float
    """The largest difference to the peer, in parts of its largest value."""
    is_same: bool
    """Whether the bits are those of the C on this processor."""

    def text(self, whole: int) -> str:
        """A row of the table; ``whole`` is the size of the peer's module."""
        cells = [
            self.name,
            f"{self.own:.3g}",
            f"{self.peer:.3g}",
            f"{self.own / self.peer:.2f}",
            f"{self.size / 1024:.0f}",
            f"1/{whole / self.size:.0f}",
            f"{self.difference:.0e}",
            "same" if self.is_same else "OTHER",
        ]
        return f"| {' | '.join(cells)} |"


def main() -> int:
    """Time the models; 1 if one fails, or bits differ from those of the C on this processor."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    parser.add_argument("--models", default=",".join(NAMES), help="a list with commas")
    parser.add_argument("--rounds", type=int, default=200, help="calls of each, in turns")
    parser.add_argument("--folder", type=Path, default=default_folder(), help="for downloads")
    parser.add_argument("--products", default="rounded", choices=["rounded", "fused"])
    parser.add_argument("--cc", default="", help="the C compiler, where it is not the usual one")
    arguments = parser.parse_args()
    for command in ("node", "npm", "clang", "wasm-ld"):
        if shutil.which(command) is None:
            print(f"{command} is not installed", file=sys.stderr)
            return 2
    peer = _peer(arguments.folder)
    whole = peer / "node_modules" / PEER / "dist" / "ort-wasm-simd-threaded.wasm"
    print(HEAD, LINE, sep="\n", flush=True)
    is_same, ratios = True, list[float]()
    for name in arguments.models.split(","):
        model = MODELS[name]
        try:
            path = model.file(arguments.folder)
        except PackageError as error:
            print(error, file=sys.stderr)
            return 2
        with tempfile.TemporaryDirectory(prefix="opc-web-") as folder:
            try:
                row = _raced(model, path, peer, arguments, Path(folder))
            except subprocess.CalledProcessError as error:
                print(f"{name}: {(error.stderr or str(error)).strip()[-600:]}", file=sys.stderr)
                is_same = False
                continue
        print(row.text(whole.stat().st_size), flush=True)
        is_same &= row.is_same
        ratios.append(row.own / row.peer)
    if ratios:
        print(f"geometric mean of {len(ratios)}: {statistics.geometric_mean(ratios):.2f}")
    return 0 if is_same else 1


def _peer(folder: Path) -> Path:
    """The folder in which onnxruntime-web is installed."""
    peer = folder / PEER
    if not (peer / "node_modules" / PEER).is_dir():
        peer.mkdir(parents=True, exist_ok=True)
        (peer / "package.json").write_text("{}", encoding="utf-8")
        subprocess.run(["npm", "install", "--silent", PEER], cwd=peer, check=True)
    return peer


def _raced(
    model: Model, path: Path, peer: Path, arguments: argparse.Namespace, folder: Path
) -> Row:
    """The row of a model whose extents are those of its first inputs."""
    inputs = model.arrays(0)
    dims = {f"{name}:{k}": n for name, x in inputs.items() for k, n in enumerate(x.shape)}
    words = ["--target", "wasm32-simd", "--products", arguments.products, "--emit", "wasm"]
    words += ["--cc", arguments.cc] if arguments.cc else []
    command = [sys.executable, "-m", "opc", "compile", str(path), "--prefix", "net", *words]
    fixed = ",".join(f"{name}={n}" for name, n in dims.items())
    subprocess.run(
        [*command, *(["--dim", fixed] if dims else []), "-o", str(folder)],
        check=True,
        capture_output=True,
        text=True,
        env={"OPC_CC_TIMEOUT": str(SECONDS), **os.environ},
    )
    listed: list[dict[str, Any]] = []
    for name, x in inputs.items():
        file = folder / f"input{len(listed)}"
        file.write_bytes(x.tobytes())
        listed.append({"name": name, "type": x.dtype.name, "dims": x.shape, "file": str(file)})
    race = {"peer": str(peer), "model": str(path), "rounds": arguments.rounds, "inputs": listed}
    race["mjs"] = str(folder / "net.mjs")
    (folder / "race.json").write_text(json.dumps(race), encoding="utf-8")
    done = subprocess.run(
        ["node", str(RACE), str(folder / "race.json")], check=True, capture_output=True, text=True
    )
    result = json.loads(done.stdout.splitlines()[-1])
    native = opc.compile(str(path), options=Options(products=arguments.products, dims=dims))
    expected = native(**inputs) if len(inputs) > 1 else native(*inputs.values())
    outputs = expected if isinstance(expected, tuple) else (expected,)
    own = [base64.b64decode(text) for text in result["outputs"].values()]
    return Row(
        model.name,
        *(statistics.median(result["times"][who]) for who in ("opc", PEER)),
        (folder / result["file"]).stat().st_size,
        _difference(outputs, result["peers"]),
        own == [np.ascontiguousarray(x).tobytes() for x in outputs],
    )


def _difference(outputs: tuple[Array, ...], peers: Mapping[str, str]) -> float:
    """The largest difference in parts of the largest value of its output."""
    parts = [0.0]
    for x, text in zip(outputs, peers.values(), strict=True):
        y = np.frombuffer(base64.b64decode(text), x.dtype).reshape(x.shape)
        if y.size:
            highest = max(float(np.abs(y).max()), np.finfo(np.float32).tiny)
            parts.append(float(np.abs(x.astype(np.float64) - y).max()) / highest)
    return max(parts)


if __name__ == "__main__":
    sys.exit(main())
