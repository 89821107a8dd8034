"""Fourier transforms along axes, STFT and ISTFT: spectra of the frames of a signal, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.indexing import ScatterOp
from opc.dialects.shape import shape_of, shape_text, tensor_of
from opc.frontend.models import known as kn
from opc.frontend.models.moving import centred
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import extended, value
from opc.frontend.python.elementwise import widened

from .as_onnx import same_as
from .layer import Layer
from .schema import openvino


def _number(layer: Layer, position: int) -> int:
    """A positive number in an input."""
    number = layer.one_number(position)
    if number < 1:
        raise layer.error(f"input {layer.schema.input(position).name} is {number}")
    return number


def _window(layer: Layer, position: int, frame: int) -> Any:
    """The window, centred in a frame."""
    (extent,) = layer.shape(position)
    if extent.constant is None or extent.constant > frame:
        raise layer.unsupported(f"a window of {extent_text(extent)} elements for frames of {frame}")
    return centred(widened(layer.traced(position)), 0, ex.const(frame))


@openvino("STFT", 15)
def stft(layer: Layer) -> Any:
    """STFT-15: [B, samples] --> [B, frames, bins, 2], or bins before frames."""
    frame, step, shape = _number(layer, 2), _number(layer, 3), layer.shape()
    if len(shape) not in (1, 2):
        raise layer.error(f"a signal {shape_text(shape)}")
    x = widened(layer.traced(0))
    signal = x.reshape((*((1,) if len(shape) == 1 else shape[:1]), shape[-1], 1))
    inputs = [signal.value, kn.of([step], ()), _window(layer, 1, frame).value, kn.of([frame], ())]
    spectra = layer.trace.array(layer.tensor(same_as(layer, "STFT", 17, inputs, onesided=1)[0]))
    if layer.attr("transpose_frames"):
        spectra = spectra.transpose(0, 2, 1, 3)
    if len(shape) == 1:
        spectra = spectra.reshape(spectra.extents[1:])
    return value(layer, spectra)


def _overlaid(frames: Any, step: int) -> Any:
    """Overlap-add: frames [B, T, n] at distances of ``step`` --> [B, samples]."""
    trace, (batch, count, size) = frames.trace, frames.extents
    front = frames.transpose(1, 2, 0)
    zeros = trace.full(((count - 1) * step + size, batch), 0, frames.element)
    places = trace.positions(count).reshape(-1, 1) * step + trace.positions(size)
    how: dict[str, Any] = {"axes": (0,), "reduction": "add", "from_end": False}
    return trace.emit(ScatterOp, zeros, front, places, **how).T


@openvino("ISTFT", 16)
def istft(layer: Layer) -> Any:
    """ISTFT-16: [B, bins, frames, 2] --> overlap-add of frames, by that of the squared window."""
    frame, step, shape = _number(layer, 2), _number(layer, 3), layer.shape()
    if len(shape) not in (3, 4):
        raise layer.error(f"a spectrum {shape_text(shape)}")
    layer.require("equal", shape[-1], ex.const(2), "a complex number has two parts")
    batched = (*(shape[:-1] if len(shape) == 4 else (1, *shape[:-1])), 2)
    x = widened(layer.traced(0)).reshape(batched).transpose(0, 2, 1, 3)
    inputs = [x.value, kn.of([frame], ()), kn.of([2], ())]
    frames = layer.tensor(same_as(layer, "DFT", 20, inputs, inverse=1, onesided=1)[0])
    frames = layer.trace.array(frames)[..., 0]
    if layer.attr("normalized"):
        frames = frames * float(np.sqrt(frame))
    window = _window(layer, 1, frame).astype(frames.element)
    total = _overlaid(frames * window, step)
    squares = onp.broadcast_to(window * window, (1, frames.extents[1], frame))
    weights = _overlaid(squares, step)
    signal = total / onp.where(weights > 0, weights, 1)
    if layer.attr("center"):
        half, length = frame // 2, signal.shape[1]
        signal = signal[:, half : None if layer.has(4) else length - half]
    if layer.has(4):
        wanted = _number(layer, 4)
        signal = extended(signal, 1, 0, wanted)[:, :wanted]
    return value(layer, signal.reshape(signal.extents[4 - len(shape) :]))


@openvino("DFT", 7)
@openvino("IDFT", 7)
@openvino("RDFT", 9)
@openvino("IRDFT", 9)
def fourier(layer: Layer) -> tuple[Result, ...]:
    """DFT-7, IDFT-7, RDFT-9 and IRDFT-9: a transform along each axis.

    RDFT transforms the last axis first and keeps half of the spectrum; IRDFT transforms it last.
    """
    real, inverse = layer.schema.type in ("RDFT", "IRDFT"), layer.schema.type.startswith("I")
    x = layer[0]
    shape = layer.shape()
    rank = len(shape) - (0 if real and not inverse else 1)
    axes = layer.axes(layer.numbers(1), rank)
    # A length of -1 is that of the signal.
    lengths = layer.stated(2, len(axes)) if layer.has(2) else (ex.const(-1),) * len(axes)
    sizes = [None if e == -1 else kn.of([e], ()) for e in lengths]
    steps = list(zip(axes, sizes, strict=True))
    if real and not inverse:
        x, steps = layer.reshape(x, (*shape, 1)), steps[::-1]
    for k, (axis, size) in enumerate(steps):
        half = real and k == (len(steps) - 1 if inverse else 0)
        if half and inverse and size is None:
            size = kn.of([2 * (shape_of(tensor_of(x))[axis] - 1)], ())
        inputs = [x, size, kn.of([axis], ())]
        flags = {"inverse": int(inverse), "onesided": int(half)}
        x = layer.tensor(same_as(layer, "DFT", 20, inputs, **flags)[0])
    if real and inverse:
        x = layer.reshape(x, shape_of(tensor_of(x))[:-1])
    return (x,)
