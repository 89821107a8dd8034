"""The graphs: the examples with fewer rows, and one for each kind of arithmetic that there is."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from opc.api.driver import Options, lower
from opc.emit.source import Emitted

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))

_UNARY = (
    *(
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "ceil",
        "cos",
        "cosh",
        "erf",
        "exp",
    ),
    *("expm1", "floor", "gelu", "log", "log1p", "mish", "reciprocal", "round", "sigmoid", "sign"),
    *("sin", "sinh", "softplus", "sqrt", "tan", "tanh", "trunc"),
)
_BINARY = ("add", "div", "max", "min", "mod", "mul", "pow", "sub")


def _each(types: str, functions: tuple[str, ...], operands: str) -> str:
    """A function with one result for each operator."""
    names = [f"%r{k}" for k in range(len(functions))]
    lines = [f"  {n} = opc.{f} {operands}" for n, f in zip(names, functions, strict=True)]
    arguments = ", ".join(f"{name}: {types}" for name in operands.split(", "))
    results = ", ".join([types] * len(names))
    end = f"  func.return {', '.join(names)} : {results}"
    return "\n".join([f"func.func @main({arguments}) -> ({results}) {{", *lines, end, "}"])


def _drawn(*shape: int) -> str:
    """Numbers of a normal distribution as text, in brackets."""
    return str(np.random.default_rng(1).standard_normal(shape).round(4).tolist())


def _network() -> str:
    """A convolution, a relu and a product, with weights of 4.6 and 5.8 KB in a file."""
    return f"""
func.func @main(%x: tensor<1x8x9x9xf32>) -> tensor<1x12xf32> {{
  %w = opc.constant dense<{_drawn(16, 8, 3, 3)}> : tensor<16x8x3x3xf32>
  %c = opc.conv %x, %w {{strides = [2, 2], dilations = [1, 1], pads = [1, 1, 1, 1]}}
  %r = opc.relu %c
  %f = opc.reshape %r : tensor<1x16x5x5xf32> -> tensor<1x400xf32>
  %v = opc.constant dense<{_drawn(400, 12)}> : tensor<400x12xf32>
  %y = opc.matmul %f, %v
  func.return %y : tensor<1x12xf32>
}}"""


def _depthwise() -> str:
    """A convolution of each channel, of which gcc -O3 makes vectors with more registers."""
    return f"""
func.func @main(%x: tensor<1x16x12x12xf32>) -> tensor<1x16x6x6xf32> {{
  %w = opc.constant dense<{_drawn(16, 1, 3, 3)}> : tensor<16x1x3x3xf32>
  %c = opc.conv %x, %w {{strides = [2, 2], dilations = [1, 1], pads = [1, 1, 1, 1], groups = 16}}
  func.return %c : tensor<1x16x6x6xf32>
}}"""


def _products(type: str) -> str:
    return f"""
func.func @main(%x: tensor<7x40x{type}>, %y: tensor<40x37x{type}>, %z: tensor<7x37x{type}>)
    -> tensor<7x37x{type}> {{
  %p = opc.matmul %x, %y
  %r = opc.add %p, %z
  func.return %r : tensor<7x37x{type}>
}}"""


def _bytes() -> str:
    """Products of bytes of all signs, which some processors add up in groups."""
    rows, columns, result = "tensor<7x40x{}>", "tensor<40x37x{}>", "tensor<7x37xi32>"
    weights = np.random.default_rng(3).integers(-128, 128, (40, 37)).tolist()
    text = f"""
func.func @main(%x: {rows.format("ui8")}, %v: {rows.format("i8")}, %u: {columns.format("ui8")},
                %y: {columns.format("i8")}) -> ({", ".join([result] * 6)}) {{
  %c = opc.constant dense<{weights}> : {columns.format("i8")}"""
    types = {"x": (rows, "ui8"), "v": (rows, "i8"), "u": (columns, "ui8")}
    types |= {"y": (columns, "i8"), "c": (columns, "i8")}
    for name, (shape, type) in types.items():
        text += f"\n  %{name}w = opc.cast %{name} : {shape.format(type)} -> {shape.format('i32')}"
    names = [f"%{left}{right}" for left in "xv" for right in "uyc"]
    for name in names:
        text += f"\n  {name} = opc.matmul %{name[1]}w, %{name[2]}w"
    return f"{text}\n  func.return {', '.join(names)} : {', '.join([result] * 6)}\n}}"


def _looked_up() -> str:
    """Functions of bytes that are computed once for all of them, with rows of any length."""
    arguments, results, lines, names = list[str](), list[str](), list[str](), list[str]()
    for type in ("ui8", "i8"):
        for n in (31, 33, 79, 300):
            name, here, wide = f"{type}_{n}", f"tensor<17x{n}x{type}>", f"tensor<17x{n}xf32>"
            arguments.append(f"%x{name}: {here}")
            lines += [
                f"  %f{name} = opc.cast %x{name} : {here} -> {wide}",
                f"  %s{name} = opc.constant dense<0.05> : {wide}",
                f"  %m{name} = opc.mul %f{name}, %s{name}",
                f"  %g{name} = opc.sigmoid %m{name}",
                f"  %p{name} = opc.mul %g{name}, %f{name}",
                f"  %r{name} = opc.round %p{name}",
                f"  %y{name} = opc.cast %r{name} : {wide} -> {here}",
            ]
            results.append(here)
            names.append(f"%y{name}")
    head = f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{"
    end = f"  func.return {', '.join(names)} : {', '.join(results)}"
    return "\n".join([head, *lines, end, "}"])


def _stored() -> str:
    """Weights of 4 bits with zero points and scales of f16, for two rows and for more."""
    rng = np.random.default_rng(2)
    q, z = rng.integers(0, 16, (32, 32)).tolist(), rng.integers(0, 16, (2, 1, 32)).tolist()
    s = rng.random((2, 1, 32)).round(3).tolist()
    wide = "tensor<2x16x32xf32>"
    return f"""
func.func @main(%x: tensor<2x32xf32>, %y: tensor<21x32xf32>)
    -> (tensor<2x32xf32>, tensor<21x32xf32>) {{
  %q = opc.constant dense<{q}> : tensor<32x32xui4>
  %b = opc.reshape %q : tensor<32x32xui4> -> tensor<2x16x32xui4>
  %f = opc.cast %b : tensor<2x16x32xui4> -> {wide}
  %z = opc.constant dense<{z}> : tensor<2x1x32xui4>
  %o = opc.cast %z : tensor<2x1x32xui4> -> tensor<2x1x32xf32>
  %d = opc.sub %f, %o
  %s = opc.constant dense<{s}> : tensor<2x1x32xf16>
  %t = opc.cast %s : tensor<2x1x32xf16> -> tensor<2x1x32xf32>
  %m = opc.mul %d, %t
  %w = opc.reshape %m : {wide} -> tensor<32x32xf32>
  %u = opc.matmul %x, %w
  %v = opc.matmul %y, %w
  func.return %u, %v : tensor<2x32xf32>, tensor<21x32xf32>
}}"""


def _sums(type: str) -> str:
    row = f"tensor<9x{type}>"
    return f"""
func.func @main(%x: tensor<9x130x{type}>)
    -> ({row}, tensor<130x{type}>, {row}, tensor<9xi64>, tensor<9x130x{type}>) {{
  %a = opc.reduce_sum %x {{axes = [1], keepdims = false}}
  %b = opc.reduce_sum %x {{axes = [0], keepdims = false}}
  %c = opc.reduce_max %x {{axes = [1], keepdims = false}}
  %d = opc.argmin %x {{axis = 1}} : tensor<9x130x{type}> -> tensor<9xi64>
  %e = opc.cum_sum %x {{axis = 1}}
  func.return %a, %b, %c, %d, %e
    : {row}, tensor<130x{type}>, {row}, tensor<9xi64>, tensor<9x130x{type}>
}}"""


def _casts() -> str:
    types = ("f16", "bf16", "f64", "i8", "ui8", "i32", "i64")
    results = ", ".join(f"tensor<150x{t}>" for t in types)
    lines = [
        f"  %r{k} = opc.cast %x : tensor<150xf32> -> tensor<150x{t}>" for k, t in enumerate(types)
    ]
    names = ", ".join(f"%r{k}" for k in range(len(types)))
    return "\n".join([
        f"func.func @main(%x: tensor<150xf32>) -> ({results}) {{", *lines,
        f"  func.return {names} : {results}", "}",
    ])  # fmt: skip


def _rounded(text: str) -> str:
    """The same with products that are rounded before they are added."""
    head, brace, rest = text.partition("> {\n")
    return f'{head}> attributes {{opc.products = "rounded"}} {{\n{rest}' if brace else text


GRAPHS: dict[str, Callable[[], str]] = {
    "network": _network,
    "depthwise": _depthwise,
    "products f32": lambda: _products("f32"),
    "products f64": lambda: _products("f64"),
    "products f16": lambda: _products("f16"),
    "rounded network": lambda: _rounded(_network()),
    "rounded depthwise": lambda: _rounded(_depthwise()),
    "rounded f32": lambda: _rounded(_products("f32")),
    "rounded f64": lambda: _rounded(_products("f64")),
    "rounded f16": lambda: _rounded(_products("f16")),
    "products i32": lambda: _products("i32"),
    "products i8": _bytes,
    "bytes in tables": _looked_up,
    "stored weights": _stored,
    "sums f32": lambda: _sums("f32"),
    "sums i64": lambda: _sums("i64"),
    "casts": _casts,
    "functions f32": lambda: _each("tensor<150xf32>", _UNARY, "%x"),
    "functions f64": lambda: _each("tensor<150xf64>", _UNARY, "%x"),
    "arithmetic f32": lambda: _each("tensor<150xf32>", _BINARY, "%x, %y"),
    "arithmetic i32": lambda: _each("tensor<150xi32>", _BINARY, "%x, %y"),
}
"""MLIR text of each graph; only networks have a file of weights."""


def _example(path: Path) -> str:
    """An example with a few rows where it has hundreds."""
    return re.sub(r"\b(4096|512)x", "5x", path.read_text(encoding="utf-8"))


@cache
def emitted(target: str = "baseline") -> dict[str, Emitted]:
    """What opc makes of each graph, by name; the names of examples are those of their files."""
    texts = {path.stem: _example(path) for path in EXAMPLES}
    texts |= {name: text() for name, text in GRAPHS.items()}
    return {
        name: lower(text, Options(prefix=prefix(name), target=target)).emitted
        for name, text in texts.items()
    }


def prefix(name: str) -> str:
    """How the C function of a graph is called."""
    return name.replace(" ", "_")
