"""STFT and ISTFT: spectra of the frames of a signal, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc import binary as b
from opc.dialects.opc.indexing import ScatterOp
from opc.dialects.shape import element, shape_of, shape_text, tensor_of
from opc.frontend.models import known as kn
from opc.frontend.models.indexed import Numbers
from opc.frontend.models.moving import centred, positions
from opc.frontend.models.pads import padded
from opc.frontend.models.parts import sliced

from .adapter import same_as
from .layer import Layer
from .schema import openvino


def _number(layer: Layer, position: int) -> int:
    """A positive number in an input."""
    number = layer.one_number(position)
    if number < 1:
        raise layer.error(f"input {layer.schema.input(position).name} is {number}")
    return number


def _window(layer: Layer, position: int, frame: int) -> SSAValue:
    """The window, centred in a frame."""
    (extent,) = layer.shape(position)
    if extent.constant is None or extent.constant > frame:
        raise layer.unsupported(f"a window of {extent_text(extent)} elements for frames of {frame}")
    return centred(layer, layer.widened(layer[position]), 0, ex.const(frame))


@openvino("STFT", 15)
def stft(layer: Layer) -> SSAValue:
    """STFT-15: [B, samples] --> [B, frames, bins, 2], or bins before frames."""
    frame, step = _number(layer, 2), _number(layer, 3)
    x, shape = layer.widened(layer[0]), layer.shape()
    if len(shape) not in (1, 2):
        raise layer.error(f"a signal {shape_text(shape)}")
    signal = layer.reshape(x, (*((1,) if len(shape) == 1 else shape[:1]), shape[-1], 1))
    inputs = [signal, kn.of([step], ()), _window(layer, 1, frame), kn.of([frame], ())]
    spectra = layer.tensor(same_as(layer, "STFT", 17, inputs, onesided=1)[0])
    if layer.attr("transpose_frames"):
        spectra = layer.transpose(spectra, (0, 2, 1, 3))
    if len(shape) == 1:
        spectra = layer.reshape(spectra, shape_of(tensor_of(spectra))[1:])
    return layer.cast(spectra, layer.element())


def _overlaid(layer: Layer, frames: SSAValue, step: int) -> SSAValue:
    """Overlap-add: frames [B, T, n] at distances of ``step`` --> [B, samples]."""
    n = Numbers(layer)
    batch, count, size = shape_of(tensor_of(frames))
    type = element(tensor_of(frames))
    length = (count - 1) * step + size
    front = layer.transpose(frames, (1, 2, 0))
    zeros = layer.broadcast(layer.constant(0, type), (length, batch))
    places = n.add(n.mul(positions(layer, count, 0, 2), step), positions(layer, size, 1, 2))
    total = layer.add(ScatterOp(zeros, front, places, axes=(0,), reduction="add", from_end=False))
    return layer.transpose(total, (1, 0))


@openvino("ISTFT", 16)
def istft(layer: Layer) -> SSAValue:
    """ISTFT-16: [B, bins, frames, 2] --> overlap-add of frames, by that of the squared window."""
    frame, step, shape = _number(layer, 2), _number(layer, 3), layer.shape()
    if len(shape) not in (3, 4):
        raise layer.error(f"a spectrum {shape_text(shape)}")
    layer.require("equal", shape[-1], ex.const(2), "a complex number has two parts")
    batched = (*(shape[:-1] if len(shape) == 4 else (ex.const(1), *shape[:-1])), ex.const(2))
    x = layer.reshape(layer.widened(layer[0]), batched)
    x = layer.transpose(x, (0, 2, 1, 3))
    inputs = [x, kn.of([frame], ()), kn.of([2], ())]
    frames = layer.tensor(same_as(layer, "DFT", 20, inputs, inverse=1, onesided=1)[0])
    frames = layer.reshape(frames, shape_of(tensor_of(frames))[:3])
    type = element(tensor_of(frames))
    if layer.attr("normalized"):
        frames = layer.scaled("mul", frames, float(np.sqrt(frame)))
    window = layer.cast(_window(layer, 1, frame), type)
    count = shape_of(tensor_of(frames))[1]
    total = _overlaid(layer, layer.binary("mul", frames, window), step)
    squares = layer.broadcast(layer.binary("mul", window, window), (1, count, frame))
    weights = _overlaid(layer, squares, step)
    zero, one = layer.constant(0, type), layer.constant(1, type)
    some = layer.add(b.GreaterOp(weights, zero))
    signal = layer.binary("div", total, layer.add(b.WhereOp(some, weights, one)))
    length: Any = shape_of(tensor_of(signal))[1]
    if layer.attr("center"):
        half = frame // 2
        signal = sliced(layer, signal, [1], [(half, length if layer.has(4) else length - half, 1)])
    if layer.has(4):
        wanted = _number(layer, 4)
        signal = padded(layer, signal, 1, 0, wanted, zero)
        signal = sliced(layer, signal, [1], [(0, wanted, 1)])
    extents = shape_of(tensor_of(signal))
    return layer.cast(layer.reshape(signal, extents[4 - len(shape) :]), layer.element())
