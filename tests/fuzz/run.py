"""A chunk of graphs from generation to comparison."""

from __future__ import annotations

import ctypes
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from opc.errors import OpcError

from .build import POISONS, Difference, Program, link, program
from .generate import generate
from .graph import Array, Graph
from .oracle import Oracle
from .variants import Variant, chosen

CHUNK = 8
"""Graphs in one library.  A graph has the variants of its chunk, also when it runs alone."""


@dataclass(frozen=True)
class Failure:
    """What is wrong with a graph, and its text."""

    seed: int
    number: int
    what: str
    text: str

    def __str__(self) -> str:
        command = f"python -m tests.fuzz --seed {self.seed} --graph {self.number}"
        return f"{self.what}\n{command}\n{self.text}"


@dataclass
class Report:
    """What a chunk of graphs gave."""

    graphs: int = 0
    operators: int = 0
    failures: list[Failure] = field(default_factory=list[Failure])
    counts: Counter[str] = field(default_factory=Counter[str])
    seconds: Counter[str] = field(default_factory=Counter[str])

    def add(self, other: Report) -> None:
        self.graphs += other.graphs
        self.operators += other.operators
        self.failures += other.failures
        self.counts += other.counts
        self.seconds += other.seconds


@dataclass
class Case:
    """A graph under test."""

    number: int
    graph: Graph
    text: str
    fused: Program | None = None
    unfused: Program | None = None
    results: list[Array] = field(default_factory=list[Array])
    what: str = ""
    """The first failure."""


class Chunk:
    """Graphs that are compiled and called together."""

    def __init__(self, seed: int, numbers: Sequence[int]) -> None:
        self.seed = seed
        self.numbers = numbers
        self.report = Report()
        self.started = time.perf_counter()

    def spent(self, on: str) -> None:
        now = time.perf_counter()
        self.report.seconds[on] += now - self.started
        self.started = now

    def run(self, compared: bool = True) -> Report:
        """Every graph through the first build and its oracle, then through the second build."""
        report = self.report
        cases = [self.case(n) for n in self.numbers]
        self.spent("generate")
        for case in cases:
            self.attempt(case, "compile", self.lower, case, True)
        self.spent("lower")
        first, second = chosen(self.seed, self.numbers[0] // CHUNK)
        library = self.link(cases, Variant(first))
        self.spent("link")
        for case in self.alive(cases):
            self.attempt(case, "base", self.base, case, library)
        self.spent("oracle")
        if compared:
            self.variant(self.alive(cases), second)
        report.graphs = len(cases)
        report.operators = sum(c.graph.operators for c in cases)
        report.failures = [Failure(self.seed, c.number, c.what, c.text) for c in cases if c.what]
        return report

    def case(self, number: int) -> Case:
        graph = generate(self.seed, number)
        return Case(number, graph, str(graph.module))

    def alive(self, cases: Sequence[Case]) -> list[Case]:
        return [c for c in cases if not c.what]

    def attempt(self, case: Case, step: str, function, *args) -> None:
        """Run a step; what goes wrong in it is the case's failure."""
        try:
            function(*args)
            return
        except Difference as error:
            case.what = f"{step}: {error}"
        except OpcError as error:
            case.what = f"{step}: {type(error).__name__}: {error}"
        except Exception as error:
            case.what = f"{step}: {type(error).__name__}: {error}"

    def lower(self, case: Case, fuse: bool) -> None:
        made = program(case.text, f"g{case.number}", fuse)
        if fuse:
            case.fused = made
        else:
            case.unfused = made

    def link(self, cases: Sequence[Case], variant: Variant) -> ctypes.CDLL:
        programs = [c.fused if variant.fuse else c.unfused for c in self.alive(cases)]
        return link([p for p in programs if p is not None], variant.build)

    def call(self, case: Case, made: Program | None, library: ctypes.CDLL) -> list[Array]:
        """The results, if they are the same whatever the memory held before."""
        assert made is not None
        shift = case.number % 5
        first, second = (made.call(library, case.graph.inputs, p, shift) for p in POISONS)
        for k, (a, b) in enumerate(zip(first, second, strict=True)):
            if a.tobytes() != b.tobytes():
                wrong = a.reshape(-1).view(f"u{a.itemsize}") != b.reshape(-1).view(f"u{a.itemsize}")
                raise Difference(
                    f"result {k} depends on what memory held before: {wrong.sum()} of {a.size} "
                    f"elements, such as {np.flatnonzero(wrong)[:5].tolist()} in memory"
                )
        return first

    def base(self, case: Case, library: ctypes.CDLL) -> None:
        case.results = self.call(case, case.fused, library)
        Oracle(case.graph, case.graph.inputs).check(case.results)

    def variant(self, cases: Sequence[Case], variant: Variant) -> None:
        if not variant.fuse:
            for case in cases:
                self.attempt(case, "compile unfused", self.lower, case, False)
            self.spent("lower")
        library = self.link(cases, variant)
        self.spent("link")
        for case in self.alive(cases):
            self.attempt(case, variant.name, self.same, case, variant, library)
        self.spent("variants")

    def same(self, case: Case, variant: Variant, library: ctypes.CDLL) -> None:
        results = self.call(case, case.fused if variant.fuse else case.unfused, library)
        differing = [
            k
            for k, (a, b) in enumerate(zip(results, case.results, strict=True))
            if not same_bits(a, b)
        ]
        self.report.counts[variant.name] += 1
        if not differing:
            return
        if variant.fuse or not case.graph.sums:
            raise Difference(f"results {differing} differ in bits")
        self.report.counts["waived: float sums"] += 1
        Oracle(case.graph, case.graph.inputs).check(results)


def same_bits(a: Array, b: Array) -> bool:
    """Whether all bits are equal, whichever NaN it is."""
    if a.tobytes() == b.tobytes():
        return True
    if a.dtype.kind != "f" and a.dtype.name != "bfloat16":
        return False
    nan = np.isnan(a)
    zero = np.zeros((), a.dtype)
    return bool((nan == np.isnan(b)).all()) and (
        np.where(nan, zero, a).tobytes() == np.where(nan, zero, b).tobytes()
    )
