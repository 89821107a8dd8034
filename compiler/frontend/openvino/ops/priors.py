"""PriorBox and PriorBoxClustered: boxes of given sizes around each point of a grid.

The result has two rows: the boxes, relative to the image, and their variances.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.traced import NodeTrace
from opc.frontend.python.extent import expr_of

from .layer import Layer
from .schema import openvino


def _sizes(layer: Layer, trace: NodeTrace, position: int) -> tuple[Any, Any]:
    """Height and width of an input."""
    height, width = map(trace.size, layer.stated(position, 2))
    return height, width


def _f32(trace: NodeTrace, x: Any) -> Any:
    """Numbers, an extent or an array in f32."""
    if isinstance(x, int | float):
        return np.float32(x)
    return trace.given(x, el.F32) if isinstance(x, np.ndarray) else (x * 1.0).astype("f32")


def _placed(
    layer: Layer, trace: NodeTrace, grid: tuple[Any, Any], image: tuple[Any, Any],
    centres: tuple[Any, Any], halves: Any, moved: Any = None,
) -> Any:  # fmt: skip
    """Boxes around [H] and [W] centres; ``halves`` are half widths and heights, [priors, 2].

    ``moved`` are offsets (right, down) of the first boxes, which are clipped to the image.
    """
    count = halves.shape[0]
    shape = (*grid, count, 1)
    rows = centres[0].reshape(-1, 1, 1, 1)
    columns = centres[1].reshape(1, -1, 1, 1)
    inside = None
    if moved is not None:
        by = np.zeros((2, 1, 1, count, 1), np.float32)
        by[:, 0, 0, : len(moved), 0] = moved.T
        rows, columns = rows + by[1], columns + by[0]
        inside = np.zeros((1, 1, count, 1), np.bool_)
        inside[:, :, : len(moved)] = True
        inside = trace.constant(inside, el.I1)
    width, height = (halves[:, k].reshape(1, 1, count, 1) for k in range(2))
    sides = [columns - width, rows - height, columns + width, rows + height]
    zero = trace.constant(np.zeros((1, 1, 1, 1)), el.F32)
    edges: list[Any] = []
    for k, side in enumerate(sides):
        part = side / _f32(trace, image[1 - k % 2])
        if inside is not None:
            edge = np.maximum(part, np.float32(0)) if k < 2 else np.minimum(part, np.float32(1))
            part = onp.where(inside, edge, part)
        if layer.attr("clip"):
            part = np.minimum(np.maximum(part, np.float32(0)), np.float32(1))
        edges.append(onp.broadcast_to(zero + part, shape))
    boxes = onp.concatenate(edges, axis=3)
    variance = tuple(layer.attr("variance")) or (0.1,)
    if len(variance) not in (1, 4):
        raise layer.error(f"{len(variance)} variances, expected 1 or 4")
    others = np.broadcast_to(np.array(variance, np.float32), (4,))
    line = trace.full(boxes.extents, others, el.F32)
    return onp.concatenate([v.reshape(1, -1) for v in (boxes, line)])


def _ratios(layer: Layer) -> list[float]:
    """The different aspect ratios except 1, with flip also their reciprocals."""
    ratios = [1.0]
    for ratio in layer.attr("aspect_ratio"):
        if all(abs(ratio - other) >= 1e-6 for other in ratios):
            ratios.append(ratio)
            if layer.attr("flip"):
                ratios.append(1 / ratio)
    return ratios[1:]


def _halves(layer: Layer, least: Any) -> Any:
    """Half the width and height of each box, [priors, 2]; ``least`` is min_size."""
    ratios, most = np.sqrt(np.array(_ratios(layer), np.float32)), layer.attr("max_size")
    first = layer.attr("min_max_aspect_ratios_order")
    all_sizes = layer.attr("scale_all_sizes")
    sizes: list[Any] = []
    count = len(layer.attr("min_size"))
    for k in range(count):
        size = least[k]
        sizes.append((size, size))
        larger = [(np.sqrt(size * np.float32(most[k])),) * 2] if k < len(most) else []
        base = size if all_sizes else least[0]
        has_ratios = all_sizes or k == count - 1
        others = [(base * r, base / r) for r in ratios] if has_ratios else []
        sizes += [*larger, *others] if first else [*others, *larger]
    if not sizes:
        return np.zeros((0, 2), np.float32)
    return np.stack([np.stack([w, h]) for w, h in sizes]).astype(np.float32) * np.float32(0.5)


def _dense(layer: Layer) -> tuple[Any, Any]:
    """The dense boxes of fixed_size: half widths and heights, and offsets."""
    halves: list[tuple[float, float]] = []
    moved: list[tuple[float, float]] = []
    fixed_ratios, density = layer.attr("fixed_ratio"), layer.attr("density")
    if len(density) < len(layer.attr("fixed_size")) and (density or fixed_ratios or _ratios(layer)):
        raise layer.error(f"{len(density)} densities for {len(layer.attr('fixed_size'))} sizes")
    for k, size in enumerate(layer.attr("fixed_size")):
        ratios = fixed_ratios or ([None] if density else []) + _ratios(layer)
        if not ratios:
            continue
        count = int(density[k])
        if count < 1:
            raise layer.error(f"density {density[k]}")
        # OpenVINO computes with truncated integers here.
        step, pixels = int(size / count), int(size)
        for ratio in ratios:
            root = np.sqrt(np.float32(ratio or 1))
            side = np.float32(pixels if ratio is None else size) * np.float32(0.5)
            for row in range(count):
                for column in range(count):
                    halves.append((side * root, side / root))
                    first = step / 2 - pixels // 2
                    moved.append((first + column * step, first + row * step))
    return np.array(halves, np.float32).reshape(-1, 2), np.array(moved, np.float32).reshape(-1, 2)


@openvino("PriorBox", 1, 8)
def prior_box(layer: Layer) -> Any:
    """PriorBox-1 and -8."""
    trace, step = layer.trace, layer.attr("step")
    least = np.array(layer.attr("min_size"), np.float32)
    grid, image = _sizes(layer, trace, 0), _sizes(layer, trace, 1)
    if not layer.attr("scale_all_sizes"):
        if not isinstance(image[0], int) or not isinstance(grid[0], int):
            raise layer.unsupported("scale_all_sizes = false, of an image of unknown height")
        step = image[0] / grid[0] if step == -1 else step * image[0]
        least = least * np.float32(image[0])
    centres: list[Any] = []
    for n, size in zip(grid, image, strict=True):
        at = _numbers(trace, n)
        if step == 0:
            centres.append((at + np.float32(0.5)) * (_f32(trace, size) / _f32(trace, n)))
        else:
            centres.append((at + np.float32(layer.attr("offset"))) * np.float32(step))
    dense, moved = _dense(layer)
    halves = np.concatenate([dense, _halves(layer, least)])
    # OpenVINO's count of priors assumes as many fixed ratios as others, and no other sizes.
    others = 1 + len(_ratios(layer))
    per_size = len(layer.attr("fixed_ratio")) or others
    more = per_size * sum(int(d) ** 2 - 1 for d in layer.attr("density"))
    if len(dense) and len(halves) != others * len(layer.attr("fixed_size")) + more:
        raise layer.unsupported(f"{len(halves)} priors, which OpenVINO counts otherwise")
    moved = moved if len(moved) else None
    return _placed(layer, trace, grid, image, (centres[0], centres[1]), halves, moved)


def _numbers(trace: NodeTrace, n: Any) -> Any:
    """0, 1, 2, ... up to an extent of the trace, in f32."""
    numbers = trace.numbers(expr_of(n))
    return _f32(trace, numbers.astype("f8" if isinstance(n, int) else "f32"))


@openvino("PriorBoxClustered", 1)
def prior_box_clustered(layer: Layer) -> Any:
    """PriorBoxClustered-1."""
    trace = layer.trace
    grid, image = _sizes(layer, trace, 0), _sizes(layer, trace, 1)
    widths, heights = (np.array(layer.attr(name), np.float32) for name in ("width", "height"))
    if len(widths) != len(heights):
        raise layer.error(f"{len(widths)} widths and {len(heights)} heights")
    both = layer.attr("step")
    steps = [layer.attr(name) or both for name in ("step_h", "step_w")]
    centres: list[Any] = []
    for n, size, step in zip(grid, image, steps, strict=True):
        by = np.float32(step) if any(steps) else _f32(trace, size) / _f32(trace, n)
        centres.append((_numbers(trace, n) + np.float32(layer.attr("offset"))) * by)
    halves = np.stack([widths, heights], axis=1) * np.float32(0.5)
    return _placed(layer, trace, grid, image, (centres[0], centres[1]), halves)
