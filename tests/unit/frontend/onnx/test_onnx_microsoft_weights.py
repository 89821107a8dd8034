"""Weights of few bits in blocks, and a decoder of them as builders of language models write it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import helper, numpy_helper  # noqa: E402

import opc  # noqa: E402
from opc.errors import OpcError  # noqa: E402
from tests.unit.common.onnx_models import info, model, node, run  # noqa: E402
from tests.unit.frontend.onnx.test_onnx_microsoft import computed, floats, near, normalized, sigmoid  # noqa: E402
from tests.unit.frontend.onnx.test_onnx_microsoft_attention import (  # noqa: E402
    attended,
    causal,
    joined,
    split,
    turned,
)

RNG = np.random.default_rng(10)


def packed(values: Any, bits: int) -> Any:
    """Values of so many bits in the bytes of the last axis, the first in the lowest bits."""
    each = 8 // bits
    missing = -values.shape[-1] % each
    padded = np.pad(values, [*[(0, 0)] * (values.ndim - 1), (0, missing)])
    parts = padded.reshape(*padded.shape[:-1], -1, each).astype(np.uint32)
    return (parts << np.arange(0, 8, bits, dtype=np.uint32)).sum(-1).astype(np.uint8)


def weights(rows: int, inner: int, block: int, bits: int) -> tuple[Any, Any, Any]:
    """Whole numbers [rows, blocks, block], their scales and zero points [rows, blocks]."""
    blocks = -(-inner // block)
    values = RNG.integers(0, 1 << bits, (rows, blocks, block))
    return values, floats(rows, blocks), RNG.integers(0, 1 << bits, (rows, blocks))


def real(values: Any, scales: Any, zeros: Any, inner: int) -> Any:
    """The matrix [rows, inner] that they stand for."""
    found = (values - np.asarray(zeros, np.float32)[..., None]) * scales[..., None]
    return found.reshape(len(values), -1)[:, :inner].astype(np.float32)


@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("sizes", [(8, 64, 32), (7, 40, 16)], ids=str)
@pytest.mark.parametrize("constant", [False, True])
def test_product(bits: int, sizes: tuple[int, int, int], constant: bool) -> None:
    rows, inner, block = sizes
    values, scales, zeros = weights(rows, inner, block, bits)
    x, bias = floats(2, 3, inner), floats(rows)
    how = {"N": rows, "K": inner, "block_size": block, "bits": bits}
    given = [packed(values, bits), scales.reshape(-1)]
    near(
        computed("MatMulNBits", [x, *given], **how),
        x @ real(values, scales, np.full_like(zeros, 1 << (bits - 1)), inner).T,
    )
    wanted = x @ real(values, scales, zeros, inner).T + bias
    given = [*given, packed(zeros, bits).reshape(-1), bias]
    if constant:
        names = ["w", "s", "z", "b"]
        inits = [numpy_helper.from_array(a, n) for a, n in zip(given, names, strict=True)]
        made = node("MatMulNBits", "x w s z _ b", domain="com.microsoft", **how)
        found = run(model(made, [info("x", shape=x.shape)], 17, initializers=inits), x)
    else:
        found = computed("MatMulNBits", [x, *given[:3], None, given[3]], **how)
    near(found, wanted)
    near(computed("MatMulNBits", [x, *given[:2], zeros.astype(np.float32)], **how), wanted - bias)
    numbers = RNG.integers(0, scales.shape[1], inner).astype(np.int32)
    flat = values.reshape(rows, -1)[:, :inner]
    wanted = (flat - zeros[:, numbers]) * scales[:, numbers]
    found = computed("MatMulNBits", [x, *given[:3], numbers], **how)
    near(found, x @ wanted.astype(np.float32).T)


def test_product_of_a_table() -> None:
    """Four bits stand for quantiles of the normal distribution, the first in the high bits."""
    from opc.frontend.onnx.ops.microsoft.packed_weights import FP4, NF4

    rows, inner, block = 6, 48, 16
    values, x = RNG.integers(0, 16, rows * inner), floats(3, inner)
    bytes_of = (values[::2] << 4 | values[1::2]).astype(np.uint8)
    scales = np.abs(floats(rows * inner // block))
    for kind, table in ((1, NF4), (0, (*FP4, *(-v for v in FP4)))):
        matrix = np.array(table, np.float32)[values] * np.repeat(scales, block)
        how = {"N": rows, "K": inner, "block_size": block, "quant_type": kind}
        found = computed("MatMulBnb4", [x, bytes_of, scales], **how)
        near(found, x @ matrix.reshape(rows, inner).T)
    y = floats(3, rows)
    found = computed("MatMulBnb4", [y, bytes_of, scales], transB=0, **how)
    near(found, y @ matrix.reshape(rows, inner))


@pytest.mark.parametrize("bits", [4, 8])
def test_lookup(bits: int) -> None:
    values, scales, zeros = weights(9, 64, 32, bits)
    index = np.array([[0, 8, -1], [-9, 3, 9]])
    how = {"bits": bits, "block_size": 32}
    bytes_of, wanted = packed(values.reshape(9, 64), bits), real(values, scales, zeros, 64)
    found = computed("GatherBlockQuantized", [bytes_of, index, scales, packed(zeros, bits)], **how)
    wanted = np.concatenate([wanted, np.zeros((1, 64), np.float32)])
    near(found, wanted[np.where(index == 9, 9, index % 9)])
    found = computed("GatherBlockQuantized", [bytes_of, index[:1], scales], **how)
    wanted = real(values, scales, np.full_like(zeros, 1 << (bits - 1)), 64)
    near(found, wanted[index[:1]])


HEADS, GROUPS, SIZE, LAYERS, WORDS = 4, 2, 16, 2, 30
WIDTH = HEADS * SIZE
INNER = 32


class Decoder:
    """A decoder of two layers, as a graph and as what it computes in NumPy."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.inits: list[Any] = []
        self.arrays: dict[str, Any] = {}

    def ms(self, operator: str, inputs: str, outputs: str, **how: Any) -> None:
        self.nodes.append(node(operator, inputs, outputs, domain="com.microsoft", **how))

    def constant(self, name: str, array: Any) -> str:
        self.inits.append(numpy_helper.from_array(np.asarray(array), name))
        self.arrays[name] = array
        return name

    def product(self, x: str, y: str, rows: int, inner: int) -> None:
        """y = x times weights of four bits."""
        values, scales, zeros = weights(rows, inner, 16, 4)
        scales = (scales / 30).astype(np.float32)
        names = [
            self.constant(f"{y}.{k}", a)
            for k, a in (("w", packed(values, 4)), ("s", scales), ("z", packed(zeros, 4)))
        ]
        self.arrays[f"{y}.m"] = real(values, scales, zeros, inner).T
        how = {"N": rows, "K": inner, "block_size": 16, "bits": 4}
        self.ms("MatMulNBits", f"{x} {' '.join(names)}", y, **how)

    def graph(self) -> Any:
        """Ids and a mask of batch and lengths that only a run knows, and a cache for each layer."""
        table, ones = self.constant("table", floats(WORDS, WIDTH)), floats(WIDTH) / 4 + 1
        self.constant("one", np.array([1]))
        for name, function in (("cos", np.cos), ("sin", np.sin)):
            self.constant(name, function(ANGLES).astype(np.float32))
        add = self.nodes.append
        add(node("ReduceSum", "mask one", "counts", keepdims=0))
        add(node("Sub", "counts one", "less"))
        add(node("Cast", "less", "lengths", to=onnx.TensorProto.INT32))
        add(node("Shape", "mask", "shape"))
        add(node("Gather", "shape one", "last", axis=0))
        add(node("Squeeze", "last", "scalar"))
        add(node("Cast", "scalar", "total", to=onnx.TensorProto.INT32))
        add(node("Gather", f"{table} ids", "h0"))
        how: dict[str, Any] = {"axis": -1, "epsilon": 1e-5}
        add(node("SimplifiedLayerNormalization", f"h0 {self.constant('g0', ones)}", "n0", **how))
        x, skip = "n0", "h0"
        for k in range(LAYERS):
            for name, rows in (("q", WIDTH), ("k", GROUPS * SIZE), ("v", GROUPS * SIZE)):
                self.product(x, f"{name}{k}", rows, WIDTH)
            self.ms(
                "GroupQueryAttention",
                f"q{k} k{k} v{k} pk{k} pv{k} lengths total cos sin",
                f"a{k} nk{k} nv{k}",
                num_heads=HEADS,
                kv_num_heads=GROUPS,
                do_rotary=1,
            )
            self.product(f"a{k}", f"o{k}", WIDTH, WIDTH)
            gamma = self.constant(f"gm{k}", floats(WIDTH) / 4 + 1)
            names = f"m{k} _ _ r{k}"
            self.ms("SkipSimplifiedLayerNormalization", f"{skip} o{k} {gamma}", names, epsilon=1e-5)
            self.product(f"m{k}", f"gate{k}", INNER, WIDTH)
            self.product(f"m{k}", f"up{k}", INNER, WIDTH)
            self.ms("QuickGelu", f"gate{k}", f"act{k}", alpha=1.0)
            add(node("Mul", f"act{k} up{k}", f"in{k}"))
            self.product(f"in{k}", f"d{k}", WIDTH, INNER)
            gamma = self.constant(f"ge{k}", floats(WIDTH) / 4 + 1)
            names = f"n{k + 1} _ _ h{k + 1}"
            self.ms("SkipSimplifiedLayerNormalization", f"r{k} d{k} {gamma}", names, epsilon=1e-5)
            x, skip = f"n{k + 1}", f"h{k + 1}"
        self.product(x, "logits", WORDS, WIDTH)
        cache = ("B", GROUPS, "P", SIZE)
        infos = [info("ids", "i64", ("B", "S")), info("mask", "i64", ("B", "T"))]
        infos += [info(f"p{c}{k}", shape=cache) for k in range(LAYERS) for c in "kv"]
        results = ["logits", *(f"n{c}{k}" for k in range(LAYERS) for c in "kv")]
        outputs = [onnx.ValueInfoProto(name=n) for n in results]
        return model(self.nodes, infos, 17, outputs, self.inits)

    def step(self, ids: Any, caches: list[Any]) -> tuple[Any, list[Any]]:
        """Logits and caches in f64."""
        a, past, new = self.arrays, caches[0].shape[2], ids.shape[1]
        h = a["table"][ids].astype(np.float64)
        rows = [a[n][past : past + new] for n in ("cos", "sin")]
        kept: list[Any] = []
        x = normalized(h, 1e-5, False) * a["g0"]
        for k in range(LAYERS):
            q, key, v = (
                split(x @ a[f"{n}{k}.m"], c)
                for n, c in (("q", HEADS), ("k", GROUPS), ("v", GROUPS))
            )
            q, key = (turned(y, *rows, 0) for y in (q, key))
            old = caches[2 * k : 2 * k + 2]
            kept += [np.concatenate(p, axis=2) for p in zip(old, (key, v), strict=True)]
            each = [np.repeat(c, HEADS // GROUPS, axis=1) for c in kept[-2:]]
            y = joined(attended(q, *each, causal(new, past + new, past)))
            h = h + y @ a[f"o{k}.m"]
            x = normalized(h, 1e-5, False) * a[f"gm{k}"]
            gate = x @ a[f"gate{k}.m"]
            h = h + (gate * sigmoid(gate) * (x @ a[f"up{k}.m"])) @ a[f"d{k}.m"]
            x = normalized(h, 1e-5, False) * a[f"ge{k}"]
        return x @ a["logits.m"], kept


ANGLES = np.arange(20)[:, None] / 10.0 ** np.linspace(0, 3, SIZE // 2)


def test_decoder() -> None:
    """A first call with four words, one with two, and one with another."""
    decoder = Decoder()
    function: Any = opc.compile(decoder.graph(), target="baseline")
    batch = 2
    caches = [np.zeros((batch, GROUPS, 0, SIZE), np.float32)] * (2 * LAYERS)
    wanted: list[Any] = list(caches)
    # A further call of several words takes one batch in onnxruntime, but any here.
    for new in (4, 2, 1):
        ids = RNG.integers(0, WORDS, (batch, new))
        total = caches[0].shape[2] + new
        mask = np.ones((batch, total), np.int64)
        logits, *caches = function(ids, mask, *caches)
        reference, wanted = decoder.step(ids, wanted)
        near(logits, reference, 1e-5)
        for found, cache in zip(caches, wanted, strict=True):
            near(found, cache, 1e-5)


def test_decoder_beside_onnxruntime() -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    made = Decoder().graph()
    for value in made.graph.output:
        value.CopyFrom(helper.make_tensor_value_info(value.name, onnx.TensorProto.FLOAT, None))
    options: Any = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session: Any = onnxruntime.InferenceSession(made.SerializeToString(), options)
    ids = RNG.integers(0, WORDS, (1, 3))
    arrays = {"ids": ids, "mask": np.ones((1, 8), np.int64)}
    names = [i.name for i in made.graph.input[2:]]
    arrays |= {n: floats(1, GROUPS, 5, SIZE) for n in names}
    function: Any = opc.compile(made, target="baseline")
    found = function(**arrays)
    for ours, theirs in zip(found, session.run(None, arrays), strict=True):
        near(ours, theirs, 1e-5)


@pytest.mark.parametrize("shape", [(), (4,), (2, 3)], ids=str)
def test_lookup_in_a_table_of_one_row(shape: tuple[int, ...]) -> None:
    """Its scales lie at as many indices as it does."""
    values, scales, _ = weights(1, 32, 16, 4)
    table = packed(values.reshape(1, 32), 4)
    how = {"block_size": 16, "bits": 4}
    found = computed("GatherBlockQuantized", [table, np.zeros(shape, np.int64), scales], **how)
    wanted = real(values, scales, np.full_like(scales, 8), 32)[0]
    near(found, np.broadcast_to(wanted, (*shape, 32)))


@pytest.mark.parametrize(
    "operator, arrays, how",
    [
        (
            "GatherBlockQuantized",
            [np.zeros((9, 16), np.uint8), np.zeros(2, np.int64), np.zeros(2, np.float32)],
            {"block_size": 16},
        ),
        (
            "LinearAttention",
            [np.zeros((1, 2, 4), np.float32)] * 3,
            {"q_num_heads": 2, "kv_num_heads": 2, "update_rule": "delta"},
        ),
        (
            "QAttention",
            [
                np.zeros((5, 12), np.int8),
                np.zeros((12, 36), np.int8),
                np.zeros(36, np.float32),
                *[np.float32(1)] * 2,
            ],
            {"num_heads": 2},
        ),
    ],
    ids=["scales of another rank", "no rates", "no batches"],
)
def test_what_does_not_fit_is_refused(operator: str, arrays: Any, how: dict[str, Any]) -> None:
    with pytest.raises(OpcError, match=r"axes|missing|rank"):
        computed(operator, arrays, **how)
