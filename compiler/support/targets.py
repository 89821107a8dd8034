"""The targets by name: the machine that each plans for, and what its compiler is told.

This is the only list of them.  ``native`` is the machine that opc runs on.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from .target import KIB, Target

_V2 = frozenset({"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"})
_V3 = _V2 | {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"}
V4 = _V3 | {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}
"""Features of x86-64-v4, as Linux names them."""


@dataclass(frozen=True)
class Named:
    """A target that has a name."""

    about: str
    """The machines that it runs on."""
    machine: Target | None = None
    """What planners go by; None: the one that opc runs on."""
    architecture: str = ""
    """The only one that it is for, as compilers call it."""
    flags: tuple[str, ...] = ()
    """What the C compiler is told."""
    features: frozenset[str] = frozenset()
    """What a processor must have, as Linux names it."""
    compiler: str = ""
    """The usual command of the C compiler, where that is not ``cc``."""
    has_libraries: bool = True
    """Whether there are shared libraries."""
    relaxed: tuple[str, ...] = ()
    """What the C compiler is told, too, for hosts whose relaxed multiply-add rounds once."""


def _wasm(
    about: str, machine: Target, flags: tuple[str, ...] = (), relaxed: tuple[str, ...] = ()
) -> Named:
    clang = "clang --target=wasm32-wasi --sysroot=/usr"
    return Named(
        about, machine, "wasm32", flags, compiler=clang, has_libraries=False, relaxed=relaxed
    )


def _small(name: str, registers: int, fma: bool, **more: Any) -> Target:
    """A processor without vectors, where memory is short and about as far everywhere.

    The caches, which most of them have not, bound what a nest copies: DS-CNN in 8 bits takes 16 KB
    of RAM and not 83, and MobileNetV1 of a quarter 55 and not 208, as fast.
    """
    memory = {"l1": 16 * KIB, "l2": 16 * KIB, "l3": 16 * KIB, "prefetched": 0}
    one: dict[str, Any] = {"sums_in_flight": 4, "starts": 1, "load_starts": 1, **memory}
    return Target(name, 4, registers, fma, groups=(2, 4), alike=(False, True), **(one | more))


def _cortex(cpu: str, about: str, fpu: str = "") -> Named:
    """One with 32 registers of f32 and half as many of integers, or 8 of both without ``fpu``."""
    floats = ("-mfloat-abi=hard", f"-mfpu={fpu}") if fpu else ("-mfloat-abi=soft",)
    flags = (f"-mcpu=cortex-{cpu}", "-mthumb", *floats)
    registers = {"integer_registers": 16} if fpu else {}
    # A stack of 16 KiB holds the part of a window.
    machine = _small(
        *(f"cortex-{cpu}", 32 if fpu else 8, bool(fpu)),
        has_floats=bool(fpu),
        most_copied=12 * KIB,
        **registers,
    )
    return Named(about, machine, "arm", flags, compiler="arm-none-eabi-gcc", has_libraries=False)


_ARM64 = Target("aarch64", 16, 32, True, looks_bytes_up=True)
_SIMD128 = Target("wasm32-simd", 16, 16, False, prefetched=0)
NAMED = {
    "native": Named("the machine that compiles"),
    "baseline": Named(
        "any machine of this architecture", Target("baseline", 16, 16, False, sign_extending=1)
    ),
    "avx2": Named(
        "x86-64-v3: AVX2 and FMA",
        Target("avx2", 32, 16, True),
        "x86_64",
        ("-march=x86-64-v3",),
        _V3,
    ),
    "avx512": Named(
        "x86-64-v4: AVX-512 F, BW, CD, DQ and VL",
        Target("avx512", 64, 32, True, l2_rate=32),
        "x86_64",
        ("-march=x86-64-v4",),
        V4,
    ),
    "avx512-vnni": Named(
        "x86-64-v4 with VNNI: dot products of bytes",
        Target("avx512-vnni", 64, 32, True, groups=(2, 4), l2_rate=32),
        "x86_64",
        ("-march=x86-64-v4", "-mavx512vnni"),
        V4 | {"avx512_vnni"},
    ),
    "amx": Named(
        "x86-64-v4 with VNNI, VBMI and AMX: products of matrices of bytes",
        Target("amx", 64, 32, True, groups=(2, 4, 64), l2_rate=32, looks_bytes_up=True),
        "x86_64",
        ("-march=x86-64-v4", "-mavx512vnni", "-mavx512vbmi", "-mamx-tile", "-mamx-int8"),
        V4 | {"avx512_vnni", "avx512vbmi", "amx_tile", "amx_int8"},
    ),
    "aarch64": Named(
        "64-bit Arm, which has NEON",
        _ARM64,
        "aarch64",
        features=frozenset({"asimd"}),
        compiler="aarch64-linux-gnu-gcc",
    ),
    "neon-dotprod": Named(
        "64-bit Arm with dot products of bytes, as from Armv8.4 on",
        replace(_ARM64, name="neon-dotprod", groups=(2, 4), alike=(True,)),
        "aarch64",
        ("-march=armv8.2-a+dotprod",),
        frozenset({"asimd", "asimddp"}),
        compiler="aarch64-linux-gnu-gcc",
    ),
    "cortex-m0": _cortex("m0", "Cortex-M0 and M0+: no floats in hardware"),
    "cortex-m4": _cortex("m4", "Cortex-M4F: f32 in hardware", "fpv4-sp-d16"),
    "cortex-m7": _cortex("m7", "Cortex-M7 with f32 and f64", "fpv5-d16"),
    "riscv64": Named(
        "RISC-V rv64gc, without vectors",
        _small("riscv64", 24, True, l1=32 * KIB, l2=512 * KIB, l3=2048 * KIB),
        "riscv64",
        ("-march=rv64gc", "-mabi=lp64d"),
        compiler="riscv64-linux-gnu-gcc",
    ),
    "wasm32": _wasm("WebAssembly without SIMD", _small("wasm32", 16, False)),
    "wasm32-simd": _wasm(
        "WebAssembly with SIMD128",
        _SIMD128,
        ("-msimd128",),
        ("-mrelaxed-simd", "-DOPC_RELAXED"),
    ),
}
NAMED["neon"] = NAMED["aarch64"]
"""The targets by name."""


def target(name: str) -> Target:
    """The machine that a target's name means; ``native`` is the one that this runs on."""
    named = NAMED.get(name, NAMED["baseline"])
    return _native() if named.machine is None else named.machine


@cache
def _native() -> Target:
    if platform.machine() in {"aarch64", "arm64"}:
        has_dot = "asimddp" in _processor_line("Features").split()
        machine = target("neon-dotprod" if has_dot else "aarch64")
    else:
        flags = set(_processor_line("flags").split())
        wide = {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags
        machine = target("avx512" if wide else "avx2" if {"avx2", "fma"} <= flags else "baseline")
        if wide and "avx512_vnni" in flags:
            machine = target("amx" if "amx_int8" in flags else "avx512-vnni")
        machine = replace(machine, looks_bytes_up=wide and "avx512vbmi" in flags)
        vendor, family = _processor_line("vendor_id"), _processor_line("cpu family")
        if wide and (vendor, family) == ("AuthenticAMD", "25"):
            # Vectors of 64 bytes go in two halves in Zen 4.
            # 4 x 96 floats (400 bytes in 24 cycles) take 1.17 times as long as 8 x 48.
            machine = replace(machine, sums_in_flight=4, starts=1, load_starts=1, l2_rate=14)
            # Loads of 4 bytes do not: 25 or 28 x 16 floats take 0.83 of the time of 13 or 14 x 32.
            machine = replace(machine, single_load=0.5)
        model = _processor_line("model")
        if wide and (vendor, family, model) == ("GenuineIntel", "6", "106"):
            # 16 loads and 28 multiply-adds of 64 bytes take 16 cycles in Ice Lake.
            machine = replace(machine, load_starts=1)
    sizes = _cache_sizes()
    return replace(
        machine,
        name="native",
        l1=sizes.get(1, machine.l1),
        l2=sizes.get(2, machine.l2),
        l3=sizes.get(3, machine.l3),
    )


def processor() -> str:
    """The processor that this runs on: its name, family and model, as far as the system tells."""
    name = _processor_line("model name") or platform.processor() or platform.machine()
    numbers = (f"{key} {_processor_line(key)}" for key in ("cpu family", "model"))
    return f"{name} ({', '.join(numbers)})"


def _processor_line(name: str) -> str:
    """What the system says of the first processor, empty if it says nothing."""
    try:
        with Path("/proc/cpuinfo").open(encoding="ascii", errors="replace") as file:
            line = next((line for line in file if line.partition("\t")[0].strip() == name), "")
    except OSError:
        return ""
    return line.partition(":")[2].strip()


def _cache_sizes() -> dict[int, int]:
    """Bytes of the data caches of the first processor by level, as far as the system tells."""
    sizes: dict[int, int] = {}
    for folder in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        try:
            kind = (folder / "type").read_text(encoding="ascii").strip()
            size = (folder / "size").read_text(encoding="ascii").strip()
            level = int((folder / "level").read_text(encoding="ascii"))
        except (OSError, ValueError):
            continue
        if kind != "Instruction" and size.endswith("K") and size[:-1].isdigit():
            sizes[level] = int(size[:-1]) * KIB
    return sizes
