"""One line on a terminal that says what a command is doing, once that takes long."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import threading
import time
from collections.abc import Generator
from typing import TextIO

AFTER = 1.0
"""Seconds before anything is shown."""

PERIOD = 0.2
"""Seconds between two drawings of the line."""

_ERASE = "\r\x1b[K"


class Progress:
    """What is done now; called with a stage, its number and how many there are (0: no number)."""

    def __init__(self, stream: TextIO | None, since: float | None = None) -> None:
        self._stream = stream
        self._since = since
        self._stage = ""
        self._drawn = 0.0
        self._lock = threading.Lock()

    def __call__(self, stage: str, number: int = 0, total: int = 0) -> None:
        """Say what begins now.  Time counts from the first call, unless ``since`` was given."""
        if self._since is None:
            self._since = time.monotonic()
        self._stage = f"{stage} ({number} of {total})" if total else stage
        self.draw()

    def draw(self) -> None:
        """Write the line anew, if it is time to."""
        with self._lock:
            now = time.monotonic()
            if self._stream is None or self._since is None or now - self._since < AFTER:
                return
            if now - self._drawn < PERIOD / 2:
                return
            self._drawn = now
            text = f"{self._stage}, {now - self._since:.1f} s"
            # A line that is wrapped could not be erased.
            self._write(_ERASE + text[: _columns(self._stream) - 1])

    def close(self) -> None:
        """Erase the line; nothing is drawn any more."""
        with self._lock:
            if self._drawn:
                self._write(_ERASE)
            self._stream = None

    def _write(self, text: str) -> None:
        if self._stream is not None:
            # A terminal that is gone is no reason to stop.
            with contextlib.suppress(OSError):
                self._stream.write(text)
                self._stream.flush()


@contextlib.contextmanager
def shown(
    args: argparse.Namespace, *, redraw: bool = True, since: float | None = None
) -> Generator[Progress]:
    """Show on standard error what is reported, and erase it at the end.

    Only on a terminal that can erase, not in CI, and not where passes print to standard error.
    ``redraw=False`` is for what measures or forks: there is no thread, and the line changes with
    reports only.  ``since`` is when, by ``time.monotonic``, the command began.
    """
    progress = Progress(sys.stderr if _is_wanted(args) else None, since)
    stop = threading.Event()

    def tick() -> None:
        while not stop.wait(PERIOD):
            progress.draw()

    thread = threading.Thread(target=tick, name="opc progress", daemon=True)
    is_ticking = redraw and _is_wanted(args)
    if is_ticking:
        thread.start()
    try:
        yield progress
    finally:
        stop.set()
        progress.close()
        if is_ticking:
            # What comes next may fork.
            thread.join()


def _is_wanted(args: argparse.Namespace) -> bool:
    if args.print_ir_after_all or args.time_passes:
        return False
    if os.environ.get("CI", "") not in ("", "0", "false"):
        return False
    # The stream may be None, whatever its declared type says.
    is_terminal = getattr(sys.stderr, "isatty", lambda: False)()
    return is_terminal and os.environ.get("TERM", "dumb") != "dumb"


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80
