"""The system C compiler: finding it, identifying it, and running it on emitted C.

How its commands run is in ``commands``.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import shlex
import shutil
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from opc.errors import ToolchainError, UsageError
from opc.support.safe_open import read_regular
from opc.support.target import MIXED, MIXED_CODE, MIXED_ON_AVERAGE
from opc.support.targets import NAMED, V4

from . import scratch
from .commands import OUT, CompilerCrash, CompilerFailure, run, written_by
from .processor import machine

Kind = Literal["so", "obj", "a", "asm"]

COMMON_FLAGS = (
    "-std=c99",
    "-O3",
    "-fPIC",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
)
"""Flags of every build.  None of them may change a result: see the numerical contract."""

GCC_FLAGS = (
    *("-funroll-loops", "-fschedule-insns", "-fsched-pressure"),
    *("--param", f"max-unroll-times={MIXED}"),
    *("--param", f"max-unrolled-insns={MIXED_CODE}"),
    *("--param", f"max-average-unrolled-insns={MIXED_ON_AVERAGE}"),
)
"""Flags for gcc to interleave several iterations of a loop.

A polynomial is one long chain of operations, and processors seem to look ahead over few iterations
of such a loop: with 512 bits, chains take up to 1.8 times as long without these flags.  In long
functions fewer iterations are interleaved, as ``opc.support.target`` says.
"""

GCC_APART = ("-fno-loop-unroll-and-jam",)
"""No unroll-and-jam.

Sums of columns read 8 rows at once, which a first-level cache holds even if they lie on the same of
its sets.  If the number of columns is unknown, gcc makes 16 of them: sums of 4096 rows of 1024
columns took 1.3 times as long, and 1.9 times with an array that begins within a cache line, whose
vectors lie on two lines each.
"""

GCC_CHOICES = ("-fno-thread-jumps",)
"""No separate path for the case that a choice takes a constant, as relu does.

Vectors would compute both paths under masks: the logarithm of relu(x)^2 + 1 took 1.9 times as long.
In scalar code, such as the tail of a tile, every second jump is mispredicted: two comparisons of
each result of the first layer of a MobileNetV2 were a quarter of its time.
"""

GCC_PRESSURE = ("--param", "sched-pressure-algorithm=2")
"""How gcc counts registers when it schedules instructions.

If sums of a matrix product fill the registers, this spills some, which is 0.75 times as fast.  So
texts with such a product do without.
"""
REGISTER_TILE = "OPC_UNROLL"
"""The word in a C text whose sums fill the registers."""
GCC_REGISTERS = ("-fira-region=one",)
"""Registers are allocated for a whole function: as good here, in less time and memory."""

GCC_S390 = ("-fexcess-precision=fast",)
"""Without it, gcc for s390x under -std=c99 computes float in double."""

GCC_X86 = ("-mno-stv",)
"""gcc 12 puts scalars into vector registers, which interleaved iterations spill in one width and
load in another: that cost a softmax of rows of 197 values 16 ns a row.
"""

ONE_SEGMENT = ("-Wl,-z,noseparate-code",)
"""Constants lie on pages of code, which are mapped when it runs.

A masked instruction with an empty mask reads nothing, so the system does not map the page of its
constant; on a machine with AVX-512 each of them took hundreds of cycles.
"""

WINDOWS = ("windows", "mingw", "cygwin", "msys")
NO_ELF = ("darwin", "macos", "ios", *WINDOWS, "wasm", "wasi")
"""Words in the triples of targets whose linkers do not take the option."""
OWN_LINKER = ("tcc", "zig")
"""Words in the versions of compilers that link by themselves and do not take the option."""
NO_PIC = (*WINDOWS, "wasm", "wasi")
"""Words in the triples of targets whose code is always relocatable, or in a module of its own."""

_KIND_FLAGS: dict[Kind, tuple[str, ...]] = {
    "so": ("-shared",),
    "obj": ("-c",),
    "a": ("-c",),
    "asm": ("-S",),
}
_CPU_IDENTITY = {
    *("vendor_id", "cpu family", "model", "model name", "stepping", "flags"),
    *("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features"),
    *("cpu", "isa", "mmu", "uarch"),
}
_FLEETING = frozenset(
    ("_", "PWD", "OLDPWD", "SHLVL", "COLUMNS", "LINES", "WINDOWID", "PYTEST_CURRENT_TEST")
)
"""Environment variables that change from command to command and mean nothing to a compiler."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler: its command and its identity.

    ``argv`` starts with an absolute path, which may be a link (a compiler cache looks at the name
    that it was called by); ``path`` is the target of the link.  ``triple`` is the machine of its
    code.
    """

    argv: tuple[str, ...]
    path: str
    version: str
    triple: str

    @property
    def machine(self) -> str:
        """The architecture: the first part of the triple."""
        return self.triple.partition("-")[0]

    @property
    def has_usual_linker(self) -> bool:
        """Whether it links ELF as gcc and clang do, with the options of that linker."""
        is_elf = not any(word in self.triple for word in NO_ELF)
        return is_elf and not any(word in self.version for word in OWN_LINKER)


_known: dict[str, Compiler] = {}


def find_compiler(
    cc: str | os.PathLike[str] | None = None, records: Path | None = None
) -> Compiler:
    """The compiler named by ``cc``, else by ``$CC``, else ``cc``.

    The name may have arguments, which are split as shell words.  The compiler's identity is kept
    for the process, and in the folder ``records`` if that is not None, so that later processes need
    not ask: asking clang takes 70 ms.  It is asked again if the environment, by which a wrapper may
    choose the compiler, or the time or size of an executable has changed.  Every process asks a
    script, which may choose by anything.

    Raises :class:`ToolchainError` if it is missing, fails or hangs.
    """
    argv = _command_line(cc)
    path = os.path.realpath(argv[0])
    key = _executable_key(argv)
    if key in _known:
        return _known[key]
    is_recorded = records is not None and not any(map(_is_script, _executables(argv)))
    record = records / f"cc-{key}.json" if records is not None and is_recorded else None
    compiler = None if record is None else _read_record(record, argv, path)
    if compiler is None:
        compiler = _ask(argv, path)
        if record is not None:
            _write_record(record, compiler)
    _known[key] = compiler
    return compiler


def command_of(target: str, cc: str | os.PathLike[str] | None) -> str | os.PathLike[str] | None:
    """``cc``; where neither it nor ``$CC`` is there, the usual compiler of a target."""
    named = NAMED.get(target)
    is_free = cc is None and not os.environ.get("CC", "").strip() and named is not None
    if not is_free or named is None or named.architecture == machine():
        return cc
    return named.compiler or None


def target_flags(compiler: Compiler, target: str) -> tuple[str, ...]:
    """The flags that select ``target``; :class:`UsageError` if there is no such target."""
    named = NAMED.get(target)
    if named is None:
        raise UsageError(f"unknown target {target!r}; there are: {', '.join(NAMED)}")
    if target == "native":
        # A cross compiler does not know the machine of its code.
        if compiler.machine != platform.machine():
            return ()
        if machine(compiler.machine) == "x86_64":
            return ("-march=native", *_widest(compiler))
        return ("-mcpu=native",) if compiler.machine in {"aarch64", "arm64", "ppc64le"} else ()
    if not machine(compiler.machine).startswith(named.architecture):
        usual = f", such as {named.compiler}" if named.compiler else ""
        raise UsageError(
            f"target {target!r} is for {named.architecture}, but {compiler.argv[0]} compiles for "
            f"{compiler.machine}; use another compiler{usual}, or native or baseline"
        )
    return (*named.flags, *(_widest(compiler) if named.features >= V4 else ()))


def _widest(compiler: Compiler) -> tuple[str, ...]:
    """Vectors of 64 bytes, which planners go by, and compilers may not make unless told to.

    gcc takes half for Intel's processors.  There, softmax of rows of 512 and 49 and a layer norm
    take 0.66 to 0.73 of the time, logarithms 0.82, and what memory bounds about as long.
    """
    is_known = "clang" in compiler.version or "Free Software Foundation" in compiler.version
    return ("-mprefer-vector-width=512",) if is_known else ()


def resolved_isa(compiler: Compiler, target: str) -> str:
    """The instruction set that ``target`` means here, as text for a cache key.

    ``native`` differs from machine to machine, so it becomes a digest of this processor: a cache on
    a shared disk never gives one machine another's code.
    """
    flags = target_flags(compiler, target)
    isa = " ".join((compiler.machine, *flags))
    return f"{isa} {_processor_digest()}" if target == "native" and flags else isa


def command_flags(
    compiler: Compiler, target: str, kind: Kind = "so", *, threaded: bool = False, c_text: str = ""
) -> tuple[str, ...]:
    """The flags before the source file with ``c_text``, in order."""
    parallel = ("-pthread",) if threaded else ()
    is_gcc = "Free Software Foundation" in compiler.version
    # Compilers take the last level, and the command may have its own.
    has_level = any(word.startswith("-O") for word in compiler.argv[1:])
    common = [flag for flag in COMMON_FLAGS if not (has_level and flag.startswith("-O"))]
    if any(word in compiler.triple for word in NO_PIC):
        common.remove("-fPIC")
    if threaded and any(word in compiler.triple for word in WINDOWS):
        parallel += ("-D_REENTRANT",)  # which gcc does not define there
    own = (*GCC_REGISTERS, *GCC_APART, *GCC_CHOICES) if is_gcc else ()
    own += GCC_X86 if is_gcc and machine(compiler.machine) == "x86_64" else ()
    own += GCC_S390 if is_gcc and compiler.machine == "s390x" else ()
    if is_gcc:
        own += GCC_FLAGS if REGISTER_TILE in c_text else (*GCC_FLAGS, *GCC_PRESSURE)
    linked = ONE_SEGMENT if kind == "so" and compiler.has_usual_linker else ()
    own += (*target_flags(compiler, target), *parallel)
    return (*common, *own, *_KIND_FLAGS[kind], *linked)


def translate(
    compiler: Compiler,
    c_text: str,
    kind: Kind = "so",
    *,
    target: str = "native",
    threaded: bool = False,
    stop: threading.Event | None = None,
) -> bytes:
    """Compile ``c_text`` to a shared object, an object or assembly, and return its bytes.

    A compiler that crashes is run again at -O1; one that still runs when ``stop`` is set is killed.
    Raises :class:`ToolchainError` with what the compiler printed, and :class:`OutputError` if no
    temporary file can be written.
    """
    flags = command_flags(compiler, target, kind, threaded=threaded, c_text=c_text)
    libraries = ("-lm",) if kind == "so" else ()
    # Fixed relative names keep paths of this run out of the result.
    contents, files = {"kernel.c": c_text.encode()}, ("-o", OUT, "kernel.c", *libraries)
    try:
        return written_by([*compiler.argv, *flags, *files], contents, stop=stop)
    except CompilerCrash:
        # clang 14 crashes on some vectors for a processor that it does not know.  The bits are the
        # same at every level.
        return written_by([*compiler.argv, *flags, "-O1", *files], contents, stop=stop)


def _command_line(cc: str | os.PathLike[str] | None) -> tuple[str, ...]:
    """The words of the command, the first one an absolute path."""
    text = os.fspath(cc) if cc is not None else os.environ.get("CC", "")
    origin = "cc" if cc is not None else "CC" if text.strip() else "default"
    text = text if cc is not None or text.strip() else "cc"
    try:
        words = [text] if Path(text).is_file() else shlex.split(text)
    except ValueError as error:
        raise ToolchainError(f"no C compiler: cannot read {text!r} ({origin}): {error}") from None
    # Without the check, a NUL is an exception of the system interface.
    path = shutil.which(words[0]) if words and "\0" not in text else None
    if path is None:
        name = words[0] if words else text
        raise ToolchainError(
            f"no C compiler: {name!r} ({origin}) is not an executable file or command; "
            "install gcc or clang, or name one with cc= or CC"
        )
    return (str(Path(path).absolute()), *words[1:])


def _executables(argv: tuple[str, ...]) -> list[str]:
    """The executables in a command: in `ccache gcc` the compiler is an argument."""
    paths = (shutil.which(word) for word in argv[1:] if word[:1] != "-")
    return [argv[0], *(path for path in paths if path is not None)]


def _executable_key(argv: tuple[str, ...]) -> str:
    """A digest of the executables in ``argv`` and of the environment."""
    parts: list[Any] = [argv]
    for path in _executables(argv):
        try:
            status = Path(path).stat()
        except OSError as error:
            raise ToolchainError(f"no C compiler: {path!r}: {error.strerror}") from None
        parts.append([path, os.path.realpath(path), status.st_mtime_ns, status.st_size])
    parts.append(sorted(item for item in os.environ.items() if item[0] not in _FLEETING))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _is_script(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _ask(argv: tuple[str, ...], path: str) -> Compiler:
    version = run([*argv, "--version"]).strip()
    try:
        triple = run([*argv, "-dumpmachine"]).strip()
    except CompilerFailure:
        triple = ""  # tcc, which compiles for this machine
    return Compiler(argv, path, version, triple or f"{platform.machine()}-{sys.platform}")


def _read_record(record: Path, argv: tuple[str, ...], path: str) -> Compiler | None:
    try:
        loaded: object = json.loads(read_regular(record))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(loaded, dict):
        return None
    fields = cast(dict[str, object], loaded)
    version, triple = fields.get("version"), fields.get("triple")
    if not isinstance(version, str) or not isinstance(triple, str):
        return None
    return Compiler(argv, path, version, triple)


def _write_record(record: Path, compiler: Compiler) -> None:
    text = json.dumps({"version": compiler.version, "triple": compiler.triple})
    # Without the record the next process asks again.
    with contextlib.suppress(OSError):
        scratch.write_atomically(record, [text.encode()])


def _processor_digest() -> str:
    """A digest of the processor's model and features; unique to the host if they are unknown."""
    try:
        with Path("/proc/cpuinfo").open("rb") as file:
            # The first processor is enough, and a large machine has megabytes of them.
            first = file.read(16384).partition(b"\n\n")[0].decode(errors="replace")
    except OSError:
        first = ""
    lines = [line for line in first.splitlines() if line.partition(":")[0].strip() in _CPU_IDENTITY]
    identity = "\n".join(lines) or repr((platform.uname(), platform.processor()))
    return hashlib.sha256(identity.encode()).hexdigest()[:32]
