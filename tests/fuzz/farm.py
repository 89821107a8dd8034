"""Chunks of graphs in processes of their own, so that a crash is a failure like any other."""

from __future__ import annotations

import multiprocessing as mp
import os
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait

from .generate import generate
from .run import CHUNK, Chunk, Failure, Report

SECONDS = 900
"""A chunk that takes longer hangs."""


def _work(sender: Connection, seed: int, numbers: Sequence[int]) -> None:
    sender.send(Chunk(seed, numbers).run())
    sender.close()


class Job:
    """A chunk in a process."""

    def __init__(self, seed: int, numbers: Sequence[int]) -> None:
        self.seed = seed
        self.numbers = numbers
        context = mp.get_context("fork")
        self.receiver, sender = context.Pipe(duplex=False)
        self.process = context.Process(target=_work, args=(sender, seed, numbers))
        self.process.start()
        sender.close()

    def result(self) -> Report | None:
        """What the process reports; None if it died."""
        try:
            return self.receiver.recv()
        except EOFError:
            return None
        finally:
            self.process.join()

    def alone(self) -> Report:
        """What graphs report one by one, after the process of all of them died."""
        if len(self.numbers) > 1:
            total = Report()
            for number in self.numbers:
                job = Job(self.seed, [number])
                total.add(job.result() or job.alone())
            return total
        (number,) = self.numbers
        what = f"the process ended with {self.process.exitcode}"
        try:
            text = str(generate(self.seed, number).module)
        except Exception as error:
            what, text = f"it cannot be made: {type(error).__name__}: {error}", ""
        return Report(1, failures=[Failure(self.seed, number, what, text)])


def farm(seed: int, first: int, count: int, jobs: int | None = None) -> Iterator[Report]:
    """The reports of so many graphs, as they come."""
    numbers = range(first, first + count)
    chunks = [numbers[k : k + CHUNK] for k in range(0, count, CHUNK)][::-1]
    jobs = jobs or len(os.sched_getaffinity(0))
    running: dict[Connection, Job] = {}
    try:
        while chunks or running:
            while chunks and len(running) < jobs:
                job = Job(seed, chunks.pop())
                running[job.receiver] = job
            for ready in wait(list(running), SECONDS) or list(running):
                job = running.pop(ready)
                yield job.result() or job.alone()
    finally:
        for job in running.values():
            job.process.kill()
