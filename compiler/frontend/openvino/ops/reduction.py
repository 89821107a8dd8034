"""Sums along axes: reductions, normalizations, products of matrices, attention and spectra."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc import reduction as r
from opc.dialects.opc.indexing import ScatterOp
from opc.dialects.shape import Shape, shape_text
from opc.frontend.models import attention as at
from opc.frontend.models import known as kn
from opc.frontend.models.inverse import inverted
from opc.frontend.models.known import Known
from opc.frontend.models.moving import centred
from opc.frontend.models.norms import mean
from opc.frontend.models.rounded_activations import matmul as multiplied
from opc.frontend.models.traced import extended

from .as_onnx import same_as
from .layer import Attributes, Data, Layer, Numbers, Scalar, Wide
from .schema import openvino


def _axes(layer: Layer, rank: int) -> Any:
    """The axes in input 1, numbers or an array."""
    numbers = layer.known_numbers(1)
    return layer.traced(1) if numbers is None else layer.axes(numbers, rank)


def reduction(kind: type[r.Reduction]) -> Callable[..., Any]:
    """A reduction over the axes in input 1; over none of them the identity."""

    def function(layer: Layer, data: Data, *, keep_dims: bool) -> Any:
        axes, keeps = _axes(layer, data.ndim), keep_dims or None
        if isinstance(axes, tuple):
            return data.trace.emit(kind, data, axes=axes, keepdims=keeps)
        return data.trace.emit(kind, data, axes, keepdims=keeps)

    return function


for _name in ["Sum", "Min", "Max", "Mean", "Prod", "L1", "L2"]:
    openvino(f"Reduce{_name}")(reduction(getattr(r, f"Reduce{_name}Op")))
openvino("ReduceLogicalAnd")(reduction(r.ReduceAllOp))
openvino("ReduceLogicalOr")(reduction(r.ReduceAnyOp))


@openvino("MVN", 2, 6)
def mvn(layer: Layer, data: Wide, a: Attributes) -> Any:
    """MVN: x minus its mean, with normalize_variance divided by its standard deviation.

    MVN-2 normalizes spatial axes, with across_channels also channels.  eps is added to the
    variance, or to its root.
    """
    if layer.schema.since < 6:
        first, is_inside = 1 if a.across_channels else 2, True
        axes = layer.axes(a.reduction_axes or range(first, data.ndim), data.ndim)
    else:
        axes, is_inside = _axes(layer, data.ndim), a.eps_mode == "inside_sqrt"
    centred = data - mean(data, axes)
    if not a.normalize_variance:
        return centred
    variance = mean(centred * centred, axes)
    return centred / (onp.sqrt(variance + a.eps) if is_inside else onp.sqrt(variance) + a.eps)


@openvino("GRN", 1)
def grn(data: Wide, *, bias: float) -> Any:
    """GRN-1: x / sqrt(sum of squares over channels + bias)."""
    return data / onp.sqrt(onp.sum(data * data, 1, keepdims=True) + bias)


@openvino("NormalizeL2", 1)
def normalize_l2(layer: Layer, data: Wide, *, eps: float, eps_mode: str) -> Any:
    """NormalizeL2-1: x / sqrt(sum of squares), which eps is added to or bounds from below."""
    total = onp.sum(data * data, _axes(layer, data.ndim), keepdims=True)
    return data / onp.sqrt((onp.add if eps_mode == "add" else onp.maximum)(total, eps))


@openvino("MatMul", 1)
def matmul(A: Data, B: Data, *, transpose_a: bool, transpose_b: bool) -> Any:
    """MatMul-1: opc.matmul, each side transposed or not; a list stays as it is."""
    pairs = ((A, transpose_a), (B, transpose_b))
    return multiplied(*(x.mT if turns and x.ndim > 1 else x for x, turns in pairs))


@openvino("Inverse", 14)
def inverse(layer: Layer, *, adjoint: bool) -> Any:
    """Inverse-14 --> opc.scan over the columns; ``adjoint`` transposes the result."""
    return inverted(layer, adjoint)


def _bias(layer: Layer, scores: Shape, type: el.ElementType) -> Any:
    """The mask, i1 or additive; None if it is absent or 0."""
    if not layer.has(3) or (layer.number(3) == 0 and layer.element(3) is not el.I1):
        return None
    x = layer.traced(3, el.I1 if layer.element(3) is el.I1 else type)
    if x.ndim > len(scores):
        raise layer.error(f"a mask of rank {x.ndim} for scores of rank {len(scores)}")
    for n, extent in zip(reversed(x.extents), reversed(scores), strict=False):
        layer.require("stretch", n, extent, "the mask does not broadcast to the scores")
    return x


@openvino("ScaledDotProductAttention", 13)
def attention(
    layer: Layer, query: Wide, key: Wide, value: Wide, scale: Scalar, *, causal: bool
) -> Any:
    """ScaledDotProductAttention-13: softmax(q k^T * scale + mask) v.

    With ``causal`` query i attends to keys 0 to i, and the mask is ignored.  A query without
    keys gives NaN.
    """
    ranks = [x.ndim for x in (query, key, value)]
    if ranks[0] < 2 or len(set(ranks)) > 1:
        raise layer.error(f"ranks {ranks}, expected one, 2 or more")
    q = at.scaled(query, None) if scale is None else query * scale.astype(query.element)
    x = q @ key.mT
    bias = None if causal else _bias(layer, x.extents, q.element)
    conditions: list[Any] = []
    if causal:
        conditions = at.Window(ex.const(0), None, 0).seen(layer.trace, *x.extents[-2:])
    if bias is not None and bias.element is el.I1:
        conditions, bias = [bias], None
    return at.softmax(at.masked(x, conditions, bias), False) @ value


def _positive(layer: Layer, position: int) -> int:
    """A positive number in an input."""
    number = layer.one_number(position)
    if number < 1:
        raise layer.error(f"input {layer.input_name(position)} is {number}")
    return number


def _centred(layer: Layer, window: Any, frame: int) -> Any:
    """The window, centred in a frame."""
    (extent,) = window.extents
    if extent.constant is None or extent.constant > frame:
        raise layer.unsupported(f"a window of {extent_text(extent)} elements for frames of {frame}")
    return centred(window, 0, ex.const(frame))


def _one(number: ex.Expr | int) -> Known:
    return kn.of([number], ())


@openvino("STFT", 15)
def stft(layer: Layer, data: Wide, window: Wide, *, transpose_frames: bool) -> Any:
    """STFT-15: [B, samples] --> [B, frames, bins, 2], or bins before frames."""
    frame_size, frame_step = (_positive(layer, k) for k in (2, 3))
    *batch, samples = shape = data.extents
    if len(shape) not in (1, 2):
        raise layer.error(f"a signal {shape_text(shape)}")
    signal = data.reshape((*(batch or (1,)), samples, 1))
    frame = _centred(layer, window, frame_size)
    inputs = [signal, _one(frame_step), frame, _one(frame_size)]
    (spectra,) = same_as(layer, "STFT", 17, inputs, onesided=1)
    if transpose_frames:
        spectra = spectra.transpose(0, 2, 1, 3)
    return spectra if batch else spectra.reshape(spectra.extents[1:])


def _overlaid(frames: Any, step: int) -> Any:
    """Overlap-add: frames [B, T, n] at distances of ``step`` --> [B, samples]."""
    trace, (batch, count, size) = frames.trace, frames.extents
    front = frames.transpose(1, 2, 0)
    zeros = trace.full(((count - 1) * step + size, batch), 0, frames.element)
    places = trace.positions(count).reshape(-1, 1) * step + trace.positions(size)
    how: dict[str, Any] = {"axes": (0,), "reduction": "add", "from_end": False}
    return trace.emit(ScatterOp, zeros, front, places, **how).T


@openvino("ISTFT", 16)
def istft(layer: Layer, data: Wide, window: Wide, *, center: bool, normalized: bool) -> Any:
    """ISTFT-16: [B, bins, frames, 2] --> overlap-add of frames, by that of the squared window."""
    frame_size, frame_step = (_positive(layer, k) for k in (2, 3))
    length = _positive(layer, 4) if layer.has(4) else None
    shape = data.extents
    if len(shape) not in (3, 4):
        raise layer.error(f"a spectrum {shape_text(shape)}")
    layer.require("equal", shape[-1], ex.const(2), "a complex number has two parts")
    batched = (*(shape[:-1] if len(shape) == 4 else (1, *shape[:-1])), 2)
    inputs = [data.reshape(batched).transpose(0, 2, 1, 3), _one(frame_size), _one(2)]
    (frames,) = same_as(layer, "DFT", 20, inputs, inverse=1, onesided=1)
    frames = frames[..., 0]
    if normalized:
        frames = frames * float(np.sqrt(frame_size))
    weights = _centred(layer, window, frame_size).astype(frames.element)
    total = _overlaid(frames * weights, frame_step)
    squares = onp.broadcast_to(weights * weights, (1, frames.extents[1], frame_size))
    weights = _overlaid(squares, frame_step)
    signal = total / onp.where(weights > 0, weights, 1)
    if center:
        half, last = frame_size // 2, signal.shape[1]
        signal = signal[:, half : last - half if length is None else None]
    if length is not None:
        signal = extended(signal, 1, 0, length)[:, :length]
    return signal.reshape(signal.extents[4 - len(shape) :])


@openvino("DFT", 7, real=False, inverse=False)
@openvino("IDFT", 7, real=False, inverse=True)
@openvino("RDFT", 9, real=True, inverse=False)
@openvino("IRDFT", 9, real=True, inverse=True)
def fourier(layer: Layer, data: Data, axes: Numbers, *, real: bool, inverse: bool) -> Any:
    """DFT-7, IDFT-7, RDFT-9 and IRDFT-9: a transform along each axis.

    RDFT transforms the last axis first and keeps half of the spectrum; IRDFT transforms it last.
    """
    x, is_first = data, real and not inverse
    places = layer.axes(axes, x.ndim - (0 if is_first else 1))
    # A length of -1 is that of the signal.
    lengths = layer.stated(2, len(places)) if layer.has(2) else (ex.const(-1),) * len(places)
    steps = list(zip(places, (None if e == -1 else _one(e) for e in lengths), strict=True))
    if is_first:
        x, steps = x.reshape((*x.extents, 1)), steps[::-1]
    for k, (axis, size) in enumerate(steps):
        half = real and k == (len(steps) - 1 if inverse else 0)
        if half and inverse and size is None:
            size = _one(2 * (x.extents[axis] - 1))
        flags = {"inverse": int(inverse), "onesided": int(half)}
        (x,) = same_as(layer, "DFT", 20, [x, size, _one(axis)], **flags)
    return x.reshape(x.extents[:-1]) if real and inverse else x
