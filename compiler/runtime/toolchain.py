"""The system C compiler: finding it, asking what it is, and running it on emitted C.

Nothing here goes through a shell: every command is a list of arguments, and the C text is a file
in a private folder.  A compiler that does not answer within ``OPC_CC_TIMEOUT`` seconds (120
unless set) is killed with everything that it started.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from opc.errors import OutputError, ToolchainError, UsageError
from opc.support.safe_open import read_regular
from opc.support.target import LARGE_TEXT, MIXED, MIXED_CODE, MIXED_ON_AVERAGE

from . import limits, scratch
from .compiler_errors import CRASHES, CompilerCrash, CompilerFailure

Kind = Literal["so", "obj", "asm"]

TARGETS = {
    "native": "the machine that compiles",
    "baseline": "any machine of this architecture",
    "avx2": "x86-64-v3: AVX2 and FMA",
    "avx512": "x86-64-v4: AVX-512 F, BW, CD, DQ and VL",
}
"""Every target with what it runs on."""

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
"""Flags of builds with gcc: instructions of several rounds of a loop are mixed.

A polynomial is one long chain of operations, and it seems that processors look ahead over few
rounds of such a loop: with 512 bits, chains take up to 1.8 times as long without these flags.
Of long functions fewer rounds are mixed, as ``opc.support.target`` says.
"""

GCC_APART = ("-fno-loop-unroll-and-jam",)
"""Iterations of an outer loop are not merged into the inner one.

Sums of columns read 8 rows at once, which a first-level cache holds, also where they lie on the
same of its sets; gcc made 16 of them where it does not know how many columns there are.  Sums of
4096 rows of an unknown number of columns, 1024, took 1.3 times as long, and 1.9 times with an array
that begins within a cache line, whose vectors are on two lines each.
"""

GCC_CHOICES = ("-fno-thread-jumps",)
"""No path of its own is made for where a choice takes a constant, as relu does.

What is computed of that goes both ways in vectors, under masks, and the logarithm of relu(x)^2 + 1
took 1.9 times as long; where there are no vectors, such as in what a tile of sums leaves in rows,
processors foresee every second of the jumps: two comparisons of each result of the first layer of
a MobileNetV2 were a quarter of all its time.
"""

GCC_PRESSURE = ("--param", "sched-pressure-algorithm=2")
"""How gcc counts registers when it mixes instructions.

Where sums of a matrix product fill the registers, some go through memory with this: 0.75 times as
fast, so files with such a product do without.  So do those of ``LARGE_TEXT`` and more.
"""
REGISTER_TILE = "OPC_UNROLL"
"""The word in a C text that tells of sums which fill the registers."""
GCC_REGISTERS = ("-fira-region=one",)
"""gcc allocates registers for a whole function: as good here, in less time and memory."""

GCC_S390 = ("-fexcess-precision=fast",)
"""Under -std=c99 gcc for s390x computes float in double, unless it is told not to."""

GCC_X86 = ("-mno-stv",)
"""gcc 12 does scalars in vector registers, which mixed rounds spill in one width and load in
another: that cost a softmax of rows of 197 values 16 ns a row.
"""

ONE_SEGMENT = ("-Wl,-z,noseparate-code",)
"""Constants lie on pages of the code, which are mapped when it runs.

A masked instruction whose mask is empty reads nothing, so it does not make the system map the page
of its constant either; measured on one machine with AVX-512, each such one took hundreds of cycles.
"""

NO_ELF = ("darwin", "macos", "ios", "windows", "mingw", "cygwin", "msys", "wasm", "wasi")
"""Words in the triples of targets whose linkers have no such pages, and do not take the option."""
OWN_LINKER = ("tcc",)
"""What the versions of compilers start with that link on their own, and do not take the option."""
NO_PIC = ("windows", "mingw", "cygwin", "msys")
"""Words in the triples of targets whose code can be anywhere: some compilers refuse -fPIC."""

_KIND_FLAGS: dict[Kind, tuple[str, ...]] = {
    "so": ("-shared",),
    "obj": ("-c",),
    "asm": ("-S",),
}
_X86 = {"x86_64", "amd64", "AMD64"}
_CPU_IDENTITY = {
    *("vendor_id", "cpu family", "model", "model name", "stepping", "flags"),
    *("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features"),
    *("cpu", "isa", "mmu", "uarch"),
}
_FLEETING = frozenset(
    ("_", "PWD", "OLDPWD", "SHLVL", "COLUMNS", "LINES", "WINDOWID", "PYTEST_CURRENT_TEST")
)
"""Variables that change from one command to the next and say nothing to a compiler."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler that answered: how to run it and what it is.

    ``argv`` starts with an absolute path, which may be a link (a compiler cache looks at the name
    it was called by); ``path`` is what the link leads to.  ``triple`` is what it makes code for.
    """

    argv: tuple[str, ...]
    path: str
    version: str
    triple: str

    @property
    def machine(self) -> str:
        """The architecture: the first part of the triple."""
        return self.triple.partition("-")[0]


_known: dict[str, Compiler] = {}


def find_compiler(
    cc: str | os.PathLike[str] | None = None, records: Path | None = None
) -> Compiler:
    """The compiler named by ``cc``, else by ``$CC``, else ``cc``.

    The name may hold arguments, split as a shell would split words and nothing more.  What the
    compiler says about itself is kept for the process, and in the folder ``records`` if given, so
    that later processes need not ask: asking clang takes 70 ms.  Another environment asks again, by
    which a wrapper may choose the compiler; so does a changed time or size of an executable.  A
    script is asked by every process: it may choose by anything.

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


def target_flags(compiler: Compiler, target: str) -> tuple[str, ...]:
    """The flags that select ``target``; :class:`UsageError` if there is no such target."""
    if target not in TARGETS:
        raise UsageError(f"unknown target {target!r}; there are: {', '.join(TARGETS)}")
    is_x86 = compiler.machine in _X86
    if target == "baseline":
        return ()
    if target == "native":
        # A cross compiler knows nothing of the machine that it will make code for.
        if compiler.machine != platform.machine():
            return ()
        if is_x86:
            return ("-march=native", *_widest(compiler))
        return ("-mcpu=native",) if compiler.machine in {"aarch64", "arm64", "ppc64le"} else ()
    if not is_x86:
        raise UsageError(
            f"target {target!r} is for x86-64, but {compiler.argv[0]} compiles for "
            f"{compiler.machine}; there are: native, baseline"
        )
    return ("-march=x86-64-v3",) if target == "avx2" else ("-march=x86-64-v4", *_widest(compiler))


def _widest(compiler: Compiler) -> tuple[str, ...]:
    """Clang holds back from vectors of 64 bytes unless told; gcc does not."""
    return ("-mprefer-vector-width=512",) if "clang" in compiler.version else ()


def resolved_isa(compiler: Compiler, target: str) -> str:
    """The instruction set that ``target`` means here, as text for a cache key.

    ``native`` has a different meaning on every machine, so it becomes a digest of what this
    processor is and can do: a cache on a shared disk never gives one machine another's code.
    """
    flags = target_flags(compiler, target)
    isa = " ".join((compiler.machine, *flags))
    return f"{isa} {_processor_digest()}" if target == "native" and flags else isa


def command_flags(
    compiler: Compiler, target: str, kind: Kind = "so", *, threaded: bool = False, c_text: str = ""
) -> tuple[str, ...]:
    """Every flag before the source file of that text, in order."""
    parallel = ("-pthread",) if threaded else ()
    is_gcc = "Free Software Foundation" in compiler.version
    # Of several levels compilers take the last one, and the command may have its own.
    has_level = any(word.startswith("-O") for word in compiler.argv[1:])
    common = [flag for flag in COMMON_FLAGS if not (has_level and flag.startswith("-O"))]
    if any(word in compiler.triple for word in NO_PIC):
        common.remove("-fPIC")
    own = (*GCC_REGISTERS, *GCC_APART, *GCC_CHOICES) if is_gcc else ()
    own += GCC_X86 if is_gcc and compiler.machine in _X86 else ()
    own += GCC_S390 if is_gcc and compiler.machine == "s390x" else ()
    if is_gcc and len(c_text) < LARGE_TEXT:
        own += GCC_FLAGS if REGISTER_TILE in c_text else (*GCC_FLAGS, *GCC_PRESSURE)
    is_elf = not any(word in compiler.triple for word in NO_ELF)
    has_own_linker = compiler.version.startswith(OWN_LINKER)
    linked = ONE_SEGMENT if kind == "so" and is_elf and not has_own_linker else ()
    own += (*target_flags(compiler, target), *parallel)
    return (*common, *own, *_KIND_FLAGS[kind], *linked)


def translate(
    compiler: Compiler,
    c_text: str,
    kind: Kind = "so",
    *,
    target: str = "native",
    threaded: bool = False,
) -> bytes:
    """Compile ``c_text`` to a shared object, an object or assembly, and return its bytes.

    A compiler that dies of a fault of its own is run again at -O1.
    Raises :class:`ToolchainError` with what the compiler printed, and :class:`OutputError` if no
    temporary file can be written.
    """
    flags = command_flags(compiler, target, kind, threaded=threaded, c_text=c_text)
    libraries = ("-lm",) if kind == "so" else ()
    with scratch.temporary() as folder:
        # Fixed relative names: no path of this run can end up in the result.
        try:
            (folder / "kernel.c").write_text(c_text, encoding="utf-8")
        except OSError as error:
            raise OutputError(f"cannot write a temporary file: {error.strerror}") from None
        files = ("-o", "kernel.out", "kernel.c", *libraries)
        command = [*compiler.argv, *flags, *files]
        try:
            _run(command, cwd=folder)
        except CompilerCrash:
            # clang 14 dies of some vectors of a processor that it does not know.  The bits are the
            # same at every level.
            _run([*compiler.argv, *flags, "-O1", *files], cwd=folder)
        try:
            return (folder / "kernel.out").read_bytes()
        except FileNotFoundError:
            raise ToolchainError(f"{_shown(command)}: it succeeded, but wrote nothing") from None


def _command_line(cc: str | os.PathLike[str] | None) -> tuple[str, ...]:
    """The words of the command, the first one an absolute path."""
    text = os.fspath(cc) if cc is not None else os.environ.get("CC", "")
    origin = "cc" if cc is not None else "CC" if text.strip() else "default"
    text = text if cc is not None or text.strip() else "cc"
    try:
        words = [text] if Path(text).is_file() else shlex.split(text)
    except ValueError as error:
        raise ToolchainError(f"no C compiler: cannot read {text!r} ({origin}): {error}") from None
    # A NUL cannot reach a command line: without this it is an exception of the system interface.
    found = shutil.which(words[0]) if words and "\0" not in text else None
    if found is None:
        name = words[0] if words else text
        raise ToolchainError(
            f"no C compiler: {name!r} ({origin}) is not an executable file or command; "
            "install gcc or clang, or name one with cc= or CC"
        )
    return (str(Path(found).absolute()), *words[1:])


def _executables(argv: tuple[str, ...]) -> list[str]:
    """The files among the words of a command: the compiler behind `ccache gcc` is an argument."""
    others = (shutil.which(word) for word in argv[1:] if word[:1] != "-")
    return [argv[0], *(found for found in others if found is not None)]


def _executable_key(argv: tuple[str, ...]) -> str:
    """A digest that changes when an executable among ``argv`` is replaced, or the environment."""
    parts: list[Any] = [argv]
    for found in _executables(argv):
        try:
            status = Path(found).stat()
        except OSError as error:
            raise ToolchainError(f"no C compiler: {found!r}: {error.strerror}") from None
        parts.append([found, os.path.realpath(found), status.st_mtime_ns, status.st_size])
    parts.append(sorted(item for item in os.environ.items() if item[0] not in _FLEETING))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _is_script(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _ask(argv: tuple[str, ...], path: str) -> Compiler:
    version = _run([*argv, "--version"]).strip()
    try:
        triple = _run([*argv, "-dumpmachine"]).strip()
    except CompilerFailure:
        # tcc does not know the question: such a compiler is one for this machine.
        triple = ""
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
    # Without the record the next process asks again, so a failure to write it is no error.
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


def _timeout() -> float:
    text = os.environ.get("OPC_CC_TIMEOUT", "").strip() or "120"
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < limits.PATIENCE:
        raise UsageError(f"OPC_CC_TIMEOUT: found {text!r}, expected a number of seconds above 0")
    return seconds


def _run(command: list[str], cwd: Path | None = None) -> str:
    """Run ``command`` and return its standard output; :class:`ToolchainError` if it fails."""
    seconds = _timeout()
    try:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # What the driver leaves behind when it is killed goes with the folder.
            env={**os.environ, "LC_ALL": "C", **({} if cwd is None else {"TMPDIR": str(cwd)})},
            # The driver starts other programs; as one group they can be killed together.
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ToolchainError(f"cannot run {_shown(command)}: {reason}") from None
    try:
        output, diagnostics = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _kill_group(process)
        raise ToolchainError(
            f"{_shown(command)}: no result after {seconds:g} s (OPC_CC_TIMEOUT changes the limit)"
        ) from None
    except BaseException:
        _kill_group(process)
        raise
    if process.returncode != 0:
        how = (
            f"exit code {process.returncode}"
            if process.returncode > 0
            else f"signal {-process.returncode}"
        )
        text = (diagnostics or output).decode(errors="replace").strip()
        is_crash = any(words in text for words in CRASHES)
        kind = CompilerCrash if is_crash else CompilerFailure
        raise kind(f"{_shown(command)}: {how}\n{text[: limits.DIAGNOSTICS]}".rstrip())
    return output.decode(errors="replace")


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _shown(command: list[str]) -> str:
    return shlex.join(command)
