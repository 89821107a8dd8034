"""Compilers with the machines that they make code for, and what runs it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).parent
WINE = next(filter(Path.exists, (Path("/usr/lib/wine/wine64"), Path("/usr/bin/wine64"))), None)
CORTEX_M = ("-mthumb", "-O2", "-T", str(HERE / "bare" / "mps.ld"), "-nostartfiles")
SEMIHOSTED = ("--specs=rdimon.specs", str(HERE / "bare" / "start.c"))
HARD, MPS3 = ("-mfloat-abi=hard",), "-Wl,--defsym=memory_at=0x21000000"
ARM_HEADERS = ("-isystem", "/usr/arm-linux-gnueabihf/include")
WASM = ("--target=wasm32-wasi", "--sysroot=/usr", "-O2")
NODE = ("node", "--no-warnings", str(HERE / "wasi.mjs"))


@dataclass(frozen=True)
class Machine:
    """A compiler for a machine, and the command that runs a program of it; none runs it here."""

    name: str
    compiler: tuple[str, ...]
    runner: tuple[str, ...] = ()
    is_short: bool = False
    """Whether it is one of the few that a short run tries."""
    refusal: str = ""
    """What is refused for a reason, and how: a part of the message."""
    target: str = "baseline"
    """What the C is made for."""

    @property
    def missing(self) -> str:
        """The command that is not installed, or nothing."""
        commands = (self.compiler[0], *self.runner[:1])
        return next((name for name in commands if shutil.which(name) is None), "")


def _qemu(board: str) -> tuple[str, ...]:
    semihosting = ("-semihosting-config", "enable=on,target=native")
    return ("qemu-system-arm", "-M", board, "-nographic", *semihosting, "-kernel")


def _cortex(cpu: str, board: str, *flags: str, refusal: str = "") -> Machine:
    compiler = ("arm-none-eabi-gcc", f"-mcpu=cortex-{cpu}", *flags, *CORTEX_M, *SEMIHOSTED)
    kind, _, without = cpu.upper().partition("+NO")
    name = f"gcc, Cortex-{kind}{without and ' without '}{without}"
    return Machine(name, compiler, _qemu(board), refusal=refusal)


def _planned(machine: Machine, target: str) -> Machine:
    """The same with the C that is made for it."""
    return replace(machine, name=f"{machine.name}, --target {target}", target=target)


def _windows(*flags: str) -> Machine:
    runner = ("env", "WINEDEBUG=-all", str(WINE)) if WINE is not None else ("wine64",)
    compiler = ("x86_64-w64-mingw32-gcc", *flags)
    return Machine(f"mingw gcc {' '.join(flags)}, 64-bit Windows", compiler, runner)


WIDER, FLUSHES = "must not be computed in wider types", "flushes subnormal numbers"
M4 = _cortex("m4", "mps2-an386", "-mfpu=fpv4-sp-d16", *HARD)
M7 = _cortex("m7", "mps2-an500", "-mfpu=fpv5-d16", *HARD)
RISCV = Machine(
    "gcc, RISC-V rv64gc", ("riscv64-linux-gnu-gcc", "-O2", "-static"), ("qemu-riscv64",)
)
ARM_MAX = ("qemu-aarch64", "-cpu", "max")
DOT = Machine(
    "gcc, 64-bit Arm with dot products",
    ("aarch64-linux-gnu-gcc", "-O2", "-march=armv8.2-a+dotprod", "-static"),
    ARM_MAX,
    is_short=True,
)
SIMD = Machine("clang, WebAssembly with SIMD", ("clang", *WASM, "-msimd128"), NODE)
RELAXED = Machine(
    "clang 19, WebAssembly with relaxed multiply-adds",
    ("clang-19", *WASM, "-msimd128", "-mrelaxed-simd", "-DOPC_RELAXED"),
    NODE,
)
MACHINES = (
    Machine("gcc -O0, x86-64", ("gcc", "-O0")),
    Machine("gcc -O3, x86-64", ("gcc", "-O3")),
    Machine("gcc -O2 -mavx2 -mfma, x86-64", ("gcc", "-O2", "-mavx2", "-mfma")),
    Machine("clang -O2, x86-64", ("clang", "-O2")),
    Machine("g++ -std=c++17 -O1, x86-64", ("g++", "-O1", "-x", "c++", "-std=c++17")),
    Machine("gcc -O2 with musl, x86-64", ("musl-gcc", "-O2", "-static")),
    Machine("tcc, x86-64", ("tcc",), is_short=True),
    Machine(
        "gcc -O2 -std=c99 -pedantic-errors -DOPC_PLAIN",
        ("gcc", "-O2", "-std=c99", "-pedantic-errors", "-DOPC_PLAIN"),
    ),
    Machine(
        "gcc -O2 -mavx2 -mfma -DOPC_PLAIN",
        ("gcc", "-O2", "-mavx2", "-mfma", "-DOPC_PLAIN"),
        is_short=True,
    ),
    Machine("clang -O2 -DOPC_PLAIN", ("clang", "-O2", "-DOPC_PLAIN")),
    Machine("gcc -m32, x87", ("gcc", "-m32", "-O2"), refusal=WIDER),
    Machine("gcc -m32 -msse2 -mfpmath=sse", ("gcc", "-m32", "-msse2", "-mfpmath=sse", "-O2")),
    _windows("-O2"),
    Machine(
        "gcc, 64-bit Arm", ("aarch64-linux-gnu-gcc", "-O2", "-static"), ("qemu-aarch64",), True
    ),
    Machine(
        "clang, 64-bit Arm",
        ("clang", "--target=aarch64-linux-gnu", "-O2", "-static"),
        ("qemu-aarch64",),
    ),
    Machine(
        "gcc -O3, 64-bit Arm with SVE",
        ("aarch64-linux-gnu-gcc", "-O3", "-march=armv8.2-a+sve+dotprod", "-static"),
        ARM_MAX,
    ),
    _planned(DOT, "neon-dotprod"),
    Machine(
        "gcc, 32-bit Arm with VFPv3", ("arm-linux-gnueabihf-gcc", "-O2", "-static"), ("qemu-arm",)
    ),
    Machine(
        "gcc, 32-bit Arm with NEON",
        ("arm-linux-gnueabihf-gcc", "-O2", "-static", "-march=armv7-a+neon-vfpv4"),
        ("qemu-arm",),
    ),
    Machine(
        "clang, 32-bit Arm with VFPv4",
        (
            *("clang", "--target=arm-linux-gnueabihf", "-march=armv7-a", "-mfpu=vfpv4-d16"),
            *("-O2", "-static", *ARM_HEADERS),
        ),
        ("qemu-arm",),
    ),
    Machine(
        "clang, 32-bit Arm with NEON",
        (
            *("clang", "--target=arm-linux-gnueabihf", "-march=armv7-a", "-mfpu=neon-vfpv4"),
            *("-O2", "-static", *ARM_HEADERS),
        ),
        ("qemu-arm",),
        refusal=FLUSHES,
    ),
    RISCV,
    _planned(RISCV, "riscv64"),
    Machine("gcc -O3, POWER8", ("powerpc64le-linux-gnu-gcc", "-O3", "-static"), ("qemu-ppc64le",)),
    Machine(
        "gcc -mno-vsx, POWER8 with AltiVec only",
        ("powerpc64le-linux-gnu-gcc", "-O2", "-mno-vsx", "-static"),
        ("qemu-ppc64le",),
        refusal=FLUSHES,
    ),
    Machine(
        "gcc, s390x (big-endian)",
        ("s390x-linux-gnu-gcc", "-O2", "-static", "-fexcess-precision=fast"),
        ("qemu-s390x",),
        is_short=True,
    ),
    M4,
    _planned(M4, "cortex-m4"),
    M7,
    _planned(M7, "cortex-m7"),
    _cortex("m55", "mps3-an547", *HARD, MPS3, refusal=FLUSHES),
    _cortex("m55+nomve", "mps3-an547", *HARD, MPS3),
    _cortex("m3", "mps2-an385"),
    # The board has a Cortex-M3, which runs the code of a Cortex-M0.
    _planned(_cortex("m0", "mps2-an385"), "cortex-m0"),
    Machine("clang, WebAssembly", ("clang", *WASM), NODE),
    SIMD,
    _planned(SIMD, "wasm32-simd"),
    _planned(RELAXED, "wasm32-simd"),
)
