"""Window functions, DFT, STFT and MelWeightMatrix.

A transform is a product with a matrix of roots of unity, computed in f64; it is a constant if the
length is known at compile time.  DFT of suitable lengths is a fast Fourier transform.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.budgets import check
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.parts import WindowsOp
from opc.dialects.shape import MAX_RANK, type_text
from opc.frontend.models.elementary import LN10, cosine, sine
from opc.frontend.models.moving import split_at
from opc.frontend.models.traced import NodeTrace, value

from .fourier import factors, transform
from .node import Node
from .schema import Legalize, Result, onnx

LONGEST_FACTOR = 13
"""Lengths with a greater prime factor, and shorter real signals, use a matrix product."""


def _type(node: Node) -> el.ElementType:
    return node.type_in(
        "output_datatype", lambda type: (type.is_integer or type.is_float) and type.bits >= 8
    )


def window(*cosines: float) -> Legalize:
    """XWindow(size) --> a[0] + a[1] cos(2 pi n / N) + ...; N is size, or size - 1 if symmetric."""

    def legalize(node: Node) -> Result:
        trace, size, type = node.trace, node.extent_in(0), _type(node)
        period = trace.size(size if node.attr("periodic") else size - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            angle = trace.numbers(size) * (2 * np.pi) / np.float64(1) / period
            samples = sum(a * cosine(k * angle) for k, a in enumerate(cosines))
        return value(node, trace.given(samples, type), type)

    return legalize


@onnx("MelWeightMatrix", 17)
def mel_weights(node: Node) -> Result:
    """MelWeightMatrix --> triangles over spectral bins, equally wide on the mel scale."""
    trace, type = node.trace, _type(node)
    bins, length = node.extent_in(0), node.extent_in(1)
    rate, low, high = (node.traced(k, el.F64).reshape(()) for k in range(2, 5))
    low, high = (2595 * (np.log(1 + f / 700) / LN10) for f in (low, high))
    mels = trace.numbers(bins + 2) * ((high - low) / trace.size(bins + 2)) + low
    hertz = 700 * (np.power(10.0, mels / 2595) - 1)
    edges = np.floor((trace.size(length) + 1) * hertz / rate)
    count = trace.size(bins)
    lower, centre, upper = edges[:count], edges[1 : count + 1], edges[2 : count + 2]
    j = trace.numbers(_half(length)).reshape(-1, 1)
    j = trace.given(j, el.F64)
    rising = np.where((j >= lower) & (j <= centre), (j - lower) / (centre - lower), 0.0)
    rising = np.where(centre == lower, np.where(j == centre, 1.0, 0.0 * j), rising)
    falls = (upper > centre) & (j >= centre) & (j < upper)
    weights = np.where(falls, (upper - j) / (upper - centre), rising)
    return value(node, weights, type)


def _stacked(parts: list[list[Any]], k: Any) -> Any:
    """a * b matrices [n, m] interleaved as [n * a, m * b]."""
    rows = [np.stack(row, axis=-1) for row in parts]
    interleaved = np.stack(rows, axis=1)
    return interleaved.reshape(-1, k * len(parts[0]))


def roots(
    trace: NodeTrace, sizes: tuple[ex.Expr, ex.Expr, ex.Expr], *, parts: int, inverse: bool
) -> Any:
    """The matrix [n * parts, m * 2] from n numbers to m complex frequencies.

    ``sizes`` are n, m and the transform length.  ``parts`` is 2 for complex numbers, else 1.
    """
    n, m, length = sizes
    period = trace.size(length)
    angle = trace.numbers(n).reshape(-1, 1) * trace.numbers(m) % period * (2 * np.pi) / period
    real, imaginary = cosine(angle), sine(angle)
    if inverse:
        real, imaginary = real / period, -imaginary / period
    matrices = [[real, -imaginary], [imaginary, real]]
    return _stacked(matrices[:parts], trace.size(m))


def real_roots(trace: NodeTrace, sizes: tuple[ex.Expr, ex.Expr, ex.Expr]) -> Any:
    """The matrix [n * 2, m] from n frequencies of one side of a spectrum to m real numbers.

    Frequencies that mirror themselves count once, all others twice.
    """
    n, m, length = sizes
    period, k = trace.size(length), trace.numbers(n).reshape(-1, 1)
    angle = k * trace.numbers(m) % period * (2 * np.pi) / period
    alone = (k * 2 % period == 0) | (k * 2 > period)
    scale = np.where(alone, np.where(k * 2 > period, 0.0, 1.0), 2.0) / period
    return _stacked([[cosine(angle) * scale], [-sine(angle) * scale]], trace.size(m))


def _axis(node: Node, rank: int) -> int | None:
    """The axis to transform; None if known only at run time."""
    axis: int | None = -2
    if node.has(2):
        if ex.product(node.shape(2)) != 1:
            raise node.error(f"expected one axis, found {type_text(node[2].type)}")
        numbers = node.known_numbers(2)
        axis = None if numbers is None else numbers[0]
    if axis is not None and node.axis(axis, rank) == rank - 1:
        raise node.error(f"axis {axis} is that of real and imaginary parts")
    return axis if axis is None else axis % rank


def _half(length: ex.Expr) -> ex.Expr:
    """The number of frequencies on one side of a spectrum."""
    return ex.floordiv(length, ex.const(2)) + 1


def _results(n: ex.Expr, onesided: bool, inverse: bool) -> ex.Expr:
    """The number of results of n numbers."""
    if not onesided:
        return n
    return ex.maximum((n - 1) * 2, 1) if inverse else _half(n)


def _fast(x: Any, axis: int, parts: int, inverse: bool) -> Any:
    """The fast Fourier transform of x along an axis of known extent: [..., 2]."""
    n = x.shape[axis]
    x = np.moveaxis(x, axis, -2)
    shape = x.shape[:-2]
    rows = x.reshape(-1, n, parts)
    real = rows[..., 0]
    imaginary = rows[..., 1] if parts == 2 else np.zeros_like(real)
    transformed = transform(x.trace, (real, imaginary), n, 1 if inverse else -1)
    y = np.stack(transformed, axis=-1).reshape([*shape, n, 2])
    return np.moveaxis(y * (1 / n) if inverse else y, -2, axis)


def _is_fast(n: ex.Expr, parts: int) -> bool:
    """Whether a fast transform is cheaper than a matrix product."""
    if n.constant is None or n == 0:
        return False
    longest = max(factors(n.constant), default=1)
    return longest <= LONGEST_FACTOR and (parts == 2 or n.constant > LONGEST_FACTOR)


def _one_of(node: Node, x: Any, parts: int, inverse: bool) -> Any:
    """Transforms along all axes, selected by the axis in input 2."""
    axis, rank = node.traced(2).reshape(()), x.ndim
    transforms = [_fast(x, k, parts, inverse) for k in range(rank - 1)]
    selected: Any = transforms[0]
    for k, y in enumerate(transforms[1:], 1):
        selected = onp.where((axis == k) | (axis == k - rank), y, selected)
    return selected


def _parts(node: Node) -> int:
    """The parts of numbers, 1 or 2, by the last axis of input 0; 0 if neither."""
    shape = node.shape()
    count = shape[-1].constant if shape else 0
    if count is None:
        raise node.unsupported(
            f"{type_text(node[0].type)}: whether the last axis has 1 or 2 parts must be known"
        )
    return count if count in (1, 2) else 0


@onnx("DFT", 17, 20)
def dft(node: Node) -> Result:
    """DFT(x, length, axis) --> opc.matmul of x with roots of unity, or a fast transform."""
    shape, trace, parts = node.shape(), node.trace, _parts(node)
    if len(shape) < 2 or not parts:
        raise node.error(f"{type_text(node[0].type)} does not end in an axis of 1 or 2 parts")
    inverse, onesided = bool(node.attr("inverse")), bool(node.attr("onesided"))
    if onesided and parts != (2 if inverse else 1):
        raise node.error(f"onesided = 1 and inverse = {int(inverse)}, for {parts} parts")
    axis, chosen = _axis(node, len(shape)), node.extent_in(1) if node.has(1) else None
    if axis is None:
        if chosen is not None or 2 * len(shape) > MAX_RANK:
            raise node.unsupported("a length, or a rank above 7, with a run-time axis")
        others, own = node.split(2, shape, len(shape) - 1)
        node.require("equal", own[-1], ex.const(1), "the axis is that of the parts of numbers")
        others, own = others[:-1], own[:-1]
    else:
        others, own = split_at(shape[:-1], axis)
    real = onesided and inverse
    n = ex.product(own)
    check("the roots of a transform", "table", 4 * (n.constant or 0))
    x, type = node.traced(0, node.wide()), node.wide()
    if chosen is None and not onesided:
        if axis is not None and _is_fast(n, parts):
            return value(node, _fast(x, axis, parts, inverse))
        if axis is None and all(_is_fast(e, parts) for e in shape[:-1]):
            return value(node, _one_of(node, x, parts, inverse))
    # Other axes have extent 1 here and keep it.
    new = [
        _results(e, onesided, inverse) if k == axis or axis is None else e
        for k, e in enumerate(own)
    ]
    if chosen is not None and axis is not None:
        new[axis] = _half(chosen) if onesided and not inverse else chosen
    m = ex.product(new)
    length = chosen if chosen is not None else m if real else n
    # Longer signals are truncated; shorter ones are implicitly padded with zeros.
    seen = n if chosen is None else ex.minimum(n, _half(chosen) if real else chosen)
    sizes = (seen, m, length)
    if ex.product((seen, m)).constant == 0 or length == 0:
        raise node.error("a transform of length 0")
    check("the matrix of a transform", "table", 4 * (ex.product((seen, m)).constant or 0))
    matrix = real_roots(trace, sizes) if real else roots(trace, sizes, parts=parts, inverse=inverse)
    rank = len(own)
    pairs = [e for pair in zip(others, own, strict=True) for e in pair]
    x = x.reshape([*map(trace.size, pairs), parts])
    x = x.transpose([*range(0, 2 * rank, 2), *range(1, 2 * rank, 2), 2 * rank])
    x = x.reshape(trace.size(ex.product(others)), trace.size(n), parts)
    x = x if seen == n else x[:, : trace.size(seen)]
    y = x.reshape(trace.size(ex.product(others)), -1) @ trace.given(matrix, type)
    out = 1 if real else 2
    y = y.reshape([*map(trace.size, others), *map(trace.size, new), out])
    y = y.transpose([k + part for k in range(rank) for part in (0, rank)] + [2 * rank])
    extents = [trace.size(a * b) for a, b in zip(others, new, strict=True)]
    return value(node, y.reshape([*extents, out]))


@onnx("STFT", 17)
def stft(node: Node) -> Result:
    """STFT(x, step, window, length) --> opc.matmul of opc.windows of x with roots of unity."""
    if len(node.shape()) == 2:
        # Exporters omit the last axis of real signals, and runtimes accept it.
        x = node.reshape(node[0], (*node.shape(), 1))
        node = node.with_inputs(x, *node.inputs[1:])
    shape, trace = node.shape(), node.trace
    parts, onesided = _parts(node), bool(node.attr("onesided"))
    if len(shape) != 3 or not parts:
        raise node.error(f"{type_text(node[0].type)} is not a signal [batch, length, 1 or 2]")
    if onesided and parts == 2:
        raise node.error("onesided = 1, for a signal of 2 parts")
    size = node.shape(2)[0] if node.has(2) and len(node.shape(2)) == 1 else None
    if size is None and node.has(2):
        raise node.error(f"the window is {type_text(node[2].type)}, expected one axis")
    length = node.extent_in(3) if node.has(3) else shape[1] if size is None else size
    size = length if size is None else size
    step, lead = (
        node.extent_in(1),
        f"the window of {extent_text(size)} is longer than {extent_text(length)}",
    )
    node.require("equal", ex.minimum(size, length), size, lead)
    node.require("equal", ex.minimum(length, shape[1]), length, "the signal is too short")
    node.require("equal", ex.minimum(step, 1), ex.const(1), "the step is 0")
    frames = ex.floordiv(shape[1] - length, step) + 1
    type, m = node.wide(), _half(length) if onesided else length
    check("the matrix of a transform", "table", 4 * (ex.product((size, m)).constant or 0))
    matrix = trace.given(roots(trace, (size, m, length), parts=parts, inverse=False), type)
    if node.has(2):
        window: Any = node.traced(2, type).reshape(-1, 1)
        rows: Any = np.stack([window] * parts, axis=1)
        matrix = matrix * rows.reshape(-1, 1)
    stride, span = step.constant, length.constant
    if stride is not None and span is not None and size.constant is not None:
        x = node.traced(0, type).transpose([0, 2, 1])
        windows = trace.emit(WindowsOp, x, sizes=(span,), strides=(stride,), dilations=(1,))
        windows = windows[..., : size.constant].transpose([0, 2, 3, 1])
    else:
        x = node.traced(0, type)
        numbers = trace.given(trace.numbers(frames).reshape(-1, 1), el.I64)
        indices = numbers * trace.size(step) + trace.line(size)
        windows = trace.emit(GatherOp, x, indices, axes=(1,), from_end=False)
    frames = windows.extents[1]
    flat = windows.reshape([trace.size(e) for e in (shape[0], frames)] + [trace.size(size) * parts])
    y = flat @ matrix
    return value(node, y.reshape([trace.size(e) for e in (shape[0], frames, m)] + [2]))


onnx("HannWindow", 17)(window(0.5, -0.5))
onnx("HammingWindow", 17)(window(25 / 46, 25 / 46 - 1))
onnx("BlackmanWindow", 17)(window(0.42, -0.5, 0.08))
