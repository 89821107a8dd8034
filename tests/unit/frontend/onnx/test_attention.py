"""Attention of ONNX against sums written out, for known and unknown extents."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import helper  # noqa: E402

from opc.errors import ArgumentError, InputError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402

pytestmark = pytest.mark.sample(24)

NAMES = ("Q", "K", "V", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen")


def wanted(given: dict[str, Any], attributes: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """The result for one query after the other in f64, and its weights."""
    q, k, v = (np.float64(given[n]) for n in "QKV")
    past = given["past_key"].shape[2] if "past_key" in given else 0
    if past:
        k = np.concatenate([given["past_key"], k], 2)
        v = np.concatenate([given["past_value"], v], 2)
    (batch, heads, queries, size), keys = q.shape, k.shape[2]
    of = heads // k.shape[1]
    mask = given.get("attn_mask", np.zeros(()))
    if mask.ndim and mask.shape[-1] < keys:
        out = False if mask.dtype == bool else -np.inf
        mask = np.pad(
            mask, [(0, 0)] * (mask.ndim - 1) + [(0, keys - mask.shape[-1])], constant_values=out
        )
    mask = np.broadcast_to(mask, (batch, heads, queries, keys))
    y = np.zeros((batch, heads, queries, v.shape[3]))
    weights = np.zeros((batch, heads, queries, keys))
    left, right = (attributes.get(f"{s}_window_size", -1) for s in ("left", "right"))
    right = 0 if attributes.get("is_causal") else right
    for b, h, i in np.ndindex(batch, heads, queries):
        place, last = i + past, keys
        if "nonpad_kv_seqlen" in given:
            last = given["nonpad_kv_seqlen"][b]
            place = i + last - queries
        scores = np.full(keys, -np.inf)
        for j in range(keys):
            is_masked = mask.dtype == bool and not mask[b, h, i, j]
            if is_masked or j >= last or (0 <= right < j - place) or (0 <= left < place - j):
                continue
            x = q[b, h, i] @ k[b, h // of, j] * attributes.get("scale", 1 / math.sqrt(size))
            cap = attributes.get("softcap", 0)
            x = cap * math.tanh(x / cap) if cap else x
            more = 0 if mask.dtype == bool else mask[b, h, i, j]
            scores[j] = -np.inf if more == -np.inf else x + more
        top = scores.max(initial=-np.inf)
        if top > -np.inf:
            power = np.exp(scores - top)
            weights[b, h, i] = power / power.sum()
        y[b, h, i] = weights[b, h, i] @ v[b, h // of]
    return y, weights


def draw(rng: np.random.Generator, *shape: int, type: str = "f") -> np.ndarray:
    return rng.standard_normal(shape).astype(type)


def attention(given: dict[str, Any], since: int, symbolic: bool, **attributes: Any) -> Any:
    """A compiled model of one node, of these inputs or of any extents but heads and sizes."""
    names = [n if n in given else "_" for n in NAMES]
    types = {"f": "f32", "d": "f64", "e": "f16", "l": "i64", "?": "i1"}
    infos = []
    for name, x in given.items():
        shape: list[Any] = list(x.shape)
        if symbolic and x.ndim == 4:
            length = "N" if name == "Q" else "P" if "past" in name else "M"
            shape = ["B", shape[1], length if name != "attn_mask" else "N", shape[3]]
        elif symbolic and name == "nonpad_kv_seqlen":
            shape = ["B"]
        infos.append(info(name, types[x.dtype.char], shape))
    while names[-1] == "_":
        names.pop()
    made = node("Attention", " ".join(names), "Y K2 V2 S", qk_matmul_output_mode=3, **attributes)
    return function(model(made, infos, since))


def case(rng: np.random.Generator, b: int, h: int, g: int, n: int, m: int) -> dict[str, Any]:
    return {
        "Q": draw(rng, b, h, n, 8),
        "K": draw(rng, b, g, m, 8),
        "V": draw(rng, b, g, m, 5),
    }


FORMS: dict[str, tuple[int, int, dict[str, Any]]] = {
    "plain": (23, 1, {}),
    "grouped and capped": (23, 3, {"softcap": 1.5, "scale": 0.7}),
    "causal": (23, 2, {"is_causal": 1}),
    "causal beside a past": (24, 1, {"is_causal": 1}),
    "lengths": (24, 2, {}),
    "causal lengths": (24, 1, {"is_causal": 1}),
    "window": (25, 1, {"left_window_size": 1, "right_window_size": 2}),
    "causal window of lengths": (25, 2, {"left_window_size": 2, "is_causal": 1}),
    "window beside a past": (25, 1, {"left_window_size": 3, "right_window_size": 0}),
}


@pytest.mark.parametrize("symbolic", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_attention(form: str, symbolic: bool) -> None:
    since, of, attributes = FORMS[form]
    rng = np.random.default_rng(len(form))
    made = None
    for b, n, m, p in ((2, 4, 6, 3), (1, 1, 9, 2), (3, 7, 3, 1)) if symbolic else ((2, 4, 6, 3),):
        given = case(rng, b, 2 * of, 2, n, m)
        if "past" in form:
            given["past_key"], given["past_value"] = draw(rng, b, 2, p, 8), draw(rng, b, 2, p, 5)
        if "lengths" in form:
            given["nonpad_kv_seqlen"] = rng.integers(0, m + 1, b)
        made = made or attention(given, since, symbolic, **attributes)
        y, k, v, weights = made(*given.values())
        right = wanted(given, attributes)
        np.testing.assert_allclose(y, right[0], rtol=2e-5, atol=2e-6)
        np.testing.assert_allclose(weights, right[1], rtol=2e-5, atol=2e-6)
        if "past" in form:
            np.testing.assert_array_equal(k, np.concatenate([given["past_key"], given["K"]], 2))
            np.testing.assert_array_equal(v, np.concatenate([given["past_value"], given["V"]], 2))


@pytest.mark.parametrize("type", ["f", "d", "e"])
@pytest.mark.parametrize("shape", [(), (6,), (4, 6), (2, 1, 6), (2, 2, 4, 1), (2, 1, 1, 4)])
def test_masks_of_any_rank(shape: tuple[int, ...], type: str) -> None:
    rng = np.random.default_rng(3)
    given = {n: x.astype(type) for n, x in case(rng, 2, 2, 2, 4, 6).items()}
    mask = draw(rng, *shape, type=type) * np.ones((), type)
    tolerance = {"f": 2e-5, "d": 1e-12, "e": 2e-3}[type]
    for m in (mask, np.where(mask > 0, mask, type_of(type)(-np.inf)), np.asarray(mask > 0)):
        all_given = given | {"attn_mask": m}
        y, *_, weights = attention(all_given, 24, False)(*all_given.values())
        right = wanted(all_given, {})
        np.testing.assert_allclose(y, right[0], rtol=tolerance, atol=tolerance)
        np.testing.assert_allclose(weights, right[1], rtol=tolerance, atol=tolerance)


def type_of(char: str) -> Any:
    return np.dtype(char).type


def test_what_is_masked_is_not_looked_at() -> None:
    """Infinite and NaN keys behind a mask, and rows of which nothing is left."""
    rng = np.random.default_rng(4)
    given = case(rng, 1, 2, 2, 3, 4)
    given["K"][:, :, 2] = np.inf
    given["K"][:, :, 3] = np.nan
    seen = np.array([[1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]], bool)
    for mask in (seen, np.where(seen, 0, -np.inf).astype("f")):
        y, *_, weights = attention(given | {"attn_mask": mask}, 23, False)(*given.values(), mask)
        assert not np.isnan(y).any() and not np.isnan(weights).any()
        assert (y[:, :, 1] == 0).all() and (weights[:, :, ~seen] == 0).all()
        np.testing.assert_allclose(weights.sum(-1)[:, :, (0, 2)], 1, rtol=1e-6)


def test_heads_in_the_last_axis() -> None:
    rng = np.random.default_rng(5)
    given = case(rng, 2, 6, 2, 4, 5)
    flat = {n: x.transpose(0, 2, 1, 3).reshape(2, x.shape[2], -1) for n, x in given.items()}
    y, k, v, _ = attention(flat, 23, False, q_num_heads=6, kv_num_heads=2)(*flat.values())
    right, _ = wanted(given, {})
    assert y.shape == (2, 4, 30)
    np.testing.assert_allclose(
        y, right.transpose(0, 2, 1, 3).reshape(y.shape), rtol=2e-5, atol=1e-6
    )
    np.testing.assert_array_equal(k, given["K"])
    np.testing.assert_array_equal(v, given["V"])


def test_the_first_output_on_the_way_is_the_product_alone() -> None:
    """The text says so, also beside a cap, where the reference implementation differs."""
    rng = np.random.default_rng(6)
    given = case(rng, 1, 1, 1, 2, 3)
    infos = [info(n, shape=x.shape) for n, x in given.items()]
    for mode in range(3):
        made = node("Attention", "Q K V", "Y K2 V2 S", softcap=0.5, qk_matmul_output_mode=mode)
        found = function(model(made, infos, 23))(*given.values())[-1]
        product = given["Q"] @ given["K"].swapaxes(2, 3) / math.sqrt(8)
        right = 0.5 * np.tanh(product / 0.5) if mode else product
        np.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-6)


def test_precision_of_the_softmax() -> None:
    """Scores are rounded to it; a score that f16 has no number for is infinite there."""
    given = {"Q": np.full((1, 1, 1, 1), 7e4, "f"), "K": np.float32([[[[1], [-1]]]])}
    given["V"] = np.float32([[[[1], [2]]]])
    infos = [info(n, shape=x.shape) for n, x in given.items()]
    for number, is_nan in ((1, False), (11, False), (10, True), (16, False)):
        made = node("Attention", "Q K V", "Y", softmax_precision=number)
        y = function(model(made, infos, 23))(*given.values())
        assert np.isnan(y).all() == is_nan and (is_nan or y.item() == 1)


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], type[Exception], str]] = {
    "rank": ({"Q": (2, 4, 8)}, {}, InputError, "rank 3 or 4"),
    "heads": ({"K": (2, 3, 6, 8), "V": (2, 3, 6, 5)}, {}, InputError, "whole groups"),
    "values": ({"V": (2, 2, 5, 5)}, {}, InputError, "different positions"),
    "sizes": ({"K": (2, 2, 6, 7)}, {}, InputError, "different sizes"),
    "half a past": ({"past_key": (2, 2, 3, 8)}, {}, InputError, "together"),
    "mask": ({"attn_mask": (3, 6)}, {}, InputError, "does not broadcast"),
    "long mask": ({"attn_mask": (4, 7)}, {}, InputError, "for 6 keys"),
    "cap": ({}, {"softcap": -1.0}, InputError, "softcap"),
    "mode": ({}, {"qk_matmul_output_mode": 4}, InputError, "expected 0, 1, 2 or 3"),
    "precision": ({}, {"softmax_precision": 7}, InputError, "no element type for it"),
    "window": ({}, {"left_window_size": -2}, InputError, "-1 or more"),
    "numbers": ({}, {"q_num_heads": 3}, InputError, "another number"),
}


@pytest.mark.parametrize("form", REFUSED)
def test_what_does_not_fit(form: str) -> None:
    shapes, attributes, kind, text = REFUSED[form]
    shapes = {"Q": (2, 4, 4, 8), "K": (2, 2, 6, 8), "V": (2, 2, 6, 5)} | shapes
    names = [n if n in shapes else "_" for n in NAMES[: 1 + max(map(NAMES.index, shapes))]]
    infos = [info(n, shape=s) for n, s in shapes.items()]
    with pytest.raises(kind, match=text):
        function(model(node("Attention", " ".join(names), "Y", **attributes), infos, 25))


def test_masks_of_integers_are_refused() -> None:
    shapes = {"Q": (2, 4, 4, 8), "K": (2, 2, 6, 8), "V": (2, 2, 6, 5)}
    infos = [*(info(n, shape=s) for n, s in shapes.items()), info("m", "i64", (6,))]
    with pytest.raises(UnsupportedError, match="expected booleans or floats"):
        function(model(node("Attention", "Q K V m", "Y"), infos, 23))


def test_extents_that_do_not_fit_when_run() -> None:
    shapes = {"Q": ("B", 2, "N", 8), "K": ("B", 2, "M", 8), "V": ("B", 2, "L", 5)}
    infos = [info(n, shape=s) for n, s in shapes.items()]
    f = function(model(node("Attention", "Q K V", "Y"), infos, 23))
    one, two = np.zeros((1, 2, 3, 8), "f"), np.zeros((1, 2, 4, 5), "f")
    with pytest.raises(ArgumentError, match="different positions"):
        f(one, one, two)


def graph(nodes: list[Any], x: str, y: str) -> Any:
    return helper.make_graph(nodes, "inner", [info(x)], [info(y)])


def flexible(infos: list[Any], **attributes: Any) -> Any:
    made = node("FlexAttention", "Q K V", "Y", domain="ai.onnx.preview", **attributes)
    proto = model(made, infos, 26)
    proto.opset_import.append(helper.make_opsetid("ai.onnx.preview", 1))
    return function(proto)


def test_graphs_in_the_middle() -> None:
    """Scores and weights that graphs change, of any extents, in groups."""
    shapes = {"Q": ("B", 4, "N", 8), "K": ("B", 2, "M", 8), "V": ("B", 2, "M", 5)}
    infos = [info(n, shape=s) for n, s in shapes.items()]
    half = onnx.numpy_helper.from_array(np.float32(0.5), "half")
    two = onnx.numpy_helper.from_array(np.float32(2), "two")
    before = graph([node("Constant", "", "h", value=half), node("Mul", "s h", "t")], "s", "t")
    after = graph([node("Constant", "", "h", value=two), node("Mul", "s h", "t")], "s", "t")
    f = flexible(infos, score_mod=before, prob_mod=after, scale=0.6)
    rng = np.random.default_rng(8)
    for b, n, m in ((2, 3, 4), (1, 5, 2)):
        given = case(rng, b, 4, 2, n, m)
        right, _ = wanted(given, {"scale": 0.3})
        np.testing.assert_allclose(f(*given.values()), 2 * right, rtol=2e-5, atol=2e-6)


def test_graphs_that_change_the_shape_are_errors() -> None:
    shapes = {"Q": (1, 1, 2, 4), "K": (1, 1, 3, 4), "V": (1, 1, 3, 4)}
    infos = [info(n, shape=s) for n, s in shapes.items()]
    turned = graph([node("Transpose", "s", "t", perm=[0, 1, 3, 2])], "s", "t")
    with pytest.raises(InputError, match="gives another shape"):
        flexible(infos, score_mod=turned)
    twice = graph([node("Cast", "s", "t", to=11)], "s", "t")
    with pytest.raises(InputError, match="graph prob_mod gives"):
        flexible(infos, prob_mod=twice)
    with pytest.raises(InputError, match="differ in element type"):
        flexible([infos[0], infos[1], info("V", "f64", (1, 1, 3, 4))])
