"""Choices of different rank: drawn graphs against onnxruntime, and faults that these find."""

from __future__ import annotations

import faulthandler
import multiprocessing as mp
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from opc.api.driver import load
from opc.dialects.registry import context
from opc.interpret.function import run as interpret
from opc.passes import pipeline

from .choices import Choices
from .mutations import Mutation

GRAPHS = 60

FAULTS = (
    Mutation(
        "a tail in one branch only",
        "opc.frontend.tail_duplication",
        "for node in self.nodes:\n            block",
        'for node in self.nodes if name[0] == "t" else self.nodes[:-1]:\n            block',
        0,
    ),
    Mutation(
        "no tail",
        "opc.frontend.tail_duplication",
        "self.nodes = [*self.others, *behind[:count]]",
        "raise RankError(message, location, 0)",
        0,
    ),
    Mutation(
        "what stands between is left behind",
        "opc.frontend.tail_duplication",
        "not count or self._legalize_others(message, location)",
        "True",
        0,
    ),
    Mutation(
        "the caller states what a branch requires",
        "opc.graph.infer_shapes",
        "continue  # Requirements hold only for the branch that runs.",
        "pass",
        0,
    ),
    Mutation(
        "an extent that is not 1 goes",
        "opc.frontend.onnx.ops.shapes",
        "node.ones.chosen[e] = mark == IS_ONE",
        "node.ones.chosen[e] = True",
        0,
    ),
    Mutation(
        "every extent that a run decides stays",
        "opc.frontend.onnx.ops.shapes",
        "None)\n    if axis is None",
        "None)\n    if facts",
        0,
    ),
    Mutation(
        "the branches change places",
        "opc.frontend.onnx.ops.control",
        "if_of(node, value, (arms[0], arms[1]))",
        "if_of(node, value, (arms[1], arms[0]))",
        0,
    ),
    Mutation(
        "the wrong branch in its place",
        "opc.frontend.onnx.ops.control",
        "BRANCHES[0] if condition.constant else BRANCHES[1]",
        "BRANCHES[1] if condition.constant else BRANCHES[0]",
        0,
    ),
)


def difference(seed: int) -> str:
    """What is wrong with a drawn graph; nothing if it is right."""
    import onnxruntime

    drawn = Choices(seed)
    proto = drawn.model()
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    session = onnxruntime.InferenceSession(proto.SerializeToString(), options)
    wanted = session.run(None, drawn.arrays)
    try:
        module = load(proto)
        pipeline.run(module, context(), pipeline.passes("graph"), verify_each=True)
        first: Any = module.body.block.first_op
        found = interpret(first, [drawn.arrays[i.name] for i in proto.graph.input])
    except Exception as error:
        return f"{seed}: {type(error).__name__}: {error}"
    for a, b in zip(found, wanted, strict=True):
        if a.shape != b.shape or not np.allclose(a, b, 1e-5, 1e-5):
            return f"{seed}: found {a}, expected {b}"
    return ""


def test_drawn_choices() -> None:
    assert not [text for text in map(difference, range(GRAPHS)) if text]


@pytest.mark.long
def test_many_drawn_choices() -> None:
    assert not [text for text in map(difference, range(GRAPHS, 20 * GRAPHS)) if text]


def hunt(sender: Connection, fault: Mutation) -> None:
    """Send what finds a fault."""
    faulthandler.disable()
    fault.plant()
    sender.send(next((text for text in map(difference, range(GRAPHS)) if text), ""))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.name.replace(" ", "-"))
def test_a_planted_fault_is_found(fault: Mutation) -> None:
    receiver, sender = mp.get_context("fork").Pipe(duplex=False)
    process = mp.get_context("fork").Process(target=hunt, args=(sender, fault))
    process.start()
    sender.close()
    found = receiver.recv()
    process.join()
    print(f"{fault.name}: {found[:300]}")
    assert found
