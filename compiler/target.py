"""What is known of the machine that code is made for: every number about a machine stands here.

Schedules depend on it, results never: the order in which values are combined is that of
``dialects.order`` on every machine.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

KIB = 1024


@dataclass(frozen=True)
class Target:
    """A machine, as far as schedules go by it.

    ``l1``, ``l2`` and ``l3`` are the bytes of the caches that one core sees.
    """

    name: str
    vector_bytes: int
    registers: int
    """Vector registers."""
    fma: bool
    """Whether a fused multiply-add is one instruction."""
    chains: int = 8
    """Fused multiply-adds in flight: each takes four cycles, and two start at once."""
    l1: int = 32 * KIB
    l2: int = 512 * KIB
    l3: int = 8192 * KIB

    def describe(self) -> str:
        """One line for the first comment of a C file."""
        fma = "fma" if self.fma else "no fma"
        caches = "/".join(str(n // KIB) for n in (self.l1, self.l2, self.l3))
        return (
            f"{self.name}: {self.registers} vectors of {self.vector_bytes} bytes, {fma}, "
            f"caches of {caches} KiB"
        )


_NAMED = {
    "baseline": Target("baseline", 16, 16, False),
    "avx2": Target("avx2", 32, 16, True),
    "avx512": Target("avx512", 64, 32, True),
}
_ARM = Target("aarch64", 16, 32, True)


def target(name: str) -> Target:
    """The machine that a target's name means; ``native`` is the one that this runs on."""
    return _native() if name == "native" else _NAMED.get(name, _NAMED["baseline"])


@cache
def _native() -> Target:
    if platform.machine() in {"aarch64", "arm64"}:
        found = _ARM
    else:
        flags = _processor_flags()
        wide = {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags
        found = _NAMED["avx512" if wide else "avx2" if {"avx2", "fma"} <= flags else "baseline"]
    sizes = _cache_sizes()
    return replace(
        found,
        name="native",
        l1=sizes.get(1, found.l1),
        l2=sizes.get(2, found.l2),
        l3=sizes.get(3, found.l3),
    )


def _processor_flags() -> set[str]:
    try:
        with Path("/proc/cpuinfo").open(encoding="ascii", errors="replace") as file:
            line = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        return set()
    return set(line.partition(":")[2].split())


def _cache_sizes() -> dict[int, int]:
    """Bytes of the data caches of the first processor by level, as far as the system tells."""
    found: dict[int, int] = {}
    for folder in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        try:
            kind = (folder / "type").read_text(encoding="ascii").strip()
            size = (folder / "size").read_text(encoding="ascii").strip()
            level = int((folder / "level").read_text(encoding="ascii"))
        except (OSError, ValueError):
            continue
        if kind != "Instruction" and size.endswith("K") and size[:-1].isdigit():
            found[level] = int(size[:-1]) * KIB
    return found
