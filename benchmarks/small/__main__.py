"""Prints what small networks take.

usage: python -m benchmarks.small [--networks WORDS] [--target NAME] [--x86] [--wasm] [--only-opc]
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from opc.api.driver import Options, lower

from . import measure, program
from .measure import Figures
from .networks import NETWORKS, network
from .peers import PEERS, written

HEAD = "| network | | flash KiB | RAM KiB | stack KiB | million instructions | x86-64 | wasm KiB |"
LINE = "|---|---|---|---|---|---|---|---|"


def main() -> int:
    """Measure the networks; 1 if something does not build or run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.small", description=__doc__)
    parser.add_argument("--networks", default=",".join(NETWORKS), help="a list with commas")
    parser.add_argument("--target", default="cortex-m4", choices=[*measure.BOARDS])
    parser.add_argument("--x86", action="store_true", help="count instructions on x86-64, too")
    parser.add_argument("--wasm", action="store_true", help="the size of the module with SIMD")
    parser.add_argument("--only-opc", action="store_true", help="no peers")
    parser.add_argument("--models", type=Path, help="a folder of ONNX files, in place of networks")
    arguments = parser.parse_args()
    lacks = measure.missing(("arm-none-eabi-gcc", "qemu-system-arm"))
    if lacks:
        print(f"{lacks} is not installed", file=sys.stderr)
        return 2
    print(HEAD, LINE, sep="\n", flush=True)
    is_wrong = False
    for name in arguments.networks.split(","):
        with tempfile.TemporaryDirectory(prefix="opc-small-") as folder:
            path = Path(folder) / f"{name}.onnx"
            if arguments.models:
                path.write_bytes((arguments.models / f"{name}.onnx").read_bytes())
            else:
                written(network(name).model(), path)
            own, x86 = _opc(path, arguments.target, arguments.x86)
            rows: dict[str, tuple[Figures, Figures] | None] = {"opc": (own, x86)}
            peers = {} if arguments.only_opc else PEERS
            for peer, write in peers.items():
                text = write(path)
                rows[peer] = _peer(text, path, arguments.target, arguments.x86) if text else None
            size = _module(path) if arguments.wasm else None
        for who, figures in rows.items():
            print(_row(name, who, figures, size if who == "opc" else None), flush=True)
        is_wrong |= bool(own.problem or x86.problem)
    return int(is_wrong)


def _opc(path: Path, target: str, has_x86: bool) -> tuple[Figures, Figures]:
    """Figures of opc on the target, and on x86-64."""
    found: list[Figures] = []
    for named in (target, *(("baseline",) if has_x86 else ())):
        lowered = lower(path, Options(target=named, prefix="net", cache=None))
        emitted, interface = lowered.emitted, lowered.interface
        has_weights = lowered.weights is not None
        texts = {"net.h": emitted.header_with_weights if has_weights else emitted.header}
        texts["net.c"] = emitted.source_with_header
        if has_weights:
            texts["weights.c"] = emitted.weights_source
        workspace = interface.workspace or 0
        sizes = [_elements(spec.shape) for spec in (*interface.inputs, *interface.outputs)]
        text = program.of_opc("net", sizes[0], sizes[1], workspace, has_weights)
        with tempfile.TemporaryDirectory(prefix="opc-small-") as folder:
            if named == target:
                found.append(measure.bare(target, texts, text, workspace, Path(folder)))
            else:
                found.append(measure.hosted(texts, text, "net_run", Path(folder)))
    return found[0], found[1] if has_x86 else Figures()


def _peer(text: tuple[str, str], path: Path, target: str, has_x86: bool) -> tuple[Figures, Figures]:
    """Figures of a peer's C."""
    source, function = text
    interface = lower(path, Options(prefix="net")).interface
    sizes = [_elements(spec.shape) for spec in (*interface.inputs, *interface.outputs)]
    called = program.of_peer(function, sizes[0], sizes[1])
    with tempfile.TemporaryDirectory(prefix="opc-small-") as folder:
        texts = {"peer.c": source}
        figures = measure.bare(target, texts, called, 0, Path(folder))
        x86 = measure.hosted(texts, called, function, Path(folder)) if has_x86 else Figures()
    return figures, x86


def _elements(shape: tuple[int | str, ...]) -> int:
    return math.prod(extent for extent in shape if isinstance(extent, int))


def _module(path: Path) -> int:
    """Bytes of the WebAssembly module of opc, with weights."""
    with tempfile.TemporaryDirectory(prefix="opc-small-") as folder:
        words = ["--target", "wasm32-simd", "--emit", "wasm", "-o", folder]
        command = [sys.executable, "-m", "opc", "compile", str(path), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return (Path(folder) / f"{path.stem}.wasm").stat().st_size


def _row(name: str, who: str, figures: tuple[Figures, Figures] | None, module: int | None) -> str:
    """The row of a table."""
    if figures is None:
        return f"| {name} | {who} | not there, or refuses it |"
    own, x86 = figures
    kib = [_shown(n, 1024) for n in (own.flash, own.ram, own.stack)]
    millions = [_shown(f.instructions, 10**6) for f in figures]
    millions.append(_shown(module, 1024))
    problem = (own.problem or x86.problem).strip().replace("\n", " ")[-160:]
    return f"| {name} | {who} | {' | '.join(kib + millions)} |{problem and ' '}{problem}"


def _shown(number: int | None, unit: int) -> str:
    return "-" if number is None else f"{number / unit:.1f}"


if __name__ == "__main__":
    sys.exit(main())
