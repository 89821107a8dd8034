"""``activations="int8"`` is part of a function; its products are exact integers for each block."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import numpy_helper

import opc
from opc.api.driver import lower
from opc.dialects import order
from opc.errors import UsageError
from opc.tools.cli import main
from tests.unit.common.stored_weights import dequantized, in_blocks

Array = np.ndarray[Any, Any]


def asking(*sizes: Any, **how: Any) -> tuple[Any, Array, Array, Array]:
    """A model that asks for 8 bits, its integers, scales [blocks, columns], and zero points."""
    proto, _ = in_blocks(*sizes, **how)
    (node,) = proto.graph.node
    attribute = node.attribute.add()
    attribute.name, attribute.i, attribute.type = "accuracy_level", 4, 2
    _, columns, bits, block, has_zeros = sizes[:5]
    w, s, *z = (np.frombuffer(t.raw_data, np.uint8) for t in proto.graph.initializer)

    def unpacked(packed: Array) -> Array:
        shifts = np.arange(0, 8, bits, dtype=np.uint8)
        return (packed.reshape(columns, -1, 1) >> shifts & ((1 << bits) - 1)).reshape(columns, -1)

    scales = s.view(np.float32).reshape(columns, -1)
    usual = np.full(scales.shape, 1 << (bits - 1))
    zeros = unpacked(z[0])[:, : scales.shape[1]] if has_zeros else usual
    integers = unpacked(w).astype(np.int32).reshape(*scales.shape, block)
    return proto, integers - zeros[..., None].astype(np.int32), scales, zeros


def expected(x: Array, integers: Array, scales: Array) -> Array:
    """The formula of docs/numerics.md."""
    _, blocks, block = integers.shape
    a = np.zeros((len(x), blocks * block), np.float32)
    a[:, : x.shape[1]] = x
    a = a.reshape(len(x), blocks, block)
    s = np.abs(a).max(-1) * np.float32(1 / 127)
    with np.errstate(all="ignore"):
        q = np.nan_to_num(np.clip(np.round(a / s[..., None]), -128, 127)).astype(np.int32)
    sums = np.einsum("mbk,nbk->mnb", q, integers).astype(np.float32) * scales
    return order.chain(sums, np.broadcast_to(s[:, None], sums.shape))


def drawn(rows: int, inner: int) -> Array:
    return np.random.default_rng(rows).standard_normal((rows, inner)).astype(np.float32)


@pytest.mark.parametrize(
    ("inner", "columns", "bits", "block", "has_zeros"),
    [
        (96, 64, 4, 32, True),
        (128, 70, 8, 32, True),
        (100, 40, 4, 16, False),
        (64, 128, 2, 64, True),
    ],
)
@pytest.mark.parametrize("rows", ["m", 1, 40])
def test_it_is_the_formula(
    inner: int, columns: int, bits: int, block: int, has_zeros: bool, rows: Any
) -> None:
    proto, integers, scales, _ = asking(inner, columns, bits, block, has_zeros, rows)
    for how in ({}, {"target": "baseline"}, {"fuse": False}, {"threads": 2}):
        function = opc.compile(proto, activations="int8", **how)
        for count in (1, 5, 40) if rows == "m" else (rows,):
            x = drawn(count, inner)
            x[0, :block] = 0
            assert function(x).tobytes() == expected(x, integers, scales).tobytes(), (how, count)


def of_quantizer(
    proto: Any, axis: int | None, block: int, is_transposed: bool
) -> tuple[Array, Array]:
    """Integers and scales as ``asking`` gives them, of DequantizeLinear; blocks of 32 at most."""
    q, s, *z = (numpy_helper.to_array(t) for t in proto.graph.initializer)

    def spread(v: Array) -> Array:
        if v.ndim == 1:
            v = v.reshape([-1 if k == axis else 1 for k in range(2)])
        whole = np.repeat(v, block, axis) if block and axis is not None else v
        whole = np.broadcast_to(whole[tuple(map(slice, q.shape))] if v.ndim else v, q.shape)
        return whole if is_transposed else whole.T

    whole = q if is_transposed else q.T
    size, inner = block or 32, whole.shape[1]
    centred = whole.astype(np.int32) - (spread(z[0]).astype(np.int32) if z else 0)
    padded = np.pad(centred, [(0, 0), (0, -inner % size)])
    return padded.reshape(len(padded), -1, size), spread(s)[:, ::size]


@pytest.mark.parametrize(
    ("type", "axis", "block", "has_zeros", "is_transposed"),
    [
        ("i4", 0, 32, True, False),
        ("ui4", 1, 0, True, False),
        ("i8", None, 0, False, False),
        ("ui8", None, 0, True, True),
        ("i8", 0, 48, True, False),
        ("i8", 1, 16, False, True),
        ("i8", 1, 0, True, False),
        ("ui2", 0, 0, True, True),
    ],
)
def test_dequantized_weights_are_multiplied_as_integers(
    type: str, axis: int | None, block: int, has_zeros: bool, is_transposed: bool
) -> None:
    """A model cannot ask there, so the caller decides."""
    proto, _ = dequantized(type, "m", axis, block, has_zeros, is_transposed=is_transposed)
    integers, scales = of_quantizer(proto, axis, block, is_transposed)
    x = drawn(5, 320)
    for how in ({}, {"target": "baseline"}, {"threads": 2}):
        function = opc.compile(proto, activations="int8", **how)
        assert function(x).tobytes() == expected(x, integers, scales).tobytes(), how


@pytest.mark.parametrize(("axis", "block"), [(0, 0), (1, 16)])
def test_scales_that_differ_along_a_block_stay(axis: int, block: int) -> None:
    proto, _ = dequantized("i8", "m", axis, block)
    assert opc.compile(proto, activations="int8")(drawn(5, 320)).tobytes() == (
        opc.compile(proto)(drawn(5, 320)).tobytes()
    )


def test_tiles_have_the_integers_of_a_block() -> None:
    proto, *_ = asking(1024, 2048, 4, 32, True, 64)
    lowered = lower(proto, activations="int8", target="avx512")
    assert "schedule.for [d3, d4] by 32 serial" in lowered.ir("schedule")
    assert "opc_dot_" in lowered.c_source
    # Scales of neighbouring columns lie side by side.
    assert re.search(r"kernel.load %\d+\[(0, )?d3, (0, )?d1\] : f32", lowered.ir("kernels"))


def test_the_terms_of_a_whole_tile_have_a_known_count() -> None:
    """Of an unknown count of columns C compilers make vectors of bytes, and leave most over."""
    proto, *_ = asking(1024, 2048, 4, 32, True, 64)
    text = lower(proto, activations="int8", target="avx2").c_source
    terms = text[: text.index("opc_mul_i32((int32_t)buffer")].splitlines()
    (loop,) = (line for line in terms[-2:] if "for (" in line)
    assert re.search(r"= (i\d+); i\d+ < \1 \+ \d+; \+\+", loop), loop


def test_a_function_says_so(tmp_path: Path) -> None:
    proto, *_ = asking(64, 32, 4, 32, True, 3)
    function, usual = opc.compile(proto, activations="int8"), opc.compile(proto)
    assert (function.activations, usual.activations) == ("int8", "float")
    assert "#define MAIN_ACTIVATIONS_INT8 1" in function.header.replace("GRAPH", "MAIN")
    assert "ACTIVATIONS" not in usual.header
    saved = opc.load(function.save(tmp_path))
    assert saved.activations == "int8"
    (text,) = (p.read_text("utf-8") for p in tmp_path.glob("*.json"))
    assert json.loads(text)["activations"] == "int8"
    x = drawn(3, 64)
    assert saved(x).tobytes() == function(x).tobytes() != usual(x).tobytes()
    kernels = lower(proto, activations="int8").ir("kernels")
    assert opc.compile(kernels)(x).tobytes() == function(x).tobytes()
    with pytest.raises(UsageError, match="activations: the module is at the stage kernels"):
        lower(kernels, activations="float")
    with pytest.raises(UsageError, match="activations: found 'int4', expected 'float' or 'int8'"):
        lower(proto, activations="int4")


def test_only_where_a_model_asks() -> None:
    proto, _ = in_blocks(64, 32, 4, 32, True, 3)
    assert lower(proto, activations="int8").ir("kernels").replace(
        ', opc.activations = "int8"', ""
    ) == lower(proto).ir("kernels")


def test_verify_knows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proto, *_ = asking(64, 32, 4, 32, True, 3)
    (tmp_path / "net.onnx").write_bytes(proto.SerializeToString())
    assert main(["verify", str(tmp_path / "net.onnx"), "--activations", "int8"]) == 0
    capsys.readouterr()


def test_onnxruntime_computes_likewise() -> None:
    runtime = pytest.importorskip("onnxruntime")
    proto, *_ = asking(256, 64, 4, 32, True, 9)
    session = runtime.InferenceSession(proto.SerializeToString())
    x = drawn(9, 256)
    (wanted,) = session.run(None, {"x": x})
    found = opc.compile(proto, activations="int8")(x)
    assert np.abs(found - wanted).max() < 2e-6 * np.abs(wanted).max()
    assert np.abs(opc.compile(proto)(x) - wanted).max() > 1e-4 * np.abs(wanted).max()


@pytest.mark.parametrize(("type", "block"), [("i8", 0), ("ui4", 32)])
def test_dequantized_weights_take_the_bits_that_the_model_stores(type: str, block: int) -> None:
    proto, _ = dequantized(type, "m", 0 if block else 1, block)
    stored = sum(len(t.raw_data) for t in proto.graph.initializer)
    lowered = lower(proto, activations="int8", target="avx512-vnni")
    # 200 columns fill three panels and an eighth of one.
    assert lowered.weights is not None and lowered.weights.nbytes <= 256 / 200 * stored
    assert " group 4" in lowered.ir("schedule")


@pytest.mark.parametrize("bits", [4, 2])
def test_weights_take_the_bits_that_the_model_stores(bits: int) -> None:
    """Scales and zero points lie in panels beside them, and nothing lies there twice."""
    proto, *_ = asking(256, 192, bits, 32, True, "m")
    stored = sum(len(t.raw_data) for t in proto.graph.initializer)
    lowered = lower(proto, activations="int8", target="avx512-vnni")
    assert lowered.weights is not None and lowered.weights.nbytes <= 1.05 * stored
    assert " group 4 stored lanes 16" in lowered.ir("schedule")
