"""Pad with a value or the tensor's own elements; negative pads crop."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects.bounds import is_extent
from opc.frontend.models.op_builder import Result
from opc.frontend.models.pads import padded

from .node import Node
from .parts import numbers_in
from .run_time import pad_at_run_time
from .schema import onnx

MODES = ("constant", "reflect", "edge", "wrap")


@onnx("Pad", 1, 2, 11, 13, 18, 19, 21, 23, 24, 25)
def pad(node: Node) -> Result:
    """Pad(x, pads, value, axes) {mode} --> opc.concat along each axis, and opc.slice.

    Pads of unknown value or sign --> an opc.gather along each axis.
    """
    mode, shape = node.attr("mode"), node.shape()
    # Mode wrap is new in version 19, but PyTorch's exporter writes it for 18 and onnxruntime
    # accepts it.
    modes = MODES if node.since >= 18 else MODES[:-1]
    if mode not in modes:
        raise node.error(f"mode {mode!r} is not one of {', '.join(modes)}")
    value = node.constant(0, node.element())
    if node.since < 11:
        pads = [ex.const(n) for n in node.attr("paddings" if node.since == 1 else "pads")]
        value = node.constant(node.attr("value"), node.element())
    else:
        value = node.reshape(node[2] if node.has(2) else value, ())
        known = node.known(1)
        has_axes = not node.has(3) or node.known_numbers(3) is not None
        if known is None or not has_axes:
            return pad_at_run_time(node, value, mode)
        pads = known.exprs
        if any(e.constant is None and not is_extent(e) for e in pads):
            return pad_at_run_time(node, value, mode)
    chosen = numbers_in(node, 3, "the axes") if node.has(3) else range(len(shape))
    axes = node.axes(chosen, len(shape))
    if len(pads) != 2 * len(axes):
        raise node.error(f"{len(pads)} pads for {len(axes)} axes, expected twice as many")
    x = node[0]
    for axis, before, after in zip(axes, pads, pads[len(axes) :], strict=False):
        x = padded(node, x, axis, before, after, value, mode)
    return x
