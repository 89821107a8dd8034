"""Quantized types: tensors of stored integers, whose scales and zero points the reader keeps.

An operation computes on the expressed values, as the specification says::

    %2 = stablehlo.add %0, %1 : (tensor<4x!quant.uniform<i8:f32, 0.5>>, ...)
      --> %a = stablehlo.uniform_dequantize %0 {scales = [0.5], ...}    (and %b of %1)
          %c = stablehlo.add %a, %b
          %2 = stablehlo.uniform_quantize %c {scales = [0.5], ...}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects.shape import Tensor, element, shape_of, tensor_type
from opc.dialects.stablehlo import NodeOp, decoded, encoded
from opc.frontend.models.quantization import limits

_TYPE = re.compile(
    r"!quant\.uniform<([su]?i?\d+)(?:<(-?\d+):(-?\d+)>)?:(\w+)(?::(\d+))?,\s*\{?([^{}]+)\}?>"
)

STORED = frozenset(
    {
        *("bitcast_convert", "broadcast_in_dim", "call", "composite", "concatenate", "constant"),
        *("gather", "optimization_barrier", "pad", "reshape", "return", "reverse", "select"),
        *("slice", "transpose", "update_slice"),
    }
)
"""Operations, also with ``dynamic_`` before, that move stored integers."""


class Quantized:
    """The quantized types of values, which are tensors of integers."""

    def __init__(self) -> None:
        self._types: dict[SSAValue, Tensor] = {}

    def enter(self, values: Iterable[SSAValue], types: Iterable[Tensor]) -> None:
        """Note the types of values; those that are not quantized have no meaning."""
        pairs = zip(values, types, strict=False)
        self._types |= {value: type for value, type in pairs if parameters(type)}

    def expressed(self, value: SSAValue, insert: Callable[[Operation], None]) -> SSAValue:
        """The expressed numbers of a quantized value; another value stays."""
        type = self._types.get(value)
        if type is None:
            return value
        own = parameters(type)
        op = NodeOp.of("stablehlo.uniform_dequantize", [value], own, [expressed(type)])
        insert(op)
        return op.outputs[0]


def storage(text: str) -> tuple[el.ElementType, DictionaryAttr] | None:
    """The type of the integers and the parameters of ``!quant.uniform<i8:f32, 0.5:-3>``.

    None for other texts, such as those of quantization in blocks.
    """
    matched = _TYPE.fullmatch(text)
    if matched is None:
        return None
    name = matched[1].removeprefix("s")
    type = el.BY_NAME.get(name.replace("u", "ui") if name.startswith("u") else name)
    if type is None or el.BY_NAME.get(matched[4]) is None:
        return None
    pairs = [pair.partition(":") for pair in matched[6].split(",")]
    low, high = limits(type)
    parameters = {
        "scales": [float(scale) for scale, _, _ in pairs],
        "zero_points": [int(zero or 0) for _, _, zero in pairs],
        "axis": -1 if matched[5] is None else int(matched[5]),
        "least": int(matched[2] or low),
        "most": int(matched[3] or high),
        "expressed": matched[4],
    }
    attribute = encoded(parameters)
    assert isinstance(attribute, DictionaryAttr)
    return type, attribute


def parameters(type: Tensor) -> dict[str, Any]:
    """The parameters of a quantized type; none for others."""
    return decoded(type.encoding) if isinstance(type.encoding, DictionaryAttr) else {}


def stored(type: Tensor) -> Tensor:
    """The type of the integers of a quantized type; other types stay."""
    return tensor_type(element(type), shape_of(type)) if parameters(type) else type


def expressed(type: Tensor) -> Tensor:
    """The type of the expressed numbers of a quantized type; other types stay."""
    own = parameters(type)
    return tensor_type(el.BY_NAME[own["expressed"]], shape_of(type)) if own else type
