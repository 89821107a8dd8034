"""The short form of the fuzzer.  Its seeds are fixed, so that a failure is the change's own."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import multiprocessing as mp
import signal
from collections import Counter

import numpy as np
import pytest

from opc.dialects import element as el
from opc.dialects.opc import CHECKS, OPERATORS, SYMBOLS
from opc.dialects.opc.base import OpcOp
from opc.dialects.shape import tensor_of
from opc.errors import ArgumentError
from opc.interpret import bounds

from . import scalars, second
from .build import EDGES, Watched
from .farm import farm
from .generate import generate, limit
from .mutations import MUTATIONS
from .operators import MEMBERS, family
from .run import CHUNK, Chunk, Report
from .variants import variants

SEED = 31
GRAPHS = max(144, CHUNK * len(variants()))
"""A chunk for each build that this machine can make, at least."""


def test_every_operator_has_an_entry() -> None:
    assert {op for members in MEMBERS.values() for op in members} == set(OPERATORS)


def test_a_new_family_needs_an_entry() -> None:
    class Scan(OpcOp):
        name = "opc.scan"

    try:
        with pytest.raises(KeyError, match="the fuzzer has no entry"):
            family(Scan)
    finally:
        del Scan


@pytest.mark.fuzz
def test_every_operator_and_type_is_drawn() -> None:
    """And every number gives one graph."""
    names, types = set[str](), set[str]()
    for number in range(600):
        graph = generate(SEED, number)
        for op in graph.function.body.block.ops:
            names.add(op.name)
            types |= {str(el.element_of(tensor_of(v).element_type)) for v in op.results}
    # Inferring shapes makes one, where an extent is computed from one that was read.
    made = {"opc.given_extents"}
    assert {op.name for op in (*OPERATORS, *SYMBOLS, *CHECKS)} - made <= names
    assert set(el.BY_NAME) <= types
    assert str(generate(SEED, 7).module) == str(generate(SEED, 7).module)


@pytest.mark.fuzz
@pytest.mark.parametrize(("seed", "number"), [(20261211, 2289), *((SEED, k) for k in range(60))])
def test_values_stay_small_at_other_extents(seed: int, number: int) -> None:
    """A graph once had a value of 60 GiB there."""
    most = max(4 * limit(np.random.default_rng([seed, number])), 100_000)
    graph = generate(seed, number)
    for inputs in graph.others:
        with contextlib.suppress(ArgumentError):
            values = bounds.evaluate(graph.function, inputs)[1].values()
            assert max(x.value.size for x in values) <= most


@pytest.mark.fuzz
@pytest.mark.skipif(bool(second.MISSING), reason=f"not installed: {second.MISSING}")
def test_onnx_has_the_meaning_of_the_interpreter() -> None:
    counts = Counter[str]()
    for number in range(120):
        counts.update(second.check(generate(SEED, number)))
    assert min(counts["reference of ONNX"], counts["onnxruntime"]) > 400


@pytest.mark.sample(3)
@pytest.mark.parametrize("part", range(6))
def test_no_graph_that_finds_a_planted_fault_differs(part: int) -> None:
    """What is left of the fuzzer in the default: each kind of fault is found by one of them."""
    numbers = sorted({m.graph for m in MUTATIONS if not m.models})
    report = Chunk(SEED, numbers[part::6]).run(compared=False)
    assert not report.failures, "\n\n".join(map(str, report.failures))


@pytest.mark.fuzz
def test_no_graph_differs() -> None:
    scalars.library()
    total = Report()
    for report in farm(SEED, 0, GRAPHS):
        total.add(report)
    assert total.graphs == GRAPHS
    assert not total.failures, "\n\n".join(map(str, total.failures))
    assert {v.name for v in variants()} <= set(total.counts)


def _read(edge: str, count: int, by: int) -> None:
    faulthandler.disable()
    watched = Watched.at_edge((count,), np.dtype(np.float32), 0xFF, edge)
    ctypes.string_at(watched.array.ctypes.data + by, 1)


@pytest.mark.parametrize("count", [1, 5, 1024])
@pytest.mark.parametrize("edge", EDGES)
def test_who_reads_beside_an_array_ends(edge: str, count: int) -> None:
    beside = 4 * count if edge == "behind" else -1
    for by, code in ((0, 0), (4 * count - 1, 0), (beside, -signal.SIGSEGV)):
        process = mp.get_context("fork").Process(target=_read, args=(edge, count, by))
        process.start()
        process.join()
        assert process.exitcode == code
