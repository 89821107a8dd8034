"""Commands of C compilers, and their errors.

No command goes through a shell: each is a list of arguments, and the C text is a file in a private
folder.  A compiler that does not finish within ``OPC_CC_TIMEOUT`` seconds (120 unless set) is
killed with all processes that it started.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from opc.errors import OutputError, ToolchainError, UsageError

from . import limits, scratch

OUT = "kernel.out"
"""The name of the file that a command writes."""


class CompilerFailure(ToolchainError):
    """A compiler ran and failed."""


class CompilerCrash(CompilerFailure):
    """A compiler crashed."""


CRASHES = ("internal compiler error", "error in backend", "frontend command failed")
"""What gcc and clang print when they crash."""


def written_by(
    command: list[str], contents: Mapping[str, bytes], *, stop: threading.Event | None = None
) -> bytes:
    """What a command writes to ``OUT`` in a temporary folder with some files.

    Raises :class:`ToolchainError`, and :class:`OutputError` if no temporary file can be written.
    """
    with scratch.temporary() as folder:
        try:
            for name, content in contents.items():
                (folder / name).write_bytes(content)
        except OSError as error:
            raise OutputError(f"cannot write a temporary file: {error.strerror}") from None
        run(command, cwd=folder, stop=stop)
        try:
            return (folder / OUT).read_bytes()
        except FileNotFoundError:
            raise ToolchainError(f"{shown(command)}: it succeeded, but wrote nothing") from None


def _timeout() -> float:
    text = os.environ.get("OPC_CC_TIMEOUT", "").strip() or "120"
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < limits.PATIENCE:
        raise UsageError(f"OPC_CC_TIMEOUT: found {text!r}, expected a number of seconds above 0")
    return seconds


def run(command: list[str], cwd: Path | None = None, stop: threading.Event | None = None) -> str:
    """Run ``command`` and return its standard output.

    Raises :class:`ToolchainError` if it fails, or if ``stop`` is set before it ends.
    """
    seconds = _timeout()
    end = time.monotonic() + seconds
    try:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Temporary files of a killed driver are removed with the folder.
            env={**os.environ, "LC_ALL": "C", **({} if cwd is None else {"TMPDIR": str(cwd)})},
            # One process group, so that the programs of the driver are killed with it.
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ToolchainError(f"cannot run {shown(command)}: {reason}") from None
    try:
        while True:
            rest = end - time.monotonic()
            with contextlib.suppress(subprocess.TimeoutExpired):
                wait = max(0.0, rest if stop is None else min(rest, limits.ASKED))
                output, diagnostics = process.communicate(timeout=wait)
                break
            if rest <= 0 or (stop is not None and stop.is_set()):
                problem = f"no result after {seconds:g} s (OPC_CC_TIMEOUT changes the limit)"
                problem = problem if rest <= 0 else "stopped"
                raise ToolchainError(f"{shown(command)}: {problem}")
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    if process.returncode != 0:
        code = process.returncode
        how = f"exit code {code}" if code > 0 else f"signal {-code}"
        text = (diagnostics or output).decode(errors="replace").strip()
        is_crash = any(words in text for words in CRASHES)
        kind = CompilerCrash if is_crash else CompilerFailure
        raise kind(f"{shown(command)}: {how}\n{text[: limits.DIAGNOSTICS]}".rstrip())
    return output.decode(errors="replace")


def shown(command: list[str]) -> str:
    """A command as a shell would take it."""
    return shlex.join(command)
