"""Graphs whose contractions and sweeps have drawn schedules have the bits of the planner's."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

import opc
from opc.dialects import kernel
from opc.dialects.schedule import TreeOp
from opc.errors import ArgumentError
from opc.schedule.candidates import choices, sweep_candidates
from opc.schedule.contraction import analyse
from opc.schedule.plan_contraction import is_legal, tree
from opc.schedule.tuning import Source, in_force
from opc.support.target import Target

from .generate import generate
from .graph import Graph

SEED = 55
SHORT = 30
"""Graphs of the short form."""
GRAPHS = 300
EACH = 6
"""Graphs of a test."""
NUMBERS = [
    pytest.param(k, marks=[pytest.mark.long] if k >= SHORT else []) for k in range(0, GRAPHS, EACH)
]
TUNED = ("opc.matmul", "opc.conv", "opc.contract", "opc.reduce_sum", "opc.reduce_max")


def with_nests(start: int) -> Iterator[Graph]:
    """The graphs with contractions or sums, from one of them on."""
    numbers = (20 * start + k for k in range(10_000))
    for graph in (generate(SEED, number) for number in numbers):
        if any(op.name.startswith(TUNED) for op in graph.module.walk()):
            yield graph


def drawing(rng: Random, drawn: list[str]) -> Source:
    """The source that draws a legal schedule for each contraction and each nest with sweeps."""

    def draw(nest: kernel.NestOp, target: Target, chunks: int) -> TreeOp | None:
        if (c := analyse(nest)) is None:
            if not nest.sweeps or any(e == 0 for e in nest.extents.data):
                return None
            candidate = rng.choice(sweep_candidates(nest, target)).tree
            drawn.append(str(candidate))
            return candidate
        known = list(choices(c, target, chunks))
        rng.shuffle(known)
        for choice in known:
            candidate = tree(choice, c, target, chunks)
            if is_legal(c, candidate):
                drawn.append(str(candidate))
                return candidate
        return None

    return draw


@pytest.mark.fuzz
@pytest.mark.parametrize("start", NUMBERS)
def test_drawn_choices_have_the_same_bits(start: int) -> None:
    rng, drawn = Random(start), list[str]()
    graphs = with_nests(start)
    for graph in (next(graphs) for _ in range(EACH)):
        try:
            expected = results(graph, None)
        except (opc.OpcError, ArgumentError):
            continue
        assert results(graph, drawing(rng, drawn)) == expected, f"{graph.name}\n{drawn[-1]}"
    assert drawn


def results(graph: Graph, source: Source | None) -> list[bytes]:
    with in_force(source):
        function = opc.compile(graph.module, cache=None, threads=1 + (source is not None))
    arrays = function.arrays(*graph.inputs)
    many = arrays if isinstance(arrays, tuple) else (arrays,)
    return [np.ascontiguousarray(array).tobytes() for array in many]
