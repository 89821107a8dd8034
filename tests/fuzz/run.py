"""A chunk of graphs from generation to comparison."""

from __future__ import annotations

import ctypes
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from opc.errors import ArgumentError

from . import arm, second
from .build import EDGES, FUSED, FUSIONS, POISONS, Build, Program, Refused, link, program
from .compare import Difference, differing
from .generate import generate
from .graph import Array, Graph
from .oracle import Oracle, is_refused
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
    programs: dict[str, Program] = field(default_factory=dict[str, Program])
    """Its C in each form that was asked for."""
    results: list[Array] = field(default_factory=list[Array])
    what: str = ""
    """The first failure."""

    @property
    def products(self) -> int:
        return self.text.count("opc.matmul")


class Chunk:
    """Graphs that are compiled and called together."""

    def __init__(self, seed: int, numbers: Sequence[int]) -> None:
        self.seed = seed
        self.numbers = numbers
        self.report = Report()
        self.started = time.perf_counter()

    def run(self, compared: bool = True) -> Report:
        """Every graph through the first build and its oracle, then through the second build."""
        report = self.report
        cases = [self.case(n) for n in self.numbers]
        self.spent("generate")
        first, other = chosen(self.seed, self.numbers[0] // CHUNK)
        library = self.build(cases, Variant(first))
        for case in alive(cases):
            self.attempt(case, "base", self.base, case, library)
        self.spent("oracle")
        if compared:
            self.variant(cases, other)
            self.variant([c for c in alive(cases) if c.products > 1], Variant(Build(), FUSIONS))
        report.graphs = len(cases)
        report.operators = sum(c.graph.operators for c in cases)
        report.failures = [Failure(self.seed, c.number, c.what, c.text) for c in cases if c.what]
        return report

    def spent(self, on: str) -> None:
        now = time.perf_counter()
        self.report.seconds[on] += now - self.started
        self.started = now

    def case(self, number: int) -> Case:
        graph = generate(self.seed, number)
        return Case(number, graph, str(graph.module))

    def attempt(self, case: Case, step: str, function: Callable[..., None], *args: Any) -> None:
        """Run a step; what goes wrong in it is the case's failure."""
        try:
            function(*args)
        except Difference as error:
            case.what = f"{step}: {error}"
        except Exception as error:
            case.what = f"{step}: {type(error).__name__}: {error}"

    def build(self, cases: Sequence[Case], variant: Variant) -> ctypes.CDLL | None:
        """Write the C of all cases in a form, and make one library of it."""
        for case in alive(cases):
            if variant.form not in case.programs:
                self.attempt(case, f"compile {variant.form}", self.lower, case, variant.form)
        self.spent("lower")
        programs = [c.programs[variant.form] for c in alive(cases)]
        library = None if variant.is_emulated else link(programs, variant.build)
        self.spent("link")
        return library

    def lower(self, case: Case, form: str) -> None:
        case.programs[form] = program(case.text, f"g{case.number}", form)

    def call(
        self, case: Case, form: str, library: ctypes.CDLL | None, inputs: Sequence[Array]
    ) -> list[Array]:
        """The results, if they are the same whatever the memory held before."""
        assert library is not None
        shift, made = case.number % 5, case.programs[form]
        edges = None, EDGES[case.number % 2]
        first, second = (
            made.call(library, inputs, p, shift, edge)
            for p, edge in zip(POISONS, edges, strict=True)
        )
        for k, (a, b) in enumerate(zip(first, second, strict=True)):
            if a.tobytes() != b.tobytes():
                wrong = a.reshape(-1).view(f"u{a.itemsize}") != b.reshape(-1).view(f"u{a.itemsize}")
                raise Difference(
                    f"result {k} depends on what memory held before: {wrong.sum()} of {a.size} "
                    f"elements, such as {np.flatnonzero(wrong)[:5].tolist()} in memory"
                )
        return first

    def base(self, case: Case, library: ctypes.CDLL) -> None:
        case.results = self.call(case, FUSED, library, case.graph.inputs)
        Oracle(case.graph, case.graph.inputs).check(case.results)
        if case.number % CHUNK == 0 and not second.MISSING:
            self.report.counts.update(second.check(case.graph))
        for inputs in case.graph.others:
            try:
                self.other_extents(case, library, inputs)
            except Difference as error:
                shapes = [x.shape for x in inputs]
                raise Difference(f"inputs of shapes {shapes}: {error}") from None

    def other_extents(self, case: Case, library: ctypes.CDLL, inputs: Sequence[Array]) -> None:
        """The same for inputs of other extents, which may not fit the graph."""
        oracle = Oracle(case.graph, inputs)
        try:
            results = self.call(case, FUSED, library, inputs)
        except Refused:
            if not is_refused(case.graph, inputs):
                raise
            self.report.counts["other extents: refused"] += 1
            return
        try:
            oracle.check(results)
        except ArgumentError as error:
            raise Difference(f"computed, but the interpreter refuses: {error}") from None
        self.report.counts["other extents"] += 1

    def variant(self, cases: Sequence[Case], variant: Variant) -> None:
        """Compare the results of another build with those of the first."""
        if not cases:
            return
        library = self.build(cases, variant)
        cases = alive(cases)
        if variant.is_emulated:
            inputs, wanted = [c.graph.inputs for c in cases], [c.results for c in cases]
            found = arm.results([c.programs[variant.form] for c in cases], inputs, wanted)
        else:
            found = [None for _ in cases]
        for case, results in zip(cases, found, strict=True):
            self.attempt(case, variant.name, self.same, case, variant, library, results)
        self.spent("variants")

    def same(
        self,
        case: Case,
        variant: Variant,
        library: ctypes.CDLL | None,
        results: list[Array] | None,
    ) -> None:
        results = results or self.call(case, variant.form, library, case.graph.inputs)
        self.report.counts[variant.name] += 1
        pairs = zip(results, case.results, strict=True)
        other = [k for k, (a, b) in enumerate(pairs) if differing(a, b).any()]
        if other:
            raise Difference(f"results {other} differ in bits")


def alive(cases: Sequence[Case]) -> list[Case]:
    """Those that nothing is wrong with yet."""
    return [c for c in cases if not c.what]
