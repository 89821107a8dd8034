"""Cells and sequences of recurrent networks against OpenVINO itself."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset15 as ops
from openvino.utils.node_factory import NodeFactory

from opc.errors import UnsupportedError
from tests.unit.common.openvino_models import assert_alike, both, by_opc, model, save

GATES = {"rnn": 1, "gru": 3, "lstm": 4}
USUAL = {"rnn": ["tanh"], "gru": ["sigmoid", "tanh"], "lstm": ["sigmoid", "tanh", "tanh"]}
BATCH, STEPS, INPUTS, HIDDEN = 3, 5, 4, 6


def constants(kind: str, ways: tuple[int, ...], parts: int) -> list[Any]:
    draw = np.random.default_rng(7)
    rows = GATES[kind] * HIDDEN
    shapes = ((*ways, rows, INPUTS), (*ways, rows, HIDDEN), (*ways, parts * HIDDEN))
    return [ops.constant(draw.normal(size=s).astype("f")) for s in shapes]


def sequence(kind: str, way: str, *ports: Any, **given: Any) -> list[Any]:
    ways = (2 if way == "bidirectional" else 1,)
    weights = constants(kind, ways, GATES[kind] + int(given.get("linear_before_reset", False)))
    make = getattr(ops, f"{kind}_sequence")
    words = {"activations": USUAL[kind], **given}
    return make(*ports, *weights, HIDDEN, way, **words).outputs()


def arrays(kind: str, ways: int) -> list[Any]:
    draw = np.random.default_rng(1)
    states = [draw.normal(size=(BATCH, ways, HIDDEN)).astype("f") for _ in range(2)]
    x = draw.normal(size=(BATCH, STEPS, INPUTS)).astype("f")
    lengths = np.array([STEPS, 2, 4], np.int32)
    return [x, *states[: 2 if kind == "lstm" else 1], lengths]


@pytest.mark.parametrize("way", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("kind", list(GATES))
def test_sequence(kind: str, way: str, tmp_path: Path) -> None:
    inputs = arrays(kind, 2 if way == "bidirectional" else 1)
    for ours, theirs in both(tmp_path, inputs, lambda *ports: sequence(kind, way, *ports)):
        assert_alike(ours, theirs, kind, scale=10)


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("gru", {"linear_before_reset": True}),
        ("gru", {"clip": 0.5}),
        ("lstm", {"clip": 0.5}),
        ("rnn", {"activations": ["relu"]}),
    ],
)
def test_attributes(kind: str, given: dict[str, Any], tmp_path: Path) -> None:
    inputs = arrays(kind, 1)
    made = both(tmp_path, inputs, lambda *ports: sequence(kind, "forward", *ports, **given))
    for ours, theirs in made:
        assert_alike(ours, theirs, kind, scale=10)


@pytest.mark.parametrize("kind", list(GATES))
def test_unknown_extents(kind: str, tmp_path: Path) -> None:
    """Of full length: for unknown extents OpenVINO itself does not look at the lengths."""
    inputs = arrays(kind, 1)
    inputs[-1] = np.full(BATCH, STEPS, np.int32)
    shapes = [(-1, -1, INPUTS), *[(-1, 1, HIDDEN)] * (len(inputs) - 2), (-1,)]
    made = both(tmp_path, inputs, lambda *ports: sequence(kind, "forward", *ports), shapes)
    for ours, theirs in made:
        assert_alike(ours, theirs, kind, scale=10)


@pytest.mark.parametrize("kind", list(GATES))
def test_cell(kind: str, tmp_path: Path) -> None:
    draw = np.random.default_rng(2)
    shapes = [(BATCH, INPUTS), *[(BATCH, HIDDEN)] * (2 if kind == "lstm" else 1)]
    inputs = [draw.normal(size=s).astype("f") for s in shapes]

    def build(*ports: Any) -> Any:
        make = getattr(ops, f"{kind}_cell")
        weights = constants(kind, (), GATES[kind])
        words: dict[str, Any] = {"activations": USUAL[kind]}
        if kind == "rnn":
            words |= {"activations_alpha": [], "activations_beta": []}
        return make(*ports, *weights, HIDDEN, **words).outputs()

    for ours, theirs in both(tmp_path, inputs, build):
        assert_alike(ours, theirs, kind, scale=10)


def test_the_first_cell(tmp_path: Path) -> None:
    """LSTMCell-1: whatever it says of the order of gates, the runtime takes one."""
    draw = np.random.default_rng(2)
    inputs = [draw.normal(size=s).astype("f") for s in ((BATCH, INPUTS), *[(BATCH, HIDDEN)] * 2)]

    def build(order: str, *ports: Any) -> Any:
        weights = constants("lstm", (), GATES["lstm"])
        last = ops.constant(np.zeros(3 * HIDDEN, np.float32))
        how = {"hidden_size": HIDDEN, "activations": USUAL["lstm"], "weights_format": order}
        how |= {"activations_alpha": [], "activations_beta": [], "clip": 0.0}
        given = [n.output(0) for n in (*ports, *weights, last)]
        return NodeFactory("opset1").create("LSTMCell", given, how).outputs()

    for ours, theirs in both(tmp_path, inputs, partial(build, "fico")):
        assert_alike(ours, theirs, "cell", scale=10)
    path = save(model(inputs, partial(build, "iofc")), tmp_path, "refused")
    with pytest.raises(UnsupportedError, match="not fico"):
        by_opc(path, inputs)


def test_activations_that_are_refused(tmp_path: Path) -> None:
    inputs = arrays("rnn", 1)
    made = model(inputs, lambda *ports: sequence("rnn", "forward", *ports))
    path = save(made, tmp_path)
    path.write_text(path.read_text().replace('activations="tanh"', 'activations="sin"'))
    with pytest.raises(UnsupportedError, match='activation "sin"'):
        by_opc(path, inputs)
