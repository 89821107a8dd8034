"""Pad, with a value or with the tensor's own elements; negative pads cut off."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.frontend.models.known_values import is_extent
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import filled, padded

from .node import Node
from .parts import numbers_in
from .row import BF16, CLASSIC, FLOAT, INDEX, NUMERIC, add
from .run_time import pad_at_run_time
from .shapes import since

MODES = ("constant", "reflect", "edge", "wrap")


def _unknown(node: Node, position: int) -> bool:
    known = node.known(position)
    return known is None or known.constants() is None


def _filled(node: Node, value: SSAValue) -> SSAValue | None:
    """Pads of one value that are extents; None where they are not, or may be negative."""
    pads, x = node.known(1), node[0]
    if pads is None or (node.has(3) and _unknown(node, 3)) or not all(map(is_extent, pads.exprs)):
        return None
    listed = numbers_in(node, 3, "the axes") if node.has(3) else range(len(node.shape()))
    axes, amounts = node.axes(listed, len(node.shape())), pads.exprs
    if len(amounts) != 2 * len(axes):
        raise node.error(f"{len(amounts)} pads for {len(axes)} axes, expected twice as many")
    for axis, before, after in zip(axes, amounts, amounts[len(axes) :], strict=False):
        x = filled(node, x, axis, before, after, value)
    return x


def pad(node: Node) -> Result:
    """Pad(x, pads, value, axes) {mode} --> opc.concat along each axis, and opc.slice."""
    mode, shape = node.attr("mode"), node.shape()
    # Mode wrap came with version 19; the exporter of PyTorch writes it for 18 too, with no other
    # meaning, and onnxruntime takes it.
    modes = MODES if node.since >= 18 else MODES[:-1]
    if mode not in modes:
        raise node.error(f"mode {mode!r} is not one of {', '.join(modes)}")
    if node.since < 11:
        pads = list(node.attr("paddings" if node.since == 1 else "pads"))
        value = node.constant(node.attr("value"), node.element())
    else:
        value = node[2] if node.has(2) else node.constant(0, node.element())
        if any(node.has(k) and _unknown(node, k) for k in (1, 3)):
            found = _filled(node, node.reshape(value, ())) if mode == "constant" else None
            if found is not None:
                return found
            return pad_at_run_time(node, node.reshape(value, ()), mode)
        pads = numbers_in(node, 1, "the pads")
    listed = numbers_in(node, 3, "the axes") if node.has(3) else range(len(shape))
    axes = node.axes(listed, len(shape))
    if len(pads) != 2 * len(axes):
        raise node.error(f"{len(pads)} pads for {len(axes)} axes, expected twice as many")
    value = node.reshape(value, ())
    x = node[0]
    for axis, before, after in zip(axes, pads, pads[len(axes) :], strict=False):
        x = padded(node, x, axis, before, after, value, mode)
    return x


add("Pad", 1, "data:T -> output:T", FLOAT, pad, "mode:string=constant paddings:ints! value:float=0")
add("Pad", 2, "data:T -> output:T", FLOAT, pad, "mode:string=constant pads:ints! value:float=0")
add(
    "Pad",
    11,
    "data:T pads:int64 constant_value?:T -> output:T",
    NUMERIC,
    pad,
    "mode:string=constant",
)
for _since, _types in (*since(13, 18), (19, CLASSIC | BF16), *since(21, 23, 24, 25)):
    add(
        "Pad",
        _since,
        f"data:T pads:int64 constant_value?:T{' axes?:Tind' if _since >= 18 else ''} -> output:T",
        {"T": _types, "Tind": INDEX} if _since >= 18 else {"T": _types},
        pad,
        "mode:string=constant",
    )
