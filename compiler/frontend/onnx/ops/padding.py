"""Pad with a value or the tensor's own elements; negative pads crop."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.frontend.models.op_builder import Result
from opc.frontend.models.run_time import beside
from opc.frontend.models.shaping import are_pads, elements, pad_at_run_time, pad_known
from opc.frontend.models.traced import NodeTrace

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
    value = node.constant(0 if node.since >= 11 else node.attr("value"), node.element())
    if node.since < 11:
        pads = [ex.const(n) for n in node.attr("paddings" if node.since == 1 else "pads")]
    else:
        value = node.reshape(node[2] if node.has(2) else value, ())
    if pads is not None and axes is not None and are_pads(pads):
        half = (len(pads) + 1) // 2
        return pad_known(node, node.axes(axes, rank), pads[:half], pads[half:], value, mode)
    trace = NodeTrace(node)
    line, numbers = elements(node, trace, 1, None)
    half = (len(numbers) + 1) // 2
    if axes is not None:
        axes, halves = node.axes(axes, rank), (numbers[:half], numbers[half:])
        return pad_at_run_time(node, trace, axes, *halves, value, mode)
    named, _ = elements(node, trace, 3, half)
    halves = node.reshape(line, (2, half))
    (befores, fits), (afters, _) = (
        beside(trace, named, node.part(halves, k), rank, 0) for k in range(2)
    )
    return pad_at_run_time(node, trace, range(rank), befores, afters, value, mode, fits=fits)
