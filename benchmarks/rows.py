"""What is measured: one graph for each row, stated once as a function over a namespace ``xp``.

The function makes the ONNX model that opc, onnxruntime and OpenVINO read
(:mod:`benchmarks.graph`), and computes in NumPy, jax and torch (:mod:`benchmarks.namespaces`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from benchmarks.inputs import Input, parse

Bound = Literal["memory", "compute", "call"]


@dataclass(frozen=True)
class Row:
    """One graph over inputs of fixed type and shape.

    ``numexpr`` is the same as an expression for that library.  ``into`` is how NumPy computes it
    into an array that is given, where one function of NumPy does.  ``bound`` is what should limit
    it: the memory, arithmetic, or the cost of a call.
    """

    name: str
    inputs: tuple[Input, ...]
    function: Callable[..., Any]
    bound: Bound
    numexpr: str | None = None
    into: Callable[..., Any] | None = None

    @property
    def dtype(self) -> str:
        """The element type of the first input."""
        return self.inputs[0].dtype

    @property
    def shape(self) -> str:
        """The shape of the first input; with an asterisk where the model has a symbol."""
        pairs = zip(self.inputs[0].symbolic, self.inputs[0].shape, strict=True)
        return "x".join(f"{n}*" if isinstance(s, str) else str(n) for s, n in pairs)

    @property
    def is_symbolic(self) -> bool:
        """Whether an extent of the model is only known when it is called."""
        return any(i.symbolic != i.shape for i in self.inputs)

    def limited(self, largest: int) -> Row:
        """The same row with small arrays."""
        return replace(self, inputs=tuple(i.limited(largest) for i in self.inputs))


def _sub(xp: Any, x: Any, b: Any) -> Any:
    return x - b


def _reduce(kind: str, *axes: int) -> Callable[..., Any]:
    def function(xp: Any, x: Any) -> Any:
        return xp.reduce(kind, x, axes)

    return function


def _squared_error(xp: Any, a: Any, b: Any) -> Any:
    d = a - b
    return xp.reduce("sum", d * d, (-1,)) / a.shape[-1]


def _gelu(xp: Any, a: Any, b: Any) -> Any:
    return xp.gelu(a + b)


def _silu(xp: Any, a: Any, b: Any) -> Any:
    return a * xp.sigmoid(a) * b


def _exp_tanh(xp: Any, a: Any) -> Any:
    return xp.exp(a * xp.tanh(a))


def _softmax(axis: int) -> Callable[..., Any]:
    def function(xp: Any, x: Any) -> Any:
        return xp.softmax(x, axis)

    return function


def _argmax(axis: int) -> Callable[..., Any]:
    def function(xp: Any, x: Any) -> Any:
        return xp.argmax(x, axis)

    return function


def _cumsum(axis: int, reverse: bool = False) -> Callable[..., Any]:
    def function(xp: Any, x: Any) -> Any:
        return xp.cumsum(x, axis, reverse)

    return function


def _layer_norm(xp: Any, x: Any, scale: Any, shift: Any) -> Any:
    return xp.layer_norm(x, scale, shift)


def _residual_layer_norm(xp: Any, x: Any, y: Any, scale: Any, shift: Any) -> Any:
    return xp.layer_norm(x + y, scale, shift)


def _rms_norm(xp: Any, x: Any, scale: Any) -> Any:
    return x / xp.sqrt(xp.reduce("mean", x * x, (-1,), True) + 1e-5) * scale


def _norm_by_powers(xp: Any, x: Any, scale: Any) -> Any:
    return x * xp.power(xp.reduce("mean", xp.power(x, 2.0), (-1,), True) + 1e-5, -0.5) * scale


def _group_norm(xp: Any, x: Any, scale: Any, shift: Any) -> Any:
    shape = x.shape
    groups = xp.reshape(x, (shape[0], 8, -1))
    d = groups - xp.reduce("mean", groups, (-1,), True)
    normal = d / xp.sqrt(xp.reduce("mean", d * d, (-1,), True) + 1e-5)
    return xp.reshape(normal, shape) * scale + shift


def _merge_heads(xp: Any, x: Any, shift: Any) -> Any:
    batch, heads, length, size = x.shape
    merged = xp.reshape(xp.permute(x, (0, 2, 1, 3)), (batch, length, heads * size))
    return merged + xp.reshape(shift, (heads * size,))


def _hard_swish(xp: Any, x: Any) -> Any:
    return x * xp.minimum(xp.maximum(x + 3.0, 0.0), 6.0) / 6.0


def _elu(xp: Any, x: Any) -> Any:
    return xp.elu(x)


def _batch_norm(xp: Any, x: Any, scale: Any, shift: Any, mean: Any, var: Any) -> Any:
    return xp.relu(xp.batch_norm(x, scale, shift, mean, var))


def _permute_add(*order: int) -> Callable[..., Any]:
    def function(xp: Any, x: Any, y: Any) -> Any:
        return xp.permute(x, order) + y

    return function


def _relu_mean(xp: Any, x: Any) -> Any:
    return xp.reduce("mean", xp.relu(x), (2, 3))


def _min_and_max(xp: Any, x: Any) -> Any:
    return xp.reduce("min", x, (-1,)), xp.reduce("max", x, (-1,))


def _mean_and_variance(xp: Any, x: Any) -> Any:
    mean = xp.reduce("mean", x, (-1,), True)
    d = x - mean
    return mean, xp.reduce("mean", d * d, (-1,), True)


def _chain(xp: Any, x: Any) -> Any:
    """64 operators, each of which keeps its values near those of ``x``."""
    y = x
    for k in range(16):
        y = (y * 0.75 + x) * 0.5 - 0.01 * (k + 1)
    return y


def _normalize_columns(xp: Any, x: Any) -> Any:
    low, high = xp.reduce("min", x, (0,), True), xp.reduce("max", x, (0,), True)
    return (x - low) / (high - low)


_MB4 = "4096,1024"
_NORM = "scale f32[768], shift f32[768]"
_CHANNELS = "scale f32[64], shift f32[64], mean f32[64], var f32[64]"


def _greatest_difference(xp: Any, x: Any, b: Any) -> Any:
    return xp.reduce("max", x - b, (0,))


def _row(name: str, inputs: str, function: Callable[..., Any], bound: Bound, **more: Any) -> Row:
    return Row(name, parse(inputs), function, bound, **more)


def _sub_schema(name: str, inputs: str, bound: Bound = "memory") -> Row:
    return _row(name, inputs, _sub, bound, numexpr="x - b", into=np.subtract)


def _sum_schema(name: str, inputs: str, *axes: int) -> Row:
    def into(x: Any, out: Any) -> Any:
        return np.sum(x, axis=axes, dtype=x.dtype, out=out)

    # numexpr sums over one axis, or over all.
    ranks = len(parse(inputs)[0].shape)
    text = "sum(x)" if len(axes) == ranks else f"sum(x, {axes[0] % ranks})"
    usable = len(axes) in (1, ranks)
    return _row(
        name, inputs, _reduce("sum", *axes), "memory", into=into, numexpr=text if usable else None
    )


def _numpy_min_last(x: Any, out: Any) -> Any:
    return np.min(x, axis=-1, out=out)


def _silu_schema(name: str, inputs: str) -> Row:
    return _row(name, inputs, _silu, "compute", numexpr="a / (1 + exp(-a)) * b")


CORE = (
    _sub_schema("sub row", f"x f32[{_MB4}], b f32[1,1024]"),
    _sub_schema("sub middle", "x f32[64,64,1024], b f32[64,1,1024]"),
    _sub_schema("sub column", f"x f32[{_MB4}], b f32[4096,1]"),
    _sum_schema("sum last", f"x f32[{_MB4}]", -1),
    _sum_schema("sum first", f"x f32[{_MB4}]", 0),
    _sum_schema("sum middle", "x f32[64,64,1024]", 1),
    _sum_schema("sum outer and inner", "x f32[64,64,1024]", 0, 2),
    _sum_schema("sum all", f"x f32[{_MB4}]", 0, 1),
    _sum_schema("sum all of 64 MiB", "x f32[4096,4096]", 0, 1),
    _row(
        "min last",
        f"x f32[{_MB4}]",
        _reduce("min", -1),
        "memory",
        numexpr="min(x, 1)",
        into=_numpy_min_last,
    ),
    _row("squared error last", f"a f32[{_MB4}], b f32[{_MB4}]", _squared_error, "memory"),
    _row("gelu(a+b)", f"a f32[{_MB4}], b f32[{_MB4}]", _gelu, "compute"),
    _silu_schema("a*sigmoid(a)*b", f"a f32[{_MB4}], b f32[{_MB4}]"),
    _row("exp(a*tanh(a))", f"a f32[{_MB4}]", _exp_tanh, "compute", numexpr="exp(a * tanh(a))"),
    _row("softmax last", f"x f32[{_MB4}]", _softmax(-1), "compute"),
    _row("softmax first", f"x f32[{_MB4}]", _softmax(0), "compute"),
    _row("layer norm", f"x f32[4096,768], {_NORM}", _layer_norm, "memory"),
    _row("rms norm", "x f32[4096,768], scale f32[768]", _rms_norm, "memory"),
    _row("batch norm, relu", f"x f32[16,64,56,56], {_CHANNELS}", _batch_norm, "memory"),
    _row("transpose, add", "x f32[4096,1024], y f32[1024,4096]", _permute_add(1, 0), "memory"),
    _row("relu, mean of H,W", "x f32[16,64,56,56]", _relu_mean, "memory"),
    _sub_schema("sub 4x8", "x f32[4,8], b f32[4,8]", "call"),
    _silu_schema("a*sigmoid(a)*b 16k", "a f32[128,128], b f32[128,128]"),
)
"""The rows whose figures are quoted."""

TYPES = (
    _sub_schema("sub row f64", "x f64[4096,512], b f64[1,512]"),
    _sum_schema("sum last f64", "x f64[4096,512]", -1),
    _silu_schema("a*sigmoid(a)*b f64", "a f64[4096,512], b f64[4096,512]"),
    _row("softmax last f64", "x f64[4096,512]", _softmax(-1), "compute"),
    _sub_schema("sub row f16", f"x f16[{_MB4}], b f16[1,1024]"),
    _sum_schema("sum last f16", f"x f16[{_MB4}]", -1),
    _row("softmax last f16", f"x f16[{_MB4}]", _softmax(-1), "compute"),
    _row("max of difference f16", f"x f16[{_MB4}], b f16[{_MB4}]", _greatest_difference, "memory"),
    _sub_schema("sub row bf16", f"x bf16[{_MB4}], b bf16[1,1024]"),
    _sum_schema("sum last bf16", f"x bf16[{_MB4}]", -1),
    _row("softmax last bf16", f"x bf16[{_MB4}]", _softmax(-1), "compute"),
    _sub_schema("sub row i32", f"x i32[{_MB4}], b i32[1,1024]"),
    _sum_schema("sum last i32", f"x i32[{_MB4}]", -1),
    _sum_schema("sum first i32", f"x i32[{_MB4}]", 0),
    _sub_schema("sub row i8", f"x i8[{_MB4}], b i8[1,1024]"),
    _row("max last i8", f"x i8[{_MB4}]", _reduce("max", -1), "memory"),
)
"""Other element types."""

SHAPES = (
    _sub_schema("sub row odd", "x f32[1023,1025], b f32[1,1025]"),
    _sub_schema("sub 1000003", "x f32[1000003], b f32[1]"),
    _sum_schema("sum last odd", "x f32[1025,1023]", -1),
    _sum_schema("sum first odd", "x f32[1023,1025]", 0),
    _sum_schema("sum last of 7", "x f32[600001,7]", -1),
    _sum_schema("sum first of 7", "x f32[7,600001]", 0),
    _sum_schema("sum middle of 7", "x f32[1023,7,513]", 1),
    _sum_schema("sum all 1000003", "x f32[1000003]", 0),
    _sum_schema("sum of 5 columns", "x f32[600001,5]", 0),
    _row("softmax of 12 columns", "x f32[100001,12]", _softmax(0), "compute"),
    _row(
        "max of groups of 3",
        "x f32[1000,1024,3], b f32[1000,1024,1]",
        _greatest_difference,
        "memory",
    ),
    _row("softmax last of 7", "x f32[150001,7]", _softmax(-1), "compute"),
    _row("softmax last odd", "x f32[1023,1025]", _softmax(-1), "compute"),
    _silu_schema("a*sigmoid(a)*b odd", "a f32[1000003], b f32[1000003]"),
    _sum_schema("sum rank 5", "x f32[8,16,32,16,64]", 1, 3),
    _row("softmax rank 5", "x f32[8,16,32,16,64]", _softmax(2), "compute"),
    _row(
        "permute rank 5, add",
        "x f32[8,16,32,16,64], y f32[8,32,64,16,16]",
        _permute_add(0, 2, 4, 1, 3),
        "memory",
    ),
    _sub_schema("sub row symbolic", "x f32[N=4096,M=1024], b f32[1,M=1024]"),
    _sum_schema("sum last symbolic", "x f32[N=4096,M=1024]", -1),
    _sum_schema("sum first symbolic", "x f32[N=4096,M=1024]", 0),
    _row("softmax last symbolic", "x f32[N=4096,M=1024]", _softmax(-1), "compute"),
    _row("layer norm symbolic", f"x f32[N=4096,768], {_NORM}", _layer_norm, "memory"),
    _sum_schema("sum last of 31 symbolic", "x f32[N=12903,M=31]", -1),
    _row("softmax last of 12 symbolic", "x f32[N=33333,M=12]", _softmax(-1), "compute"),
    _row(
        "layer norm of 100 symbolic",
        "x f32[N=4000,M=100], scale f32[M=100], shift f32[M=100]",
        _layer_norm,
        "memory",
    ),
    _silu_schema("a*sigmoid(a)*b symbolic", "a f32[N=12903,M=31], b f32[N=12903,1]"),
)
"""Odd sizes, rank 5 and symbolic extents."""

MORE = (
    _row("min and max last", f"x f32[{_MB4}]", _min_and_max, "memory"),
    _row("mean and variance last", f"x f32[{_MB4}]", _mean_and_variance, "memory"),
    _row("log sum exp last", f"x f32[{_MB4}]", _reduce("logsumexp", -1), "compute"),
    _row("log sum exp first", f"x f32[{_MB4}]", _reduce("logsumexp", 0), "compute"),
    _row("argmax last", f"x f32[{_MB4}]", _argmax(-1), "memory"),
    _row("argmax first", f"x f32[{_MB4}]", _argmax(0), "memory"),
    _row("cumsum last", f"x f32[{_MB4}]", _cumsum(-1), "memory"),
    _row("cumsum last of 100", "x f32[1000,100]", _cumsum(-1), "compute"),
    _row("cumsum middle", "x f32[16,512,64]", _cumsum(1), "memory"),
    _row("cumsum last reversed", f"x f32[{_MB4}]", _cumsum(-1, True), "memory"),
    _row("chain of 64", f"x f32[{_MB4}]", _chain, "compute"),
    _row(
        "residual, layer norm",
        f"x f32[4096,768], y f32[4096,768], {_NORM}",
        _residual_layer_norm,
        "memory",
    ),
    _row("normalize columns", f"x f32[{_MB4}]", _normalize_columns, "memory"),
    _row("rms norm by powers", "x f32[4096,768], scale f32[768]", _norm_by_powers, "memory"),
    _row(
        "group norm",
        "x f32[16,64,56,56], scale f32[64,1,1], shift f32[64,1,1]",
        _group_norm,
        "memory",
    ),
    _row("merge heads, add", "x f32[16,16,256,64], shift f32[16,64]", _merge_heads, "memory"),
    _row("hard swish", f"x f32[{_MB4}]", _hard_swish, "memory"),
    _row("elu", f"x f32[{_MB4}]", _elu, "compute"),
    _sub_schema("sub row in cache", "x f32[64,1024], b f32[1,1024]"),
    _sum_schema("sum last in cache", "x f32[64,1024]", -1),
    _row("softmax last in cache", "x f32[64,1024]", _softmax(-1), "compute"),
    _row("softmax 8x16", "x f32[8,16]", _softmax(-1), "call"),
)
"""Other graphs and smaller arrays."""


GROUPS: dict[str, Sequence[Row]] = {
    "core": CORE,
    "element types": TYPES,
    "shapes": SHAPES,
    "more graphs": MORE,
}
