"""Weights that lie as they are stored: the bits of the same weights in f32, in fewer bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np
import onnx
import pytest

import opc
from opc.api.inputs import load
from opc.dialects.registry import context
from opc.errors import InputError
from opc.interpret import loop
from opc.oracle.subject import function_in
from opc.passes import pipeline
from opc.schedule.legality import check
from opc.schedule.plan_contraction import plan
from opc.support.targets import target
from tests.unit.common.contraction_graphs import (
    bits,
    edited,
    finished,
    oracle,
    random_tree,
    scheduled,
)
from tests.unit.common.ir_runs import after_passes
from tests.unit.common.onnx_models import info, model, node
from tests.unit.common.stored_weights import (
    FLOATS,
    Weighted,
    cast_halves,
    chosen,
    codebook,
    dequantized,
    in_blocks,
    small_floats,
)


def _models(rows: int | str) -> dict[str, Callable[[], Weighted]]:
    """Models by name, each as a function that makes it with the weights that it stands for."""
    blocks = {
        f"{bits} bits, blocks of {block}, {inner}x{columns}": (inner, columns, bits, block)
        for bits, block, inner, columns in (
            *((4, 16, 320, 200), (4, 32, 600, 72), (4, 256, 1100, 48), (4, 64, 130, 33)),
            *((8, 32, 320, 200), (8, 128, 90, 40), (2, 32, 320, 130), (2, 64, 70, 24)),
        )
    }
    models: dict[str, Callable[[], Weighted]] = {
        name: partial(in_blocks, *sizes, True, rows) for name, sizes in blocks.items()
    }
    models["no zero points"] = partial(in_blocks, 320, 200, 4, 32, False, rows)
    models["scales of f16 "] = partial(in_blocks, 320, 200, 4, 32, True, rows, "f16")
    forms: dict[str, dict[str, Any]] = {
        "one scale": {},
        "columns": {"axis": 1, "has_zeros": True},
        "chain": {"axis": 0},
        "blocks": {"axis": 0, "block": 32},
        "transposed": {"axis": 1, "block": 64, "has_zeros": True, "is_transposed": True},
        "rounded to f16 ": {"axis": 0, "block": 32, "has_zeros": True, "scale": "f16"},
    }
    for type in ("i4", "ui4", "i8", "ui8", "i2", "ui2"):
        models |= {f"{type}, {n}": partial(dequantized, type, rows, **f) for n, f in forms.items()}
    models |= {type: partial(small_floats, type, rows) for type in FLOATS}
    models |= {f"a table of 16, {kind}": partial(chosen, kind, rows) for kind in (0, 1)}
    models |= {f"a gather of 16, {type}": partial(codebook, type, rows) for type in ("f32", "f16")}
    return models | {type: partial(cast_halves, type, rows) for type in ("f16", "bf16")}


@pytest.fixture(scope="module")
def plain() -> Any:
    """The product of two matrices of f32."""
    x, w = info("x", shape=["R", "K"]), info("w", shape=["K", "N"])
    return opc.compile(model(node("MatMul", "x w"), [x, w], outputs=[info("y", shape=["R", "N"])]))


@pytest.mark.sample(12)
@pytest.mark.parametrize("rows", ["R", 1, 9])
@pytest.mark.parametrize("name", _models(1))
def test_the_bits_are_those_of_weights_in_f32(name: str, rows: int | str, plain: Any) -> None:
    proto, weights = _models(rows)[name]()
    function = opc.compile(proto, threads=2)
    assert " stored lanes " in function.ir("schedule")
    type = np.float16 if name.endswith("f16 ") else np.float32
    for count in [1, 2, 7, 70] if rows == "R" else [int(rows)]:
        x = np.random.default_rng(count).standard_normal((count, len(weights))).astype(type)
        expected = plain(x.astype(np.float32), weights).astype(type)
        assert function(x).tobytes() == expected.tobytes(), f"{count} rows"


@pytest.mark.sample(6)
@pytest.mark.parametrize("rows", ["R", 3])
@pytest.mark.parametrize("name", [name for name in _models(1) if "transposed" not in name])
def test_weights_of_a_batch_lie_as_they_are_stored(name: str, rows: int | str, plain: Any) -> None:
    """States of [batch, length, hidden], as exporters have them: weights are broadcast."""
    proto, weights = _models(rows)[name]()
    for value in (*proto.graph.input, *proto.graph.output):
        value.type.tensor_type.shape.dim.insert(0, onnx.TensorShapeProto.Dimension(dim_param="B"))
    function = opc.compile(proto)
    assert " stored lanes " in function.ir("schedule")
    type = np.float16 if name.endswith("f16 ") else np.float32
    x = np.random.default_rng(2).standard_normal((2, 3, len(weights))).astype(type)
    expected = plain(x.astype(np.float32).reshape(6, -1), weights).astype(type)
    assert function(x).tobytes() == expected.tobytes()


@pytest.mark.parametrize("bits_of_value", [2, 4, 8])
@pytest.mark.parametrize("built", ["baseline", "avx2", "avx512"])
def test_weights_take_the_bytes_of_the_model(built: str, bits_of_value: int) -> None:
    proto, _ = in_blocks(512, 256, bits_of_value, 32, True, "R", "f16")
    emitted = opc.lower(proto, target=built)
    stored = sum(len(t.raw_data) for t in proto.graph.initializer)
    assert emitted.weights is not None
    assert emitted.weights.nbytes <= 1.05 * stored


@pytest.mark.parametrize("type", ["i8", "ui8"])
@pytest.mark.parametrize("rows", [1, 9, "R"])
def test_bytes_with_zero_points_share_words(type: str, rows: int | str) -> None:
    """One instruction cuts a byte out of a word and makes it a float, in vectors of 64 bytes."""
    name = f"opc_lift_{type.replace('ui', 'u')}_f32v16("
    for axis, block in ((1, 0), (0, 32), (None, 0)):
        proto, _ = dequantized(type, rows, axis, block, has_zeros=True)
        assert name in opc.lower(proto, target="avx512").c_source
        assert name not in opc.lower(proto, target="avx2").c_source
    proto, _ = dequantized(type, rows, 1)
    assert name not in opc.lower(proto, target="avx512").c_source


@pytest.mark.parametrize("type", ["i8", "ui8"])
def test_the_interpreter_reads_bytes_of_words(type: str) -> None:
    proto, _ = dequantized(type, 1, 0, 32, has_zeros=True)
    x = np.random.default_rng(3).standard_normal((1, 320)).astype(np.float32)
    module = load(proto)
    pipeline.run(module, context(), pipeline.passes("loops"), target="avx512")
    assert "ui32" in str(module)
    expected = opc.compile(proto)(x)
    assert loop.run(function_in(module), [x])[0].tobytes() == expected.tobytes()


def test_tables_and_floats_of_few_bits_take_the_bytes_of_the_model() -> None:
    floats = (small_floats(type, "R", 256)[0] for type in FLOATS)
    for proto in (chosen(1, "R", 256)[0], *floats):
        emitted, stored = opc.lower(proto), sum(len(t.raw_data) for t in proto.graph.initializer)
        assert emitted.weights is not None
        assert emitted.weights.nbytes <= 1.05 * stored


def test_the_schedule_says_what_is_laid_out_and_what_is_computed() -> None:
    proto, _ = in_blocks(1024, 256, 4, 32, True, "R")
    text = opc.lower(proto, target="avx2").ir("schedule")
    words = " ".join(text[text.index("schedule.tree") :].split())
    assert words.startswith(
        "schedule.tree { schedule.pack right by 64 stored lanes 8 prefetch 2048 "
        'schedule.if <-atleast(R, 2) + 1> "one row" {'
    )
    one, more = words.split("} else ")
    assert "schedule.for [d2] by 32 serial { schedule.for [d2] by 1 serial" in one
    assert "schedule.pack right by 16 prefetch 2048 schedule.for [d0]" in more


@pytest.mark.parametrize("form", [4, 8, "bf16"])
@pytest.mark.parametrize("rows", [1, 40, "R"])
def test_constants_that_come_from_afar_are_prefetched(form: int | str, rows: int | str) -> None:
    """Vectors compute them from few bytes, so a processor asks for few lines by itself."""
    if isinstance(form, str):
        proto, _ = cast_halves(form, rows)
    else:
        proto, _ = in_blocks(1024, 256, form, 32, True, rows)
    assert "opc_prefetch(" in opc.lower(proto, target="avx512").c_source
    assert "opc_prefetch(" not in opc.lower(proto, target="cortex-m7").c_source
    near, _ = in_blocks(64, 48, 4, 32, True, rows)
    assert "opc_prefetch(" not in opc.lower(near, target="avx512").c_source


def test_tiles_prefetch_what_the_next_panel_is_computed_of() -> None:
    lowered = opc.lower(cast_halves("bf16", 40)[0], target="avx512")
    assert "schedule.prefetch_panel right" in lowered.ir("schedule")
    assert "opc_prefetch_second(weight" in lowered.c_source
    assert "schedule.prefetch_panel" not in opc.lower(
        cast_halves("bf16", 1000)[0], target="avx512"
    ).ir("schedule")


RNG = np.random.default_rng(1)


def _text(rows: int = 7, inner: int = 96, columns: int = 48) -> str:
    """Values of 4 bits with a scale for 16 of them, as text."""
    q = RNG.integers(0, 16, (inner, columns)).tolist()
    s = RNG.standard_normal((inner // 16, 1, columns)).round(3).tolist()
    return f"""
func.func @main(%x: tensor<{rows}x{inner}xf32>) -> tensor<{rows}x{columns}xf32> {{
  %q = opc.constant dense<{q}> : tensor<{inner}x{columns}xui4>
  %f = opc.cast %q : tensor<{inner}x{columns}xui4> -> tensor<{inner}x{columns}xf32>
  %z = opc.constant dense<7.0> : tensor<1x1xf32>
  %d = opc.sub %f, %z
  %p = opc.reshape %d : tensor<{inner}x{columns}xf32> -> tensor<{inner // 16}x16x{columns}xf32>
  %s = opc.constant dense<{s}> : tensor<{inner // 16}x1x{columns}xf32>
  %m = opc.mul %p, %s
  %w = opc.reshape %m : tensor<{inner // 16}x16x{columns}xf32> -> tensor<{inner}x{columns}xf32>
  %y = opc.matmul %x, %w
  func.return %y : tensor<{rows}x{columns}xf32>
}}"""


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(12))
def test_every_legal_schedule_has_the_same_bits(seed: int) -> None:
    rng, text = Random(seed), _text()
    x = np.random.default_rng(seed).standard_normal((7, 96)).astype(np.float32)
    expected = oracle(text, [x])
    for _ in range(3):
        function, c = scheduled(text)
        tree = random_tree(c, rng)
        c.nest.body.block.add_op(tree)
        assert bits([finished(function)(x)]) == expected, str(tree)


def test_an_edited_schedule_is_refused_or_has_the_same_bits() -> None:
    rng, text = Random(3), _text()
    x = np.random.default_rng(3).standard_normal((7, 96)).astype(np.float32)
    expected, counts = oracle(text, [x]), [0, 0]
    _, c = scheduled(text)
    for _ in range(40):
        tree = edited(c, random_tree(c, rng), rng)
        try:
            check(c, tree)
        except InputError:
            counts[0] += 1
            continue
        counts[1] += 1
        if counts[1] <= 3:
            function, own = scheduled(text)
            own.nest.body.block.add_op(tree)
            assert bits([finished(function)(x)]) == expected, str(tree)
    assert all(counts)


ILLEGAL = {
    "in a loop": (
        "schedule.run start", "schedule.pack right by 64 stored lanes 8\nschedule.run start",
        "found schedule.pack right stored, expected it in front of all loops",
    ),
    "rows": (
        "right by 64 stored", "left by 64 stored", "found schedule.pack left stored, expected",
    ),
    "lanes": ("stored lanes 8", "stored lanes 4", "found stored lanes 4, expected 8"),
    "twice": (
        "2048\n", "2048\nschedule.pack right by 64\n",
        "found panels of 64, expected them in loops",
    ),
    "peel": (
        "[d2] by 32 serial", "[d2] by 32 serial peel", "found .* peel, expected",
    ),
    "a part of a byte": (
        "schedule.run start", "schedule.pack right by 8\nschedule.run start",
        "found panels of 8, expected them in loops, and parts of the stored ones of 64",
    ),
}  # fmt: skip
"""What is changed of a schedule, and the error."""


@pytest.mark.parametrize("name", ILLEGAL)
def test_illegal_schedules_are_errors(name: str) -> None:
    text = opc.lower(in_blocks(1024, 128, 4, 32, False, 1)[0], target="avx2").ir("schedule")
    before, after, message = ILLEGAL[name]
    assert before in text
    if name == "in a loop":
        text = text.replace("schedule.pack right by 64 stored lanes 8 prefetch 2048\n", "", 1)
    with pytest.raises(InputError, match=message):
        opc.lower(text.replace(before, after, 1), target="avx2")


def test_values_that_take_as_many_bytes_do_not_lie_as_stored() -> None:
    text = _text().replace("xui4", "xf32")
    _, c = scheduled(text)
    assert "stored" not in str(plan(c, target("avx2")))


def test_the_interpreter_of_loops_has_the_bits() -> None:
    text = _text()
    x = np.random.default_rng(5).standard_normal((7, 96)).astype(np.float32)
    *_, (stage, lowered) = after_passes(text, "source", "loops")
    assert stage == "mark-loops"
    assert bits(loop.run(lowered, [x])) == oracle(text, [x])
