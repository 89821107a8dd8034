"""Pad with a value or the tensor's own elements; negative pads crop."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.frontend.models import shaping
from opc.frontend.models.op_builder import Result
from opc.frontend.models.run_time import beside
from opc.frontend.models.shaping import are_pads, elements, scalars

from .node import Node
from .schema import onnx

MODES = ("constant", "reflect", "edge", "wrap")


@onnx("Pad", 1, 2, 11, 13, 18, 19, 21, 23, 24, 25)
def pad(node: Node) -> Result:
    """Pad(x, pads, value, axes) {mode} --> opc.concat along each axis, and opc.slice.

    Pads of unknown value or sign --> an opc.gather along each axis.
    """
    mode = node.attr("mode")
    # Mode wrap is new in version 19, but PyTorch's exporter writes it for 18 and onnxruntime
    # accepts it.
    modes = MODES if node.since >= 18 else MODES[:-1]
    if mode not in modes:
        raise node.error(f"mode {mode!r} is not one of {', '.join(modes)}")
    rank, pads = node.rank(), node.known_list(1) if node.since >= 11 else None
    axes = node.known_numbers(3) if node.has(3) else range(rank)
    number = 0 if node.since >= 11 else node.attr("value")
    value = node.trace.constant(number, node.element())
    if node.since < 11:
        pads = [ex.const(n) for n in node.attr("paddings" if node.since == 1 else "pads")]
    elif node.has(2):
        value = node.traced(2).reshape(())
    if pads is not None and axes is not None and are_pads(pads):
        half = (len(pads) + 1) // 2
        return shaping.pad(node, node.axes(axes, rank), pads[:half], pads[half:], value, mode).value
    line = elements(node, 1, None)
    half = (line.shape[0] + 1) // 2
    if axes is not None:
        parts = scalars(line[:half]), scalars(line[half:])
        return shaping.pad(node, node.axes(axes, rank), *parts, value, mode).value
    named = elements(node, 3, half)
    halves = line.reshape(2, half)
    (befores, fits), (afters, _) = (beside(named, halves[k], rank, 0) for k in range(2))
    return shaping.pad(node, range(rank), befores, afters, value, mode, fits=fits).value
