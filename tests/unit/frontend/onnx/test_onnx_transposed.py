"""ConvTranspose against a sum that is written down as the specification has it, and onnxruntime."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
import opc  # noqa: E402
from opc.errors import InputError, OpcError, UnsupportedError  # noqa: E402
from opc.frontend.mlir.reader import select_function  # noqa: E402
from opc.interpret.graph import evaluate  # noqa: E402
from tests.unit.common.onnx_models import function, graph_of, info, model, node  # noqa: E402
from tests.unit.common.scattering import scattered  # noqa: E402

CASES: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = {
    "one axis": ((2, 3, 5), (3, 2, 3), {}),
    "stride as long as the filter": ((1, 2, 4, 3), (2, 3, 2, 2), {"strides": (2, 2)}),
    "stride of half the filter": ((1, 2, 4, 3), (2, 3, 4, 4), {"strides": (2, 2)}),
    "stride and filter without a factor": ((1, 2, 4, 3), (2, 3, 3, 5), {"strides": (2, 3)}),
    "stride beyond the filter": ((1, 2, 4, 3), (2, 3, 1, 2), {"strides": (3, 5)}),
    "dilations": ((1, 2, 4, 4), (2, 3, 3, 2), {"strides": (2, 3), "dilations": (2, 2)}),
    "dilation and stride": ((1, 2, 6), (2, 3, 4), {"strides": (4,), "dilations": (6,)}),
    "pads": ((1, 2, 4, 4), (2, 3, 3, 3), {"strides": (2, 1), "pads": (1, 0, 2, 1)}),
    "padding": ((1, 2, 4, 4), (2, 3, 3, 3), {"strides": (3, 2), "output_padding": (2, 1)}),
    "pads of a stride": ((1, 2, 5, 4), (2, 3, 9, 5), {"strides": (2, 2), "pads": (4, 2, 3, 1)}),
    "pads beyond the filter": (
        (1, 2, 7, 6),
        (2, 3, 2, 2),
        {"strides": (2, 3), "pads": (3, 2, 2, 4)},
    ),
    "few filters of a long axis": (
        (1, 3, 26, 7),
        (3, 2, 4, 4),
        {"strides": (2, 2), "pads": (1, 1, 1, 1)},
    ),
    "phases apart": ((1, 3, 8, 7), (3, 17, 4, 6), {"strides": (2, 3), "pads": (1, 2, 1, 1)}),
    "phases of four": ((1, 2, 5, 24), (2, 2, 9, 9), {"strides": (4, 4), "pads": (4, 3, 4, 2)}),
    "phases of five": (
        (1, 2, 18),
        (2, 2, 9),
        {"strides": (5,), "pads": (4, 3), "output_padding": (4,)},
    ),
    "groups": ((2, 6, 4, 3), (6, 2, 3, 3), {"strides": (2, 2), "group": 3}),
    "three axes": ((1, 2, 2, 3, 2), (2, 2, 2, 3, 1), {"strides": (2, 1, 2)}),
}


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).integers(-4, 5, shape).astype(np.float32)


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("name", CASES)
def test_against_a_sum(name: str, known: bool) -> None:
    """Of small integers, so that sums are exact."""
    shape, filters, how = CASES[name]
    x, w = numbers(*shape), numbers(*filters)
    rank = len(shape) - 2
    b = np.arange(filters[1] * how.get("group", 1), dtype=np.float32)
    strides, dilations = (how.get(n, (1,) * rank) for n in ("strides", "dilations"))
    pads, more = how.get("pads", (0,) * 2 * rank), how.get("output_padding", (0,) * rank)
    sizes = [
        (n - 1) * s + (k - 1) * d + 1 + e - first - last
        for n, s, k, d, e, first, last in zip(
            shape[2:], strides, filters[2:], dilations, more, pads, pads[rank:], strict=False
        )
    ]
    expected = scattered(x, w, strides, dilations, how.get("group", 1), pads, sizes)
    expected += b.reshape(-1, *[1] * rank)
    extents = shape if known else ("N", shape[1], *(f"L{k}" for k in range(rank)))
    inputs = [info("x", shape=extents), info("w", shape=filters), info("b", shape=b.shape)]
    found = function(model(node("ConvTranspose", "x w b", **how), inputs))(x, w, b)
    np.testing.assert_array_equal(found, expected.astype(np.float32), strict=True)


@pytest.mark.parametrize(
    "x, w, how, counts",
    [
        # Four phases of 40 filters see what begins at different elements: each has 8 by 8 results.
        ((1, 5, 8, 8), (5, 40, 4, 4), {"pads": (1, 1, 1, 1)}, {(40, 8, 8): 4}),
        # Those of three filters are one convolution, with one position more.
        ((1, 5, 8, 8), (5, 3, 4, 4), {"pads": (1, 1, 1, 1)}, {(12, 9, 9): 1}),
        # So are those that see the same, of which there is no result that nobody asks for.
        ((1, 5, 8, 8), (5, 40, 2, 2), {}, {(160, 8, 8): 1}),
        ((1, 5, 8, 8), (5, 1, 9, 9), {"pads": (4, 4, 3, 3)}, {(1, 8, 8): 4}),
        ((1, 5, 30, 8), (5, 40, 4, 2), {"pads": (1, 0, 1, 0)}, {(160, 31, 8): 1}),
    ],
    ids=["many filters", "few filters", "the same", "whole strides", "a long axis"],
)
def test_only_what_is_asked_for_is_computed(
    x: Any, w: Any, how: dict[str, Any], counts: dict[tuple[int, ...], int]
) -> None:
    made = node("ConvTranspose", "x w", strides=(2, 2), **how)
    proto = model(made, [info("x", shape=x), info("w", shape=w)])
    text = opc.lower(proto, target="baseline").ir("kernels")
    nests = re.findall(r"kernel.nest \[(.*)\] {\s+%\w+ = kernel.sweep .* \(dot\)", text)
    found = Counter(tuple(map(int, nest.split(", ")))[1:] for nest in nests)
    assert found == counts


def test_results_are_put_side_by_side_in_vectors() -> None:
    made = node("ConvTranspose", "x w", strides=(2, 2), pads=(1, 1, 1, 1))
    proto = model(made, [info("x", shape=(1, 5, 20, 20)), info("w", shape=(5, 3, 4, 4))])
    found = function(proto)
    assert re.search(r"\* 2\] = .*\n.*\n? .*\* 2 \+ 1\] = ", found.c_source)


@pytest.mark.parametrize("name", CASES)
def test_bits_of_the_graph(name: str) -> None:
    shape, filters, how = CASES[name]
    rng = np.random.default_rng(3)
    x, w = (rng.standard_normal(s).astype(np.float32) for s in (shape, filters))
    made = node("ConvTranspose", "x w", **how)
    given = model(made, [info("x", shape=shape), info("w", shape=filters)])
    unknown = ("N", shape[1], *(f"L{k}" for k in range(len(shape) - 2)))
    symbolic = model(made, [info("x", shape=unknown), info("w", shape=filters)])
    weights = [onnx.numpy_helper.from_array(w, "w")]
    known = model(made, [info("x", shape=shape)], initializers=weights)
    (expected,) = evaluate(select_function(graph_of(given), None), [x, w])
    for found in (function(given)(x, w), function(symbolic)(x, w), function(known)(x)):
        assert found.tobytes() == np.asarray(expected).tobytes()


@pytest.mark.parametrize("auto", ["SAME_UPPER", "SAME_LOWER", "VALID"])
@pytest.mark.parametrize("strides", [(1, 2), (2, 3)])
def test_pads_by_a_rule(auto: str, strides: tuple[int, ...]) -> None:
    runtime = pytest.importorskip("onnxruntime")
    x, w = numbers(1, 2, 4, 5), numbers(2, 3, 4, 3)
    made = node("ConvTranspose", "x w", auto_pad=auto, strides=strides)
    proto = model(made, [info("x", shape=x.shape), info("w", shape=w.shape)], 11)
    session = runtime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    (expected,) = session.run(None, {"x": x, "w": w})
    np.testing.assert_array_equal(function(proto)(x, w), expected, strict=True)


def test_an_infinite_element_stays_where_filters_put_it() -> None:
    x = np.float32([[[1, np.inf, 2]]])
    w = np.float32([[[1, 2, 3]]])
    proto = model(
        node("ConvTranspose", "x w", strides=(2,)),
        [info("x", shape=x.shape), info("w", shape=w.shape)],
    )
    expected = [1, 2, np.inf, np.inf, np.inf, 4, 6]
    assert function(proto)(x, w)[0, 0].tolist() == expected


def test_what_is_refused() -> None:
    def made(shape: tuple[Any, ...], filters: tuple[Any, ...], **how: Any) -> Any:
        inputs = [info("x", shape=shape), info("w", shape=filters)]
        return function(model(node("ConvTranspose", "x w", **how), inputs))

    with pytest.raises(InputError, match="divided into 2 groups"):
        made((1, 3, 4), (3, 2, 2), group=2)
    with pytest.raises(UnsupportedError, match="their extents must be known"):
        made((1, 3, 4), (3, 2, "K"))
    with pytest.raises(UnsupportedError, match="for the unknown extent"):
        made((1, 3, "L"), (3, 2, 2), output_shape=(7,), strides=(2,))
    with pytest.raises(InputError, match="the result would have the extents"):
        made((1, 3, 1), (3, 2, 2), pads=(2, 2))
    with pytest.raises(OpcError, match="axis 1: found 2, expected 3"):
        made((1, "C", 4), (3, 2, 2))(np.zeros((1, 2, 4), "f"), np.zeros((3, 2, 2), "f"))
