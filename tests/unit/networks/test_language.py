"""A decoder with a cache: its weights lie as stored, and its tokens are those of weights in f32."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import opc
from benchmarks.language import HEAD, Model, Sizes
from opc.api.driver import lower

SIZES = Sizes(layers=1, hidden=2 * HEAD, inner=256, vocabulary=384, groups=1)
TOKENS = 200


def generated(form: str, is_wide: bool, **how: Any) -> list[int]:
    """Greedy tokens; states are rows of tables for the token and the position."""
    step = opc.compile(Model(SIZES, form, is_wide).build(), **how)
    rng = np.random.default_rng(2)
    rows = rng.standard_normal((SIZES.vocabulary + TOKENS, 1, 1, SIZES.hidden), np.float32)
    caches = [np.zeros((1, 1, 0, HEAD), np.float32)] * 2
    tokens = [1]
    for position in range(TOKENS):
        states = rows[tokens[-1]] + rows[SIZES.vocabulary + position]
        logits, *caches = step(states, *caches)
        tokens.append(int(np.argmax(logits[0, -1])))
    return tokens


@cache
def tokens_of_f32() -> list[int]:
    return generated("int4", True)


@pytest.mark.parametrize(
    "how", [{}, {"threads": 2}, {"target": "baseline"}, {"fuse": False}], ids=str
)
def test_tokens_are_those_of_weights_in_f32(how: dict[str, Any]) -> None:
    assert len(set(tokens_of_f32())) > TOKENS // 4
    assert generated("int4", False, **how) == tokens_of_f32()


@pytest.mark.parametrize("past", [0, 5, 600])
def test_logits_have_the_same_bits_on_every_target(past: int) -> None:
    """Blocks of a chain are shared in tiles of as many rows as each target has registers for."""
    proto, rng = Model(SIZES, "int4").build(), np.random.default_rng(past)
    states = rng.standard_normal((1, 1, SIZES.hidden), np.float32)
    caches = [rng.standard_normal((1, 1, past, HEAD), np.float32) for _ in range(2)]
    targets = ("baseline", "avx2", "native")
    logits = [opc.compile(proto, target=name)(states, *caches)[0].tobytes() for name in targets]
    assert len(set(logits)) == 1


@pytest.mark.parametrize(
    "form", ["f16", "bf16", "int8", "int8 in blocks", "int4", "int4 activations"]
)
def test_weights_take_the_bytes_that_the_model_stores(form: str) -> None:
    is_rounded = form.endswith("activations")
    model = Model(Sizes(1, 8 * HEAD, 1024, 2048, 2), form.split()[0] if is_rounded else form)
    proto = model.build()
    for node in proto.graph.node if is_rounded else ():
        if node.op_type == "MatMulNBits":
            node.attribute.append(onnx.helper.make_attribute("accuracy_level", 4))
    how: dict[str, Any] = {"activations": "int8"} if is_rounded else {}
    weights = lower(proto, target="avx512-vnni", **how).weights
    assert weights is not None and weights.nbytes <= 1.05 * model.stored


def test_loading_maps_the_weights(tmp_path: Path) -> None:
    """A library with 64 MiB of weights loads without reading them: memory grows by a few."""
    model = Model(Sizes(1, 1024, 2816, 8192, 4), "f32").build()
    opc.compile(model).save(tmp_path)
    (path,) = tmp_path.glob("*.json")
    before = _private()
    function = opc.load(path)
    assert _private() - before < 16 << 20
    assert function.inputs


def _private() -> int:
    """Bytes of memory that only this process has."""
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    kib = (int(line.split()[1]) for line in lines if line.startswith("Private_Dirty"))
    return 1024 * sum(kib)
