"""A library of several C texts: each is compiled apart, as many at once as there are processors.

Their objects are kept in the cache, so that after an edit of one nest only that is compiled.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import replace

from opc.errors import ToolchainError, UsageError
from opc.support.targets import NAMED

from . import limits
from .commands import OUT, CompilerFailure, run, written_by
from .threads import usual
from .toolchain import Compiler, command_flags, translate


def can_link(compiler: Compiler) -> bool:
    """Whether objects with hidden names can be linked: by gcc and clang for systems with ELF."""
    return compiler.has_usual_linker


def compile_all(
    compiler: Compiler,
    texts: Sequence[tuple[str, bool]],
    target: str,
    keep: Callable[[str, bytes], object],
    stop: threading.Event | None = None,
) -> None:
    """Compile C texts side by side, and pass each and its object to ``keep`` as soon as it is done.

    With each text stands whether it has threads.  The first error stops all others, as ``stop``
    does, which is set then.  Raises what :func:`translate` raises.
    """
    stop = threading.Event() if stop is None else stop

    def build(text: str, threaded: bool) -> None:
        content = translate(compiler, text, "obj", target=target, threaded=threaded, stop=stop)
        keep(text, content)

    with ThreadPoolExecutor(usual()) as pool:
        # The longest first, so that none is left alone at the end.
        ordered = sorted(texts, key=lambda item: len(item[0]), reverse=True)
        jobs = [pool.submit(build, *item) for item in ordered]
        try:
            for job in wait(jobs, return_when=FIRST_EXCEPTION).done:
                job.result()
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def link(compiler: Compiler, objects: Sequence[bytes], target: str, *, threaded: bool) -> bytes:
    """The shared object of some objects.  Raises :class:`ToolchainError` and OutputError."""
    flags = command_flags(compiler, target, threaded=threaded)
    contents = {f"unit{k}.o": content for k, content in enumerate(objects)}
    return written_by([*compiler.argv, *flags, "-o", OUT, *contents, "-lm"], contents)


def module(
    compiler: Compiler, texts: Sequence[str], exports: Sequence[str], *, target: str
) -> bytes:
    """Compile C texts to a WebAssembly module with some functions, and return its bytes.

    The stack is in front of all else, so that one that is too small ends the call.  Raises
    :class:`ToolchainError`, and :class:`UsageError` for a compiler for another machine.
    """
    if not compiler.machine.startswith("wasm"):
        raise UsageError(
            f"--emit wasm: {compiler.argv[0]} compiles for {compiler.machine}; "
            "use --target wasm32-simd or wasm32"
        )
    objects = _translated(compiler, texts, target)
    words = ["--no-entry", "--strip-all", "--stack-first", f"-z,stack-size={limits.WASM_STACK}"]
    words += [f"--export={name}" for name in ("__heap_base", *exports)]
    # What the C needs is in the C library: the compiler's own is not always there.
    flags = ("-nostartfiles", "-nodefaultlibs", *(f"-Wl,{word}" for word in words))
    return written_by([*compiler.argv, *flags, *objects, "-lm", "-lc", "-o", OUT], objects)


def relaxed(compiler: Compiler, target: str) -> Compiler | None:
    """The compiler for hosts whose relaxed multiply-add rounds once; None if there is none.

    clang has the instruction from 16 on; what 14 encodes is a draft.
    """
    flags = NAMED[target].relaxed
    other = replace(compiler, argv=(*compiler.argv, *flags))
    try:
        translate(other, _ASKS_RELAXED, "obj", target=target)
    except ToolchainError:
        return None
    return other if flags else None


_ASKS_RELAXED = "#if !__has_builtin(__builtin_wasm_relaxed_madd_f32x4)\n#error\n#endif\n"


def archive(
    compiler: Compiler, texts: Sequence[str], *, target: str = "native", threaded: bool = False
) -> bytes:
    """Compile C texts to a static library, and return its bytes.

    The archiver is that of the compiler: what ``-print-prog-name=ar`` says, or ``ar``.
    """
    objects = _translated(compiler, texts, target, threaded)
    try:
        program = run([*compiler.argv, "-print-prog-name=ar"]).strip() or "ar"
    except CompilerFailure:
        program = "ar"
    if shutil.which(program) is None:
        raise ToolchainError(f"no archiver: {program!r} is not an executable file or command")
    # D: without times and owners, so that the same texts give the same bytes.
    return written_by([program, "rcD", OUT, *objects], objects)


def _translated(
    compiler: Compiler, texts: Sequence[str], target: str, threaded: bool = False
) -> dict[str, bytes]:
    """The object of each text by a file name."""
    return {
        f"kernel{k}.o": translate(compiler, text, "obj", target=target, threaded=threaded)
        for k, text in enumerate(texts)
    }
