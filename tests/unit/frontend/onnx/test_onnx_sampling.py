"""Values of images between their elements, against the ONNX reference and onnxruntime."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import ArgumentError, InputError, OpcError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import info, interpreted, model, node, run  # noqa: E402

pytestmark = pytest.mark.sample(8)


def by_reference(proto: Any, *arrays: np.ndarray) -> np.ndarray:
    names = [i.name for i in proto.graph.input]
    with np.errstate(all="ignore"):
        return ReferenceEvaluator(proto).run(None, dict(zip(names, arrays, strict=True)))[0]


def by_runtime(proto: Any, *arrays: np.ndarray) -> np.ndarray:
    ort = pytest.importorskip("onnxruntime")
    for k, output in enumerate(proto.graph.output):
        output.CopyFrom(info(output.name, "f32" if k == 0 else "i64"))
    session = ort.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [i.name for i in session.get_inputs()]
    return session.run(None, dict(zip(names, arrays, strict=True)))[0]


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("corners", [0, 1])
@pytest.mark.parametrize("is_read", [False, True])
def test_affine_grid(is_read: bool, corners: int, rank: int) -> None:
    theta = np.random.default_rng(0).standard_normal((2, rank, rank + 1)).astype(np.float32)
    size = np.int64([2, 3, 4, 5, 6][: rank + 2])
    made = node("AffineGrid", "t s", align_corners=corners)
    shape = ("N", "P", "Q") if is_read else theta.shape
    infos = [info("t", shape=shape), info("s", "i64", size.shape)]
    proto = model(made, infos, 20)
    expected = by_reference(proto, theta, size)
    if is_read:
        (found,) = interpreted(proto, theta, size)
    else:
        constant = onnx.numpy_helper.from_array(size, "s")
        (found,) = interpreted(model(made, infos[:1], 20, initializers=[constant]), theta)
    np.testing.assert_allclose(found, expected, 1e-5, 1e-5)


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("corners", [0, 1])
@pytest.mark.parametrize("is_read", [False, True], ids=["known", "read"])
def test_an_only_element_of_an_affine_grid_lies_in_the_centre(
    is_read: bool, corners: int, rank: int
) -> None:
    """As in torch; other axes are as the reference has them."""
    theta = np.random.default_rng(0).standard_normal((2, rank, rank + 1)).astype(np.float32)
    made = node("AffineGrid", "t s", align_corners=corners)
    infos = [info("t", shape=theta.shape), info("s", "i64", (rank + 2,))]
    steps = [np.array([0.0]), np.linspace(-1, 1, 3) if corners else np.array([-2, 0, 2]) / 3]
    for extents in itertools.product((1, 3), repeat=rank):
        size = np.int64([2, 1, *extents])
        if is_read:
            (found,) = interpreted(model(made, infos, 20), theta, size)
        else:
            constant = onnx.numpy_helper.from_array(size, "s")
            (found,) = interpreted(model(made, infos[:1], 20, initializers=[constant]), theta)
        axes = np.meshgrid(*(steps[e > 1] for e in extents), indexing="ij")
        places = np.stack([*axes[::-1], np.ones(extents)], axis=-1)
        expected = np.einsum("...k,nik->n...i", places, theta)
        np.testing.assert_allclose(found, expected, 1e-5, 1e-5)


MODES = [("linear", 1), ("linear", 2), ("linear", 3), ("nearest", 2), ("cubic", 2)]


def grid_model(mode: str, rank: int, padding: str, corners: int, named: bool) -> Any:
    x, grid = (2, 3, 4, 5, 6)[: rank + 2], (2, 3, 4, 2)[: rank + 1]
    infos = [
        info("x", shape=["N", "C", "H", "W", "D"][: rank + 2] if named else x),
        info("g", shape=[*["N", "P", "Q", "R"][: rank + 1], "E"] if named else [*grid, rank]),
    ]
    made = node("GridSample", "x g", mode=mode, padding_mode=padding, align_corners=corners)
    rng = np.random.default_rng(rank)
    arrays = [rng.standard_normal(x), rng.uniform(-2.5, 2.5, (*grid, rank))]
    return model(made, infos, 20), [a.astype(np.float32) for a in arrays]


@pytest.mark.parametrize("named", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("corners", [0, 1])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode, rank", MODES)
def test_grid_sample(mode: str, rank: int, padding: str, corners: int, named: bool) -> None:
    proto, arrays = grid_model(mode, rank, padding, corners, named)
    (found,) = interpreted(proto, *arrays)
    # Of the 16 elements around, each is that at the border; the reference takes a place there
    # instead, unlike onnxruntime, OpenVINO and torch.
    at_border = (mode, padding) == ("cubic", "border")
    expected = cubic_at_border(*arrays, corners) if at_border else by_reference(proto, *arrays)
    np.testing.assert_allclose(found, expected, 1e-4, 1e-4)


def cubic_at_border(x: np.ndarray, grid: np.ndarray, corners: int) -> np.ndarray:
    """Cubic convolution with a = -0.75 over elements that are taken from within the image."""
    places, weights = [], []
    for k, size in enumerate(x.shape[:1:-1]):
        g = grid[..., k].astype(np.float64)
        at = (g + 1) / 2 * (size - 1) if corners else ((g + 1) * size - 1) / 2
        first = np.floor(at) - 1
        places.append([np.clip(first + n, 0, size - 1).astype(int) for n in range(4)])
        d = [np.abs(at - first - n) for n in range(4)]
        near = [1.25 * t**3 - 2.25 * t**2 + 1 for t in d]
        far = [-0.75 * (t**3 - 5 * t**2 + 8 * t - 4) for t in d]
        weights.append([np.where(t <= 1, a, b) for t, a, b in zip(d, near, far, strict=True)])
    found = np.zeros((x.shape[0], x.shape[1], *grid.shape[1:-1]))
    batch = np.arange(x.shape[0])[:, None, None]
    for row in range(4):
        for column in range(4):
            taken = x[batch, :, places[1][row], places[0][column]]
            weight = (weights[1][row] * weights[0][column])[..., None]
            found += np.moveaxis(taken * weight, -1, 1)
    return found


@pytest.mark.parametrize("mode, padding", [("cubic", "reflection"), ("linear", "zeros")])
def test_grid_sample_in_c(mode: str, padding: str) -> None:
    proto, arrays = grid_model(mode, 2, padding, 0, True)
    arrays[1][0, 0, 0] = [np.nan, np.inf]
    found, wanted = run(proto, *arrays), interpreted(proto, *arrays)[0]
    np.testing.assert_allclose(found, wanted, 1e-5, 1e-5)


def test_places_of_integers() -> None:
    made = node("GridSample", "x g", mode="nearest")
    infos = [info("x", "i32", (1, 1, 2, 2)), info("g", shape=(1, 1, 2, 2))]
    x = np.int32([[[[1, 2], [3, 4]]]])
    grid = np.float32([[[[-0.5, 0.5], [3, 0]]]])
    assert interpreted(model(made, infos, 20), x, grid)[0].tolist() == [[[[3, 0]]]]
    linear = node("GridSample", "x g")
    with pytest.raises(UnsupportedError, match="mode linear for i32"):
        interpreted(model(linear, infos, 20), x, grid)


@pytest.mark.parametrize("named", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("since, half", [(10, False), (16, True), (16, False)])
def test_roi_align(since: int, half: bool, mode: str, named: bool) -> None:
    rng = np.random.default_rng(1)
    x = rng.random((2, 3, 9, 8)).astype(np.float32)
    low, size = rng.uniform(-2, 8, (6, 2)), rng.uniform(0, 9, (6, 2))
    rois = np.concatenate([low, low + size], 1).astype(np.float32)
    image = rng.integers(0, 2, 6)
    attributes = (
        {} if since < 16 or half else {"coordinate_transformation_mode": "output_half_pixel"}
    )
    made = node(
        "RoiAlign", "x r i", mode=mode, output_height=3, output_width=2, sampling_ratio=2,
        spatial_scale=0.7, **attributes,
    )  # fmt: skip
    infos = [
        info("x", shape=("N", "C", "H", "W") if named else x.shape),
        info("r", shape=("R", "E" if named else 4)),
        info("i", "i64", ("R",)),
    ]
    proto = model(made, infos, since)
    (found,) = interpreted(proto, x, rois, image)
    np.testing.assert_allclose(found, by_runtime(proto, x, rois, image), 1e-4, 1e-5)


@pytest.mark.parametrize("named", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("half", (False, True))
def test_samples_that_regions_decide(half: bool, mode: str, named: bool) -> None:
    """Regions of no extent, within an element, larger than an image, far away, and in between.

    As the reference has it, the greatest is that of parts of samples.
    """
    rng = np.random.default_rng(4)
    x = (rng.random((2, 3, 9, 8)) + 0.1).astype(np.float32)
    low, size = rng.uniform(-2, 8, (12, 2)), rng.uniform(0, 12, (12, 2))
    size[0], size[1], low[2], size[2] = 0, 0.3, -20, 60
    low[3], low[4], size[4] = 50, -30, (31, 200)
    rois = np.concatenate([low, low + size], 1).astype(np.float32)
    image = rng.integers(0, 2, 12)
    how = {} if half else {"coordinate_transformation_mode": "output_half_pixel"}
    made = node(
        "RoiAlign", "x r i", mode=mode, output_height=3, output_width=2, spatial_scale=0.9, **how
    )
    infos = [
        info("x", shape=("N", "C", "H", "W") if named else x.shape),
        info("r", shape=("R", 4)),
        info("i", "i64", ("R",)),
    ]
    proto = model(made, infos, 16)
    wanted = by_runtime(proto, x, rois, image)
    (found,) = interpreted(proto, x, rois, image)
    np.testing.assert_allclose(found, wanted, 1e-4, 1e-5)
    if named:
        np.testing.assert_allclose(run(proto, x, rois, image), wanted, 1e-4, 1e-5)
        rois[5] = [0, np.nan, 5, np.inf]
        assert run(proto, x, rois, image).shape == found.shape


def test_regions_in_c() -> None:
    rng = np.random.default_rng(1)
    x = rng.random((2, 3, 9, 8)).astype(np.float32)
    rois = np.float32([[0.5, 1, 5, 6], [2, 2, 7.5, 8]])
    made = node("RoiAlign", "x r i", output_height=3, output_width=2, sampling_ratio=2)
    infos = [info("x", shape=x.shape), info("r", shape=("R", 4)), info("i", "i64", ("R",))]
    proto, arrays = model(made, infos), [x, rois, np.int64([1, 0])]
    np.testing.assert_allclose(run(proto, *arrays), interpreted(proto, *arrays)[0], 1e-5)
    with pytest.raises(ArgumentError):
        run(proto, x, rois, np.int64([0, 2]))


def test_images_of_regions_without_samples_are_checked() -> None:
    made = node("RoiAlign", "x r i", output_height=2, output_width=2, sampling_ratio=0)
    infos = [info("x", shape=(2, 1, 4, 4)), info("r", shape=(1, 4)), info("i", "i64", (1,))]
    proto, x = model(made, infos), np.ones((2, 1, 4, 4), np.float32)
    for rois in np.zeros((1, 4), np.float32), np.float32([[0, 0, 3, 3]]):
        assert run(proto, x, rois, np.int64([1])).shape == (1, 1, 2, 2)
        for image in 2, -1, 1 << 40, -(1 << 63):
            with pytest.raises(ArgumentError):
                run(proto, x, rois, np.int64([image]))


@pytest.mark.parametrize("named", [False, True], ids=["known", "unknown"])
def test_max_roi_pool(named: bool) -> None:
    rng = np.random.default_rng(2)
    x = rng.standard_normal((2, 3, 9, 8)).astype(np.float32)
    low, size = rng.integers(-2, 8, (7, 2)), rng.integers(0, 9, (7, 2))
    rois = np.concatenate([rng.integers(0, 2, (7, 1)), low, low + size], 1).astype(np.float32)
    made = node("MaxRoiPool", "x r", pooled_shape=[3, 2], spatial_scale=0.75)
    shapes = [("N", "C", "H", "W"), ("R", "E")] if named else [x.shape, (7, 5)]
    infos = [info("x", shape=shapes[0]), info("r", shape=shapes[1])]
    proto = model(made, infos, 1)
    (found,) = interpreted(proto, x, rois)
    np.testing.assert_allclose(found, by_runtime(proto, x, rois))


@pytest.mark.parametrize("masked, biased", [(False, False), (True, True)])
@pytest.mark.parametrize("group, parts", [(1, 1), (2, 1), (1, 2), (2, 4)])
@pytest.mark.parametrize("batch", [2, "N"])
def test_deform_conv(batch: Any, group: int, parts: int, masked: bool, biased: bool) -> None:
    rng = np.random.default_rng(group)
    x = rng.standard_normal((2, 4, 7, 6)).astype(np.float32)
    w = rng.standard_normal((6, 4 // group, 3, 2)).astype(np.float32)
    how = {"strides": [2, 1], "pads": [1, 0, 1, 1], "dilations": [1, 2]}
    out = ((7 + 2 - 3) // 2 + 1, 6 + 1 - 3 + 1)
    offset = (rng.standard_normal((2, parts * 12, *out)) * 2).astype(np.float32)
    bias = rng.standard_normal(6).astype(np.float32)
    mask = rng.random((2, parts * 6, *out)).astype(np.float32)
    arrays = [x, w, offset, *([bias] if biased else []), *([mask] if masked else [])]
    names = f"x w o {'b' if biased else '_'} {'m' if masked else '_'}".removesuffix(" _")
    names = names.removesuffix(" _")
    made = node("DeformConv", names, group=group, offset_group=parts, **how)
    listed = [n for n in names.split() if n != "_"]
    infos = [
        info(n, shape=(batch, *a.shape[1:]) if n in "xom" else a.shape)
        for n, a in zip(listed, arrays, strict=True)
    ]
    proto = model(made, infos, 19)
    (found,) = interpreted(proto, *arrays)
    np.testing.assert_allclose(found, by_reference(proto, *arrays), 1e-3, 1e-4)


@pytest.mark.parametrize(
    "made, shapes, error, message",
    [
        (node("GridSample", "x y", "z"), [(1, 1, 2, 2), (1, 2, 2, 3)], InputError, "does not fit"),
        (
            node("GridSample", "x y", "z", mode="odd"),
            [(1, 1, 2, 2), (1, 2, 2, 2)],
            InputError,
            "odd",
        ),
        (node("AffineGrid", "x s", "z"), [(1, 2, 3), None], InputError, "of rank 5"),
        (
            node("DeformConv", "x y o", "z"),
            [(1, 2, 4, 4), (2, 2, 3, 3), (1, 18, 3, 2)],
            InputError,
            "offsets do not fit",
        ),
    ],
)
def test_what_does_not_fit(
    made: Any, shapes: list[Any], error: type[OpcError], message: str
) -> None:
    names = [n for n in made.input if n != "s"]
    infos = [info(n, shape=s) for n, s in zip(names, shapes, strict=False)]
    size = onnx.numpy_helper.from_array(np.int64([1, 1, 2, 2, 2]), "s")
    with pytest.raises(error, match=message):
        interpreted(model(made, infos, 22, initializers=[size]))
