"""The attribute ``auto_broadcast``: how the operands of elementwise operators are aligned."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of

from .layer import Layer


def aligned(layer: Layer, target: int, *others: int) -> list[SSAValue]:
    """Inputs that NumPy's rule broadcasts as the layer says, the target first.

    ``numpy`` leaves them as they are, ``none`` demands equal shapes, and ``pdpd`` broadcasts the
    others to the shape of the target, whose axes they match from ``axis`` on.
    """
    rule = layer.attr("auto_broadcast")
    result = [layer[target]]
    for k in others:
        if rule == "numpy":
            result.append(layer[k])
        elif rule == "none":
            _demand_equal(layer, layer.shape(target), layer.shape(k))
            result.append(layer[k])
        else:
            result.append(run_of(layer, layer[k], layer.shape(target), layer.attr("axis")))
    return result


def _demand_equal(layer: Layer, a: Shape, b: Shape) -> None:
    what = f"shapes {shape_text(a)} and {shape_text(b)} differ, and auto_broadcast is none"
    if len(a) != len(b):
        raise layer.error(what)
    for x, y in zip(a, b, strict=True):
        layer.require("equal", x, y, what)


def run_of(layer: Layer, x: SSAValue, target: Shape, axis: int) -> SSAValue:
    """x broadcast to ``target``, whose axes it matches from ``axis`` on; -1 aligns the last axes.

    ``x of shape [3, 1], target [2, 3, 4, 5], axis 1 --> broadcast (reshape x to [3, 1, 1])``
    """
    shape = shape_of(tensor_of(x))
    start = len(target) - len(shape) if axis == -1 else axis
    if start < 0:
        raise layer.error(
            f"{shape_text(shape)} is no run of the axes of {shape_text(target)} from axis {axis}"
        )
    while shape and shape[-1] == 1:
        shape = shape[:-1]
    # Trailing axes of extent 1 do not count, and an empty run fits anywhere.
    missing = len(target) - start - len(shape)
    if missing < 0 and shape:
        raise layer.error(
            f"{shape_text(shape)} is no run of the axes of {shape_text(target)} from axis {start}"
        )
    column = (*shape, *(ex.const(1) for _ in range(missing if shape else 0)))
    return layer.broadcast(layer.reshape(x, column), target)
