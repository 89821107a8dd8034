"""ReverseSequence, MaxUnpool and Col2Im of ONNX against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import ArgumentError, InputError  # noqa: E402
from tests.unit.common.onnx_models import info, interpreted, model, node, run  # noqa: E402

RNG = np.random.default_rng(0)


def by_reference(proto: Any, *arrays: np.ndarray) -> np.ndarray:
    names = [i.name for i in proto.graph.input]
    return ReferenceEvaluator(proto).run(None, dict(zip(names, arrays, strict=True)))[0]


@pytest.mark.parametrize("named", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("batch", [0, 1])
@pytest.mark.parametrize("rank", [2, 3])
def test_reverse_sequence(rank: int, batch: int, named: bool) -> None:
    x = RNG.standard_normal((4, 5, 3)[:rank]).astype(np.float32)
    lengths = RNG.integers(0, x.shape[1 - batch] + 1, x.shape[batch])
    made = node("ReverseSequence", "x l", batch_axis=batch, time_axis=1 - batch)
    shape = ("A", "B", "C")[:rank] if named else x.shape
    proto = model(made, [info("x", shape=shape), info("l", "i64", lengths.shape)])
    expected = np.moveaxis(x.copy(), batch, 0)
    for row, length in zip(expected, lengths, strict=True):
        row[:length] = row[:length][::-1].copy()
    expected = np.moveaxis(expected, 0, batch)
    assert np.array_equal(interpreted(proto, x, lengths)[0], expected)
    if rank == 3:
        assert np.array_equal(run(proto, x, lengths), expected)
        with pytest.raises(ArgumentError):
            run(proto, x, lengths + 9)


@pytest.mark.parametrize("filled", [None, "known", "read"])
@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 2, 3, 3)])
def test_max_unpool(shape: tuple[int, ...], filled: str | None) -> None:
    rank = len(shape) - 2
    x = RNG.standard_normal(shape).astype(np.float32)
    whole = (*shape[:2], *(2 * e for e in shape[2:]))
    places = RNG.permutation(int(np.prod(whole)))[: x.size].reshape(shape)
    made = node(
        "MaxUnpool", "x i" + " s" * bool(filled), kernel_shape=[2] * rank, strides=[2] * rank
    )
    infos = [info("x", shape=shape), info("i", "i64", shape)]
    wanted = np.int64([*shape[:2], *(2 * e + 1 for e in shape[2:])])
    read = model(made, [*infos, info("s", "i64", wanted.shape)] if filled else infos)
    arrays = [x, places, wanted][: 3 if filled else 2]
    expected = by_reference(read, *arrays)
    if filled == "known":
        constant = onnx.numpy_helper.from_array(wanted, "s")
        found = interpreted(model(made, infos, initializers=[constant]), x, places)
    else:
        found = interpreted(read, *arrays)
    assert np.array_equal(found[0], expected)


COLUMNS: list[tuple[list[int], list[int], dict[str, Any]]] = [
    ([5, 5], [1, 5], {}),
    ([5, 6], [3, 2], {"strides": [2, 1]}),
    ([5, 6], [2, 3], {"pads": [1, 0, 2, 1]}),
    ([6, 6], [2, 2], {"dilations": [1, 5]}),
    ([7, 6], [2, 2], {"dilations": [2, 3], "strides": [2, 1], "pads": [1, 1, 0, 1]}),
    ([3, 4, 5], [1, 1, 5], {}),
    ([9], [3], {"strides": [2]}),
]


@pytest.mark.parametrize("is_read", [False, True])
@pytest.mark.parametrize("image, block, how", COLUMNS)
def test_columns_to_image(
    image: list[int], block: list[int], how: dict[str, Any], is_read: bool
) -> None:
    rank = len(image)
    pads, strides = how.get("pads", [0] * 2 * rank), how.get("strides", [1] * rank)
    dilations = how.get("dilations", [1] * rank)
    steps = [
        (image[k] + pads[k] + pads[rank + k] - dilations[k] * (block[k] - 1) - 1) // strides[k] + 1
        for k in range(rank)
    ]
    x = RNG.standard_normal((2, 3 * int(np.prod(block)), int(np.prod(steps)))).astype(np.float32)
    shapes = [np.int64(image), np.int64(block)]
    infos = [info("x", shape=x.shape), *(info(n, "i64", (rank,)) for n in "ib")]
    made = node("Col2Im", "x i b", **how)
    constants = [onnx.numpy_helper.from_array(a, n) for a, n in zip(shapes, "ib", strict=True)]
    # Every tap of every block adds what is in its column.
    padded = [e + pads[k] + pads[rank + k] for k, e in enumerate(image)]
    expected = np.zeros((2, 3, *padded))
    columns = x.reshape(2, 3, *block, *steps)
    for tap in np.ndindex(*block):
        for step in np.ndindex(*steps):
            at = tuple(
                t * d + s * e for t, d, s, e in zip(tap, dilations, step, strides, strict=True)
            )
            expected[(slice(None), slice(None), *at)] += columns[(..., *tap, *step)]
    inner = tuple(slice(pads[k], pads[k] + image[k]) for k in range(rank))
    expected = expected[(slice(None), slice(None), *inner)]
    if is_read:
        (found,) = interpreted(model(made, infos), x, *shapes)
    else:
        (found,) = interpreted(model(made, infos[:1], initializers=constants), x)
    np.testing.assert_allclose(found, expected, 1e-5, 1e-5)


def test_columns_in_c() -> None:
    image, block, how = COLUMNS[4]
    x = RNG.standard_normal((2, 12, 15)).astype(np.float32)
    proto = model(
        node("Col2Im", "x i b", **how),
        [info("x", shape=("N", 12, 15)), info("i", "i64", (2,)), info("b", "i64", (2,))],
    )
    arrays = [x, np.int64(image), np.int64(block)]
    np.testing.assert_allclose(run(proto, *arrays), interpreted(proto, *arrays)[0], 1e-5, 1e-6)
    with pytest.raises(ArgumentError, match="no column for each block"):
        run(proto, x, np.int64([9, 6]), np.int64(block))


@pytest.mark.parametrize(
    "made, message",
    [
        (node("ReverseSequence", "x l", batch_axis=1, time_axis=1), "time_axis = 1"),
        (node("MaxUnpool", "x l", kernel_shape=[2]), "kernel_shape"),
        (node("Col2Im", "x l l"), "there is no column for each block"),
    ],
)
def test_what_does_not_fit(made: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        listed = onnx.numpy_helper.from_array(np.int64([2, 2]), "l")
        interpreted(model(made, [info("x", shape=(1, 4, 3))], initializers=[listed]))
