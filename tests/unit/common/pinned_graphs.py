"""Small graphs of every family, whose bits are pinned, and inputs for them.

Inputs are made of integers alone, and hold what element types hold exactly, so that no library
has a part in them.  No result has a NaN, whose sign and payload nobody promises.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import onnx
from onnx import helper
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.opc import OPERATORS
from opc.dialects.shape import shape_of, tensor_of, tensor_type
from tests.unit.common.graphs import Emit, graph, tensor
from tests.unit.common.onnx_models import TYPES, info, model, node

Array = np.ndarray[Any, np.dtype[Any]]
EXTENTS = {"N": 300, "M": 37}
"""What a call gives for symbolic extents."""
BY_NAME = {op.name: op for op in OPERATORS}


class Row(NamedTuple):
    """An operator; each operand is ``kind:type[shape]``, and the same text is the same input.

    Kinds are ``x`` and ``y`` (numbers of either sign below 8, integers of any size), ``u`` (numbers
    of either sign below 1), ``q`` (from 1 to 16), ``s`` (a 64th of that) and ``n`` (integers from 0
    to 6).  ``=type:a,b`` is a constant of a model, ``=type[]:a`` one of rank 0, and ``_`` an
    operand that is absent.
    """

    operator: str
    operands: str
    params: Mapping[str, Any] = MappingProxyType({})
    results: int = 1


Cases: TypeAlias = "dict[str, tuple[Row, ...]]"
"""Rows by the name of what is pinned as one digest."""


def elementwise(type: str) -> Cases:
    x, y, u, q = (f"{kind}:{type}[4099]" for kind in "xyuq")
    return {
        f"quotients {type}": (
            *(Row("div", f"{x} {q}"), Row("reciprocal", q), Row("sqrt", q)),
            *(Row("mod", f"{x} {y}"), Row("mod", f"{x} {y}", {"fmod": True})),
        ),
        f"exponentials {type}": (
            *(Row("exp", x), Row("expm1", x), Row("log", q), Row("log1p", u)),
        ),
        f"circular {type}": (
            *(Row("sin", x), Row("cos", x), Row("tan", x)),
            *(Row("asin", u), Row("acos", u), Row("atan", x)),
        ),
        f"hyperbolic {type}": (
            *(Row("sinh", x), Row("cosh", x), Row("tanh", x)),
            *(Row("asinh", x), Row("acosh", q), Row("atanh", u)),
        ),
        f"powers {type}": (Row("pow", f"{q} {x}"),),
        f"activations {type}": (
            *(Row(name, x) for name in ("erf", "sigmoid", "softplus", "mish", "softsign", "gelu")),
            *(Row(name, x) for name in ("silu", "elu", "selu", "celu", "leaky_relu")),
            *(Row("gelu", x, {"approximate": "tanh"}), Row("silu", x, {"alpha": 1.702})),
            *(Row("hard_sigmoid", x), Row("hard_swish", x), Row("shrink", x, {"bias": 0.3})),
        ),
    }


def integers(type: str) -> Cases:
    x, y, n = (f"{kind}:{type}[99]" for kind in "xyn")
    return {
        f"integers {type}": (
            *(Row("div", f"{x} {y}"), Row("mod", f"{x} {y}"), Row("div", f"{x} {n}")),
            *(Row("mod", f"{x} {y}", {"fmod": True}), Row("pow", f"{x} {n}")),
            *(Row("shift_left", f"{x} {n}"), Row("shift_right", f"{x} {n}")),
            Row("mul", f"{x} {y}"),
        )
    }


def casts(type: str, *to: str) -> Cases:
    return {f"casts of {type}": tuple(Row("cast", f"x:{type}[4099]", {"to": t}) for t in to)}


AXES = {"axes": (1,)}
ELEMENTWISE = {
    **{name: rows for t in ("f64", "f32", "f16", "bf16") for name, rows in elementwise(t).items()},
    **{name: rows for t in ("i8", "i32", "i64", "ui64") for name, rows in integers(t).items()},
    **casts("f64", "f32", "f16", "bf16", "i8", "ui64"),
    **casts("f32", "f64", "f16", "bf16", "i32", "ui8", "f8E4M3FN", "f8E5M2", "i1"),
    **casts("i64", "f64", "f32", "f16", "bf16", "i8"),
}
"""Functions of each element."""
ORDERED = {
    "sums of rows": (
        *(Row("reduce_sum", f"x:f32[5,{n}]", AXES) for n in (7, 129, 9000)),
        Row("reduce_sum", "x:f32[40,17]", AXES),
    ),
    "sums of columns": tuple(
        Row("reduce_sum", f"x:f32[{m},{n}]", {"axes": (0,)})
        for m, n in ((700, 2), (300, 5), (300, 33))
    ),
    "sums of runs": (
        Row("reduce_sum", "x:f32[7,40,3]", {"axes": (0, 2)}),
        Row("reduce_sum", "x:f32[7,40,3]", {"axes": (0, 1)}),
        Row("reduce_sum", "x:f32[7,40,3]"),
    ),
    "sums of symbolic extents": (
        Row("reduce_sum", "x:f32[5,N]", AXES),
        Row("reduce_sum", "x:f32[N,5]", {"axes": (0,)}),
        Row("reduce_sum", "x:f32[N,M]", {"axes": (0,)}),
    ),
    **{
        f"sums {t}": (
            Row("reduce_sum", f"x:{t}[3,777]", AXES),
            Row("reduce_sum", f"x:{t}[777,6]", {"axes": (0,)}),
        )
        for t in ("f64", "f16", "bf16", "i32")
    },
    "products": (
        *(Row("reduce_prod", f"u:f32[5,{n}]", AXES) for n in (9, 30)),
        Row("reduce_prod", "q:f64[5,70]", AXES),
    ),
    "means": tuple(Row("reduce_mean", f"x:{t}[5,N]", AXES) for t in ("f64", "f32", "f16", "i32")),
    "norms": (
        *(Row(f"reduce_{name}", "x:f32[5,777]", AXES) for name in ("l1", "l2", "sum_square")),
        Row("reduce_l2", "x:f16[5,777]", AXES),
    ),
    "logarithms of sums": (
        Row("reduce_log_sum_exp", "x:f32[5,777]", AXES),
        Row("reduce_log_sum", "q:f32[5,777]", AXES),
    ),
    "extremes": (
        *(Row(name, "x:bf16[5,777]", {"axis": 1}) for name in ("argmax", "argmin")),
        Row("argmax", "x:bf16[5,777]", {"axis": 1, "select_last_index": True}),
        *(Row("argmax", "x:f32[N,6]"), Row("argmin", "x:i8[N,6]")),
        *(Row(name, "x:f32[5,777]", AXES) for name in ("reduce_max", "reduce_min")),
    ),
    "cumulative": (
        *(Row("cum_sum", f"x:{t}[3,200]", {"axis": 1}) for t in ("f64", "f32", "f16", "i8")),
        Row("cum_sum", "x:f32[3,200]", {"axis": 1, "reverse": True, "exclusive": True}),
        Row("cum_prod", "u:f32[3,20]", {"axis": 1}),
    ),
    "matrix products": (
        Row("matmul", "x:f32[9,700] x:f32[700,11]"),
        Row("matmul", "x:f32[2,3,20] x:f32[20,70]"),
        Row("matmul", "x:f32[M,N] x:f32[N,5]"),
        *(Row("matmul", "x:f32[9,700] x:f32[700]"), Row("matmul", "x:f32[9] x:f32[9,700]")),
    ),
    **{
        f"matrix products {t}": (Row("matmul", f"x:{t}[5,530] x:{t}[530,7]"),)
        for t in ("f64", "f16", "bf16", "i8")
    },
    "contractions": (
        Row("contract", "x:f32[6,7,8] x:f32[8,6,5]", {"equation": "abc,cad->bd"}),
        Row("contract", "x:f32[6,7] x:f32[7,8] x:f32[8,6]", {"equation": "ab,bc,ca->a"}),
    ),
    "convolutions": (
        Row("conv", "x:f32[2,6,11,9] x:f32[8,6,3,3]", {"pads": (1, 1, 1, 1)}),
        Row("conv", "x:f32[2,6,11,9] x:f32[4,3,3,2]", {"groups": 2, "strides": (2, 1)}),
        Row("conv", "x:f32[2,6,11,9] x:f32[6,1,3,3]", {"groups": 6, "dilations": (2, 2)}),
        *(Row("conv", "x:f32[1,70,9] x:f32[5,70,8]"), Row("conv", "x:f16[1,6,20] x:f16[5,6,3]")),
    ),
    "transposed convolutions": (
        Row("conv_transpose", "x:f32[2,6,5,4] x:f32[6,3,3,3]", {"strides": (2, 2)}),
        Row("conv_transpose", "x:f64[1,4,7] x:f64[4,2,5]", {"strides": (3,)}),
    ),
}
"""What has an order."""
X, SEQUENCE = "x:f32[2,6,10,9]", "x:f32[5,2,4]"
SCALES = ("s:f32[] x:ui8[]", "=f32[]:0.03 y:i8[] q:f32[] y:ui8[]")
MODELS = {
    "softmax": (
        *(Row("Softmax", "x:f32[7,77]"), Row("Softmax", "x:f16[7,77]")),
        *(Row("LogSoftmax", "x:f32[N,5]", {"axis": 0}), Row("Softmax", "x:f64[4,N]")),
    ),
    "layer norms": (
        Row("LayerNormalization", "x:f32[7,77] q:f32[77] x:f32[77]"),
        Row("LayerNormalization", "x:f16[7,77] q:f16[77] x:f16[77]"),
        Row("RMSNormalization", "x:f32[7,77] q:f32[77]"),
    ),
    "other norms": (
        Row("InstanceNormalization", f"{X} q:f32[6] x:f32[6]"),
        Row("GroupNormalization", f"{X} q:f32[6] x:f32[6]", {"num_groups": 3}),
        Row("BatchNormalization", f"{X} q:f32[6] x:f32[6] u:f32[6] s:f32[6]"),
        Row("LpNormalization", "x:f32[7,77]", {"p": 2}),
    ),
    "local norms": (Row("LRN", X, {"size": 3}),),
    "attention": (
        Row("Attention", "x:f32[2,3,9,8] x:f32[2,3,M,8] y:f32[2,3,M,8]"),
        Row("Attention", "x:f16[1,2,9,8] x:f16[1,2,9,8] y:f16[1,2,9,8]", {"is_causal": 1}),
    ),
    "recurrent": (
        Row("RNN", f"{SEQUENCE} u:f32[1,6,4] u:f32[1,6,6]", {"hidden_size": 6}, 2),
        Row("LSTM", f"{SEQUENCE} u:f32[1,24,4] u:f32[1,24,6]", {"hidden_size": 6}, 3),
        Row("GRU", f"{SEQUENCE} u:f32[1,18,4] u:f32[1,18,6]", {"hidden_size": 6}, 2),
    ),
    "resize": (
        Row("Resize", f"{X} _ =f32:1,1,1.7,2.3", {"mode": "linear"}),
        Row("Resize", f"{X} _ =f32:1,1,1.7,0.6", {"mode": "cubic"}),
        Row("Resize", f"{X} _ =f32:1,1,0.7,0.4", {"mode": "linear", "antialias": 1}),
        Row("Resize", f"{X} _ =f32:1,1,1.7,0.6"),
    ),
    "pooling": (
        *(Row("AveragePool", X, {"kernel_shape": [3, 2]}), Row("GlobalAveragePool", X)),
        Row("LpPool", X, {"kernel_shape": [2, 3], "p": 2}),
        Row("MaxPool", X, {"kernel_shape": [2, 3], "strides": [2, 2]}, 2),
    ),
    "quantize": (
        Row("QuantizeLinear", "x:f32[7,77] s:f32[] x:i8[]"),
        Row("QuantizeLinear", "x:f32[7,77] s:f32[7] x:ui8[7]", {"axis": 0}),
        Row("DequantizeLinear", "x:i8[7,77] s:f32[] y:i8[]"),
        Row("DynamicQuantizeLinear", "x:f32[7,77]", {}, 3),
    ),
    "quantized products": (
        Row("QLinearMatMul", f"x:ui8[5,40] {SCALES[0]} y:i8[40,7] {SCALES[1]}"),
        Row("MatMulInteger", "x:ui8[5,40] y:i8[40,7] x:ui8[] y:i8[]"),
        Row("QLinearConv", f"x:ui8[1,3,9,8] {SCALES[0]} x:i8[4,3,3,3] {SCALES[1]}"),
    ),
    "powers by constants": (
        *(Row("Pow", f"q:f32[4099] =f32[]:{p}") for p in ("2", "3", "-1", "0.5", "-0.5", "1.7")),
    ),
    "sampling": (
        Row("GridSample", f"{X} u:f32[2,4,5,2]"),
        Row("GridSample", f"{X} u:f32[2,4,5,2]", {"mode": "cubic", "padding_mode": "border"}),
    ),
    "random": (
        *(Row("RandomUniformLike", "x:f32[7,77]"), Row("RandomUniformLike", "x:f64[7,77]")),
        Row("Bernoulli", "=f32:0.1,0.5,0.9"),
    ),
    "normal random": (Row("RandomNormalLike", "x:f32[7,77]"),),
    "random of a seed": (
        Row("RandomUniform", "", {"seed": 7.0, "shape": [7, 77], "low": -1.0, "high": 2.0}),
        *(Row("RandomNormal", "", {"seed": 7.0, "shape": [77], "dtype": t}) for t in (1, 10, 11)),
        Row("Dropout", "x:f32[7,77] =f32[]:0.3 =i1[]:1", {"seed": 7}, 2),
    ),
    "windows": tuple(
        Row(f"{name}Window", f"=i64[]:{n}", {"output_datatype": t, "periodic": p})
        for name in ("Hann", "Hamming", "Blackman")
        for n, t, p in ((400, 11, 1), (33, 1, 0), (33, 10, 1))
    ),
    "transforms": (
        *(Row("DFT", f"x:f32[2,{n},2]") for n in (17, 60, 64, 91)),
        *(Row("DFT", f"x:f32[2,{n},1]", {"onesided": 1}) for n in (12, 120)),
        *(Row("DFT", f"x:f64[2,{n},2]", {"inverse": 1}) for n in (23, 48)),
        Row("DFT", "x:f32[2,21,2] =i64[]:40", {"inverse": 1, "onesided": 1}),
        Row("STFT", "x:f32[1,80,1] =i64[]:8 q:f32[16]"),
        Row("STFT", "x:f32[M,80,1] =i64[]:8 _ =i64[]:20"),
    ),
    "mel filters": (
        Row("MelWeightMatrix", "=i64[]:8 =i64[]:64 =i64[]:8000 =f32[]:50 =f32[]:3900"),
    ),
}
"""Operators of ONNX that legalization writes out."""


ELEMENTARY = (
    *("exponentials", "circular", "hyperbolic", "powers", "activations", "logarithms of sums"),
    *("softmax", "local norms", "attention", "recurrent", "normal random", "mel filters"),
)
"""How the names of cases begin whose functions interpreters take from NumPy, within 2 ULP."""


def values(text: str) -> Array:
    """The input that a text stands for."""
    kind, type, shape = _parts(text)
    extents = [EXTENTS.get(str(extent), extent) for extent in shape]
    count = math.prod(cast("list[int]", extents))
    words = np.arange(count, dtype=np.uint64) + np.uint64(zlib.crc32(text.encode()) << 20)
    for shift in (29, 31, 30):
        words = (words ^ words >> np.uint64(shift)) * np.uint64(0x9E3779B97F4A7C15)
    return _numbers(words ^ words >> np.uint64(32), kind, type).reshape(extents)


def _numbers(words: Array, kind: str, type: el.ElementType) -> Array:
    if kind == "n":
        return (words % np.uint64(7)).astype(type.dtype)
    if not type.is_float:
        return words.astype(type.dtype)
    digits = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}[str(type)]
    low = (words & np.uint64(3)).astype(np.int32)
    mantissa = (words >> np.uint64(65 - digits)).astype(np.int64)
    if kind in "qs":  # from 1 to 2, times a power of 2
        number = np.ldexp(mantissa + (1 << digits - 1), low + 1 - digits - 6 * (kind == "s"))
    else:  # odd, so that none is 0 or 1
        scale = 1 - digits - low + 3 * (kind != "u")
        number = np.ldexp((mantissa - (1 << digits - 2)) * 2 + 1, scale)
    return number.astype(type.dtype)


@cache
def _parts(text: str) -> tuple[str, el.ElementType, tuple[int | str, ...]]:
    match = re.fullmatch(r"(\w):(\w+)\[(.*)\]", text)
    assert match, text
    extents = [e for e in match[3].split(",") if e]
    return match[1], el.BY_NAME[match[2]], tuple(e if e in EXTENTS else int(e) for e in extents)


def operands(cases: Cases) -> list[str]:
    """The inputs of all rows, each once, in order."""
    texts = (text for rows in cases.values() for row in rows for text in row.operands.split())
    return list(dict.fromkeys(text for text in texts if text[0] not in "=_"))


def text_of(cases: Cases) -> str:
    """One function of opc with every row as a result."""
    names = operands(cases)

    def body(emit: Emit, *args: SSAValue) -> Iterator[SSAValue]:
        by_name = dict(zip(names, args, strict=True))
        for row in (row for rows in cases.values() for row in rows):
            values = [by_name[text] for text in row.operands.split()]
            params = dict(row.params)
            if (to := params.pop("to", None)) is not None:
                shape = shape_of(tensor_of(values[0]))
                params["result_type"] = tensor_type(el.BY_NAME[to], shape)
            yield emit(BY_NAME[f"opc.{row.operator}"](*values, **params))

    inputs = [tensor(type, *shape) for _, type, shape in map(_parts, names)]
    return graph(inputs, lambda emit, *args: list(body(emit, *args)))


def onnx_model(cases: Cases) -> Any:
    """One ONNX model with every row as a node."""
    names = {text: f"x{k}" for k, text in enumerate(operands(cases))}
    names["_"] = "_"
    nodes: list[Any] = []
    constants: list[Any] = []
    outputs: list[Any] = []
    for row in (row for rows in cases.values() for row in rows):
        for text in row.operands.split():
            if text[0] == "=" and text not in names:
                names[text] = f"c{len(constants)}"
                type, numbers = text[1:].split(":")
                shape = [] if type.endswith("[]") else [numbers.count(",") + 1]
                numbers = list(map(float, numbers.split(",")))
                kind = TYPES[type.removesuffix("[]")]
                constants.append(helper.make_tensor(names[text], kind, shape, numbers))
        results = [f"y{len(outputs) + k}" for k in range(row.results)]
        inputs = " ".join(names[text] for text in row.operands.split())
        nodes.append(node(row.operator, inputs, " ".join(results), **row.params))
        outputs += [onnx.ValueInfoProto(name=name) for name in results]
    parts = ((names[text], *_parts(text)[1:]) for text in operands(cases))
    infos = [info(name, str(type), shape) for name, type, shape in parts]
    return model(nodes, infos, 23, outputs, constants, ir_version=11)
