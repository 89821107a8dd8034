"""The namespaces ``xp`` of NumPy, jax and torch: what :class:`benchmarks.graph.Graph` offers.

Each uses what its library has for a name, and a formula where there is nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np


class ArrayNamespace:
    """Over a library with the functions of NumPy, as ``xp``; formulas for what NumPy lacks."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp
        for name in ("exp", "log", "tanh", "sqrt", "abs", "maximum", "minimum"):
            setattr(self, name, getattr(xp, name))

    def erf(self, x: Any) -> Any:
        """Error function."""
        raise NotImplementedError

    def sigmoid(self, x: Any) -> Any:
        """1 / (1 + exp(-x))."""
        return 1 / (1 + self.xp.exp(-x))

    def relu(self, x: Any) -> Any:
        """max(x, 0)."""
        return self.xp.maximum(x, 0)

    def gelu(self, x: Any) -> Any:
        """x / 2 (1 + erf(x / sqrt 2))."""
        return 0.5 * x * (1 + self.erf(x * math.sqrt(0.5)))

    def elu(self, x: Any) -> Any:
        """x, or exp(x) - 1 where that is negative."""
        return self.xp.where(x > 0, x, self.xp.expm1(self.xp.minimum(x, 0)))

    def power(self, x: Any, exponent: float) -> Any:
        """x to the power of a constant."""
        return x**exponent

    def matmul(self, x: Any, y: Any) -> Any:
        """The matrix product of the last two axes."""
        return self.xp.matmul(x, y)

    def conv(self, x: Any, w: Any, stride: int, pad: int) -> Any:
        """The convolution of [N, C, H, W] with filters [F, C / groups, R, S]."""
        edges = ((0, 0), (0, 0), (pad, pad), (pad, pad))
        view = np.lib.stride_tricks.sliding_window_view(np.pad(x, edges), w.shape[2:], (2, 3))
        view = view[:, :, ::stride, ::stride]
        groups = x.shape[1] // w.shape[1]
        view = view.reshape(len(x), groups, w.shape[1], *view.shape[2:])
        filters = w.reshape(groups, len(w) // groups, *w.shape[1:])
        found = np.einsum("ngchwrs,gfcrs->ngfhw", view, filters, optimize=True)
        return found.reshape(len(x), len(w), *found.shape[3:])

    def matmul_integer(self, x: Any, y: Any) -> Any:
        """The product of two matrices of i8, in i32."""
        return self.xp.matmul(x, y, dtype=np.int32)

    def max_pool(self, x: Any, size: int, stride: int, pad: int) -> Any:
        """The greatest value of each window of [N, C, H, W]."""
        edges = ((0, 0), (0, 0), (pad, pad), (pad, pad))
        padded = np.pad(x, edges, constant_values=-np.inf)
        view = np.lib.stride_tricks.sliding_window_view(padded, (size, size), (2, 3))
        return view[:, :, ::stride, ::stride].max((-2, -1))

    def permute(self, x: Any, order: Sequence[int]) -> Any:
        """Axis k of the result is axis ``order[k]`` of ``x``."""
        return self.xp.transpose(x, tuple(order))

    def reshape(self, x: Any, shape: Sequence[int]) -> Any:
        """The same elements in another shape."""
        return self.xp.reshape(x, tuple(shape))

    def reduce(self, kind: str, x: Any, axes: Sequence[int], keep: bool = False) -> Any:
        """``sum``, ``mean``, ``max``, ``min`` or ``logsumexp`` over axes."""
        axes = tuple(axes)
        if kind == "logsumexp":
            high = self.xp.max(x, axis=axes, keepdims=True)
            total = self.xp.sum(self.xp.exp(x - high), axis=axes, keepdims=keep)
            return self.xp.log(total) + (high if keep else self.xp.squeeze(high, axes))
        if kind in ("sum", "mean"):
            return getattr(self.xp, kind)(x, axis=axes, keepdims=keep, dtype=x.dtype)
        return getattr(self.xp, kind)(x, axis=axes, keepdims=keep)

    def argmax(self, x: Any, axis: int) -> Any:
        """The position of the first maximum."""
        return self.xp.argmax(x, axis=axis)

    def cumsum(self, x: Any, axis: int, reverse: bool = False) -> Any:
        """Sums of all up to each one, or from each one on."""
        x = self.xp.flip(x, axis) if reverse else x
        found = self.xp.cumsum(x, axis=axis, dtype=x.dtype)
        return self.xp.flip(found, axis) if reverse else found

    def softmax(self, x: Any, axis: int) -> Any:
        """exp(x - max) over its sum."""
        e = self.xp.exp(x - self.xp.max(x, axis=axis, keepdims=True))
        return e / self.xp.sum(e, axis=axis, keepdims=True)

    def layer_norm(self, x: Any, scale: Any, shift: Any) -> Any:
        """Normalized over the last axis, epsilon 1e-5."""
        d = x - self.xp.mean(x, axis=-1, keepdims=True)
        var = self.xp.mean(d * d, axis=-1, keepdims=True)
        return d / self.xp.sqrt(var + 1e-5) * scale + shift

    def batch_norm(self, x: Any, scale: Any, shift: Any, mean: Any, var: Any) -> Any:
        """Normalized with given statistics for each channel, epsilon 1e-5."""
        factor = scale / self.xp.sqrt(var + 1e-5)
        offset = shift - mean * factor
        channels = (-1,) + (1,) * (x.ndim - 2)
        return x * factor.reshape(channels) + offset.reshape(channels)


class NumPy(ArrayNamespace):
    """NumPy, with the error function of SciPy where that is installed."""

    def __init__(self) -> None:
        super().__init__(np)

    def erf(self, x: Any) -> Any:
        """Error function."""
        try:
            return import_module("scipy.special").erf(x)
        except ImportError:
            return np.asarray(np.frompyfunc(math.erf, 1, 1)(x)).astype(x.dtype)


class Jax(ArrayNamespace):
    """jax, with what ``jax.nn`` has."""

    def __init__(self) -> None:
        super().__init__(import_module("jax.numpy"))
        self.nn: Any = import_module("jax.nn")
        self.lax: Any = import_module("jax.lax")
        self.sigmoid = self.nn.sigmoid
        self.relu = self.nn.relu
        self.elu = self.nn.elu

    def gelu(self, x: Any) -> Any:
        """x / 2 (1 + erf(x / sqrt 2))."""
        return self.nn.gelu(x, approximate=False)

    def softmax(self, x: Any, axis: int) -> Any:
        """exp(x - max) over its sum."""
        return self.nn.softmax(x, axis=axis)

    def conv(self, x: Any, w: Any, stride: int, pad: int) -> Any:
        """The convolution of [N, C, H, W] with filters [F, C / groups, R, S]."""
        groups, edges = x.shape[1] // w.shape[1], ((pad, pad), (pad, pad))
        return self.lax.conv_general_dilated(
            x, w, (stride, stride), edges, feature_group_count=groups
        )

    def matmul_integer(self, x: Any, y: Any) -> Any:
        """The product of two matrices of i8, in i32."""
        return self.lax.dot(x, y, preferred_element_type=np.int32)

    def max_pool(self, x: Any, size: int, stride: int, pad: int) -> Any:
        """The greatest value of each window of [N, C, H, W]."""
        edges = ((0, 0), (0, 0), (pad, pad), (pad, pad))
        steps = (1, 1, stride, stride)
        return self.lax.reduce_window(x, -np.inf, self.lax.max, (1, 1, size, size), steps, edges)

    def reduce(self, kind: str, x: Any, axes: Sequence[int], keep: bool = False) -> Any:
        """``sum``, ``mean``, ``max``, ``min`` or ``logsumexp`` over axes."""
        if kind == "logsumexp":
            return self.nn.logsumexp(x, axis=tuple(axes), keepdims=keep)
        return super().reduce(kind, x, axes, keep)


class Torch:
    """torch, with what ``torch.nn.functional`` has."""

    def __init__(self) -> None:
        self.torch: Any = import_module("torch")
        self.functional: Any = import_module("torch.nn.functional")
        for name in ("exp", "log", "tanh", "sqrt", "abs", "sigmoid", "relu", "argmax", "softmax"):
            setattr(self, name, getattr(self.torch, name))
        self.gelu = self.functional.gelu
        self.elu = self.functional.elu
        self.power = self.torch.pow
        self.permute = self.torch.permute
        self.reshape = self.torch.reshape

    def matmul(self, x: Any, y: Any) -> Any:
        """The matrix product of the last two axes."""
        return self.torch.matmul(x, y)

    def conv(self, x: Any, w: Any, stride: int, pad: int) -> Any:
        """The convolution of [N, C, H, W] with filters [F, C / groups, R, S]."""
        groups = x.shape[1] // w.shape[1]
        return self.functional.conv2d(x, w, None, stride, pad, 1, groups)

    def matmul_integer(self, x: Any, y: Any) -> Any:
        """The product of two matrices of i8, in i32."""
        return self.torch._int_mm(x, y)

    def max_pool(self, x: Any, size: int, stride: int, pad: int) -> Any:
        """The greatest value of each window of [N, C, H, W]."""
        return self.functional.max_pool2d(x, size, stride, pad)

    def maximum(self, x: Any, y: Any) -> Any:
        """The larger of two."""
        return self.torch.maximum(x, y) if hasattr(y, "dtype") else x.clamp(min=y)

    def minimum(self, x: Any, y: Any) -> Any:
        """The smaller of two."""
        return self.torch.minimum(x, y) if hasattr(y, "dtype") else x.clamp(max=y)

    def reduce(self, kind: str, x: Any, axes: Sequence[int], keep: bool = False) -> Any:
        """``sum``, ``mean``, ``max``, ``min`` or ``logsumexp`` over axes."""
        axes = tuple(axes)
        if kind in ("sum", "mean"):
            return getattr(self.torch, kind)(x, dim=axes, keepdim=keep, dtype=x.dtype)
        name = {"max": "amax", "min": "amin"}.get(kind, kind)
        return getattr(self.torch, name)(x, dim=axes, keepdim=keep)

    def cumsum(self, x: Any, axis: int, reverse: bool = False) -> Any:
        """Sums of all up to each one, or from each one on."""
        if not reverse:
            return self.torch.cumsum(x, axis)
        return self.torch.flip(self.torch.cumsum(self.torch.flip(x, (axis,)), axis), (axis,))

    def layer_norm(self, x: Any, scale: Any, shift: Any) -> Any:
        """Normalized over the last axis, epsilon 1e-5."""
        return self.functional.layer_norm(x, x.shape[-1:], scale, shift, 1e-5)

    def batch_norm(self, x: Any, scale: Any, shift: Any, mean: Any, var: Any) -> Any:
        """Normalized with given statistics for each channel, epsilon 1e-5."""
        return self.functional.batch_norm(x, mean, var, scale, shift, False, 0.0, 1e-5)
