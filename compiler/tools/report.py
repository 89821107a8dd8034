"""How every command ends: one message on standard error and an exit code."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Generator
from types import FrameType

from opc.errors import InputError, NoMemoryError, OpcError, OutputError

INTERNAL_ERROR = 70
NO_MEMORY = NoMemoryError.exit_code
INTERRUPTED = 130
BROKEN_PIPE = 141

EXIT_CODES = """\
exit codes:
  0    success
  1    results differ from what they should be (opc verify)
  2    the command line makes no sense
  3    a graph or an array file cannot be read, parsed or verified
  4    the graph is valid, but opc cannot compile it
  5    no usable C compiler, or it failed
  6    a result cannot be written
  7    an array does not fit the function
  70   a defect of opc itself (OPC_DEBUG=1 shows the traceback)
  71   not enough memory
  130  interrupted
  141  nobody reads the output any more
"""


def guarded(tool: str, command: Callable[[], int]) -> int:
    """Run ``command``; report what it raises as ``tool``, and return the exit code."""
    interrupts: list[int] = []
    try:
        with _noted(interrupts), _shown_warnings(tool):
            code = command()
            sys.stdout.flush()
            return code
    except SystemExit as ended:
        # argparse has printed what is wrong with the command line.
        return ended.code if isinstance(ended.code, int) else 0
    except BrokenPipeError:
        # The interpreter flushes standard output once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        # A package that is interrupted while it is imported may raise what it likes.
        return INTERRUPTED if interrupts else report(tool, error)


@contextlib.contextmanager
def _noted(interrupts: list[int]) -> Generator[None]:
    """Every interrupt is added to the list, before it is raised as usual."""

    def handle(number: int, frame: FrameType | None) -> None:
        interrupts.append(number)
        signal.default_int_handler(number, frame)

    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def _shown_warnings(tool: str) -> Generator[None]:
    """Warnings look like messages, not like places in opc."""
    usual = warnings.formatwarning

    def shown(message: object, *_: object, **__: object) -> str:
        return f"{tool}: warning: {message}\n"

    warnings.formatwarning = shown
    try:
        yield
    finally:
        warnings.formatwarning = usual


def report(tool: str, error: Exception) -> int:
    """Say on standard error what went wrong, and return the exit code that belongs to it."""
    if os.environ.get("OPC_DEBUG", "") not in ("", "0"):
        traceback.print_exception(error)
    if isinstance(error, OpcError):
        text = str(error)
        print(text if error.location else f"{tool}: error: {text}", file=sys.stderr)
        return error.exit_code
    if isinstance(error, RecursionError):
        print(f"{tool}: error: nested too deeply", file=sys.stderr)
        return InputError.exit_code
    if isinstance(error, OSError) or sys.stdout is None:
        # Files are guarded where they are opened, so this is standard output: full, or closed.
        why = "it is closed" if sys.stdout is None else error
        print(f"{tool}: error: standard output cannot be written: {why}", file=sys.stderr)
        return OutputError.exit_code
    if isinstance(error, MemoryError):
        print(f"{tool}: error: not enough memory", file=sys.stderr)
        return NO_MEMORY
    kind = f"{type(error).__name__}: {error}".splitlines()[0]
    print(
        f"{tool}: internal error: {kind} (please report this with the input; "
        "OPC_DEBUG=1 shows where)",
        file=sys.stderr,
    )
    return INTERNAL_ERROR
