"""Jobs in processes with limits: what raises, crashes, hangs or grows says which job it was.

Everything is imported before the first fork, so a process starts within milliseconds and works
through many jobs.  One that dies is replaced, and only the job that it was at is lost.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import selectors
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

from opc.errors import OpcError

SECONDS = 10.0
"""Of processor time that a job may take."""
MEMORY = 1 << 30
"""Bytes that it may add to what the process had when it was forked."""
WAITING = 120.0
"""Seconds without a word after which a process hangs, on a machine with much else to do."""
BATCH = 200
"""Jobs for one process."""
LONGEST_MESSAGE = 4000

Job = Callable[[int], str]
"""Does what belongs to a number; the result says what happened, and an OpcError is one, too."""


@dataclass(frozen=True)
class Outcome:
    """What became of a job: ``kind`` is what it returned, or the name of an OpcError."""

    index: int
    kind: str
    message: str = ""
    seconds: float = 0.0
    is_defect: bool = False


class TooLong(BaseException):
    """Raised in a job that has used up its time; nothing in between may catch it."""


def run(indices: Sequence[int], job: Job, workers: int = 2) -> Iterator[Outcome]:
    """The outcome of every job, in the order in which they end."""
    batches = [list(indices[k : k + BATCH]) for k in range(0, len(indices), BATCH)][::-1]
    with selectors.DefaultSelector() as selector:
        while batches or selector.get_map():
            while batches and len(selector.get_map()) < workers:
                worker = _Worker(batches.pop(), job)
                selector.register(worker.pipe, selectors.EVENT_READ, worker)
            for key, _ in selector.select(timeout=1.0):
                yield from key.data.read()
            for key in list(selector.get_map().values()):
                worker = key.data
                yield from worker.watch()
                if worker.is_over:
                    selector.unregister(worker.pipe)
                    os.close(worker.pipe)
                    if worker.left:
                        batches.append(worker.left)


class _Worker:
    def __init__(self, batch: list[int], job: Job) -> None:
        self.left = batch
        self.heard = time.monotonic()
        self.is_over = False
        self.hangs = False
        self.rest = b""
        self.pipe, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.pipe)
            _work(batch, job, write)
        os.close(write)

    def read(self) -> Iterator[Outcome]:
        """What it says; at the end of that, what became of the job that it was at."""
        content = os.read(self.pipe, 1 << 16)
        self.heard = time.monotonic()
        *lines, self.rest = (self.rest + content).split(b"\n")
        for line in lines:
            self.left = self.left[1:]
            yield Outcome(**json.loads(line))
        if content:
            return
        self.is_over = True
        _, status = os.waitpid(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if self.left:
            how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            how = f"no answer for {WAITING:g} s" if self.hangs else how
            yield Outcome(self.left[0], "end", f"the process ended: {how}", is_defect=True)
            self.left = self.left[1:]

    def watch(self) -> Iterator[Outcome]:
        """Kill it if it has been silent for too long."""
        if not self.is_over and time.monotonic() - self.heard > WAITING:
            self.hangs = True
            os.kill(self.pid, signal.SIGKILL)
            while not self.is_over:
                yield from self.read()


def _work(batch: list[int], job: Job, pipe: int) -> NoReturn:
    try:
        _limit()
        for index in batch:
            line = json.dumps(asdict(outcome(index, job))) + "\n"
            os.write(pipe, line.encode())
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _limit() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPROF, _ring)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    size = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def _ring(number: int, frame: FrameType | None) -> NoReturn:
    raise TooLong


def outcome(index: int, job: Job) -> Outcome:
    """Do one job, in this process."""
    used = time.process_time()
    # The alarm is for Python; what stays in C for longer is ended by the system.
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used + 2 * SECONDS) + 2, hard))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        kind, message, is_defect = job(index), "", False
    except OpcError as error:
        kind, message = type(error).__name__, str(error)
        fault = _fault(message)
        is_defect = fault is not None
        message = f"{fault}: {message}" if fault else message
    except TooLong:
        kind, message, is_defect = "TooLong", traceback.format_exc(), True
    except MemoryError:
        kind, message, is_defect = "MemoryError", traceback.format_exc(), True
    except Exception as error:
        kind, message, is_defect = type(error).__name__, traceback.format_exc(), True
    finally:
        with contextlib.suppress(TooLong):
            signal.setitimer(signal.ITIMER_PROF, 0)
    return Outcome(index, kind, message[-20000:], time.process_time() - used, is_defect)


def _fault(message: str) -> str | None:
    """What is wrong with a message, for whoever reads it in a terminal."""
    if len(message) > LONGEST_MESSAGE:
        return f"a message of {len(message)} characters"
    if any(not c.isprintable() and c not in "\n\t" for c in message):
        return "a message with characters that control the terminal"
    return None
