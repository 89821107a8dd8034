"""The other ways to build a graph, all of which must give the same bits."""

from __future__ import annotations

import platform
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import arm
from .build import FUSED, UNFUSED, Build

MARCH = {"avx2": "-march=x86-64-v3", "avx512": "-march=x86-64-v4", "native": "-march=native"}
NEEDED = {"avx2": "avx2", "avx512": "avx512vl"}


@dataclass(frozen=True)
class Variant:
    """A build of a graph in one of its forms; an emulated one is for another machine."""

    build: Build
    form: str = FUSED
    is_emulated: bool = False

    @property
    def name(self) -> str:
        return self.build.name + ("" if self.form == FUSED else f" {self.form}")


def build_of(compiler: str, level: str, target: str = "baseline", threads: int = 0) -> Build:
    """A build by a compiler, for a target; 0 threads are a build without any."""
    flags = [MARCH[target]] if target in MARCH else []
    name = f"{compiler} {level} {target}" + (f" {threads} threads" if threads else "")
    return Build(name, (compiler, level, *flags), threads)


@cache
def variants() -> tuple[Variant, ...]:
    """Those that this machine can build and run."""
    flags: set[str] = set()
    if platform.machine() in ("x86_64", "AMD64"):
        flags = set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    targets = ["native", *(t for t, flag in NEEDED.items() if flag in flags)]
    builds = [build_of("gcc", level, t) for level in ("-O1", "-O3") for t in targets]
    builds += [build_of("gcc", "-O2"), build_of("gcc", "-O3")]
    builds += [build_of("gcc", "-O2", "native", threads) for threads in (1, 2, 3, 4)]
    if shutil.which("clang"):
        builds += [build_of("clang", "-O0"), *(build_of("clang", "-O2", t) for t in targets)]
    found = [Variant(b) for b in builds]
    if not arm.MISSING:
        found += [Variant(Build("aarch64 -O2"), is_emulated=True)] * 2
    mixed = [[v, Variant(Build(), UNFUSED)] if k % 2 else [v] for k, v in enumerate(found)]
    return tuple(v for some in mixed for v in some)


def chosen(seed: int, chunk: int) -> tuple[Build, Variant]:
    """How a chunk of graphs is built first, fast to compile, and what that is compared with."""
    every, turn = variants(), seed * 7 + chunk
    first = Build() if turn % 3 else build_of("gcc", "-O0")
    return first, every[turn % len(every)]
