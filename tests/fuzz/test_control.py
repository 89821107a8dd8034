"""Control flow in random graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

import numpy as np
import pytest

from opc.dialects.opc import CONTROL
from opc.dialects.opc.control import ControlOp, IfOp
from opc.dialects.opc.scan import ScanOp
from opc.emit import control as emitted
from opc.interpret.control import Runner
from opc.interpret.graph import evaluate

from . import control, scalars
from .generate import CONTROL as SHARE
from .generate import generate
from .graph import Graph
from .run import Chunk

SEED = 5


@cache
def graphs() -> dict[int, Graph]:
    """Graphs with control flow, by number."""
    drawn = ((k, generate(SEED, k)) for k in range(400) if _may(k))
    return {k: g for k, g in drawn if any(isinstance(op, ControlOp) for op in g.module.walk())}


def _may(number: int) -> bool:
    return bool(np.random.default_rng([SEED, number, 1]).random() < SHARE)


def test_all_control_flow_has_an_entry() -> None:
    assert set(control.CONTROL) == set(CONTROL)


def _features(graph: Graph) -> Iterator[str]:
    for op in graph.module.walk():
        if isinstance(op, IfOp):
            yield "choice"
        elif isinstance(op, ScanOp):
            yield "trip" if op.trip is not None else "open" if op.is_open else "loop"
            yield from (["while"] if op.has_condition is not None else [])
            yield from (["index"] if op.has_index is not None else [])
            yield from (["carried"] if op.carried else [])
            yield from (["over"] if op.scanned else [])
            yield from (["stacked"] if len(op.outputs) > len(op.carried) else [])
            yield from (["read backwards"] if op.inputs_reversed else [])
            yield from (["written backwards"] if op.outputs_reversed else [])
            yield from (["symbolic length"] if op.count.symbols() else [])
            yield from (["empty"] if op.count.constant == 0 and not op.is_open else [])
            around = op.parent_op()
            yield from (["inside"] if around is not graph.function else [])


@pytest.mark.fuzz
def test_every_form_is_drawn() -> None:
    counts = Counter(feature for g in graphs().values() for feature in _features(g))
    wanted = {
        *("choice", "loop", "trip", "while", "index", "carried", "over", "stacked"),
        *("symbolic length", "empty", "inside", "open", "read backwards", "written backwards"),
    }
    assert wanted == set(counts)
    assert min(counts.values()) >= 2, counts


@pytest.mark.fuzz
def test_both_bodies_of_choices_are_run() -> None:
    taken = Counter[bool]()

    def decides(self: Runner, value: object) -> bool:
        taken[bool(value)] += 1
        return bool(value)

    with patch.object(Runner, "decides", decides):
        for graph in graphs().values():
            if any(isinstance(op, IfOp) for op in graph.module.walk()):
                evaluate(graph.function, graph.inputs)
    assert min(taken[True], taken[False]) >= 10, taken


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(2))
def test_no_graph_differs(part: int) -> None:
    scalars.library()
    report = Chunk(SEED, list(graphs())[8 * part : 8 * part + 8]).run()
    assert not report.failures, "\n\n".join(map(str, report.failures))


@pytest.mark.fuzz
def test_elements_in_the_wrong_order_are_found() -> None:
    scalars.library()
    right = emitted._Scan._element

    def forwards(self: emitted._Scan, value: object, is_reversed: bool) -> str:
        return right(self, value, False)

    ways = {"read backwards", "written backwards"}
    backwards = [k for k, g in graphs().items() if not ways.isdisjoint(_features(g))]
    with patch.object(emitted._Scan, "_element", forwards):
        report = Chunk(SEED, backwards).run(compared=False)
    assert report.failures
