"""Graphs of any size for measuring how long compiling takes."""

from __future__ import annotations

import random
from collections.abc import Callable

_FULL = "tensor<64x128xf32>"
_ROW = "tensor<128xf32>"
_LAYER = 14
"""The operators of one round of :func:`layers`."""


class _Text:
    """The text of a function, operator by operator."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, operator: str) -> str:
        """Append ``operator`` and return the name of its result."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = opc.{operator}")
        return name

    def reduce(self, kind: str, x: str, axis: int = -1) -> str:
        """Append a reduction that keeps its axis."""
        return self.add(f"reduce_{kind} {x} {{axes = [{axis}], keepdims = true}}")

    def function(self, result: str, count: int) -> str:
        """The function that returns ``result``, filled up to ``count`` operators."""
        while len(self.lines) < count:
            result = self.add(f"add {result}, %b")
        head = f"func.func @graph(%x: {_FULL}, %b: {_ROW}) -> {_FULL} {{"
        return "\n".join([head, *self.lines, f"  func.return {result} : {_FULL}", "}"])


def elementwise(count: int) -> str:
    """A chain of cheap operators, which all fuse; some read an earlier result again."""
    text, last, before = _Text(), "%x", "%x"
    for k in range(count):
        operator = ("add", "mul", "sub", "max", "min", "abs")[k % 6]
        other = "" if operator == "abs" else f", {before if k % 4 else '%b'}"
        last, before = text.add(f"{operator} {last}{other}"), last
    return text.function(last, count)


def transcendental(count: int) -> str:
    """A chain of functions that call helpers."""
    text, last = _Text(), "%x"
    for k in range(count):
        last = text.add(f"{('exp', 'tanh', 'sin', 'sigmoid', 'log1p', 'abs')[k % 6]} {last}")
    return text.function(last, count)


def layers(count: int) -> str:
    """Softmax and normalisation by turns, with a residual connection."""
    text, x = _Text(), "%x"
    while len(text.lines) <= count - _LAYER:
        shifted = text.add(f"sub {x}, {text.reduce('max', x)}")
        powers = text.add(f"exp {shifted}")
        shares = text.add(f"div {powers}, {text.reduce('sum', powers)}")
        y = text.add(f"add {shares}, {x}")
        centred = text.add(f"sub {y}, {text.reduce('mean', y)}")
        squares = text.add(f"mul {centred}, {centred}")
        deviation = text.add(f"sqrt {text.reduce('mean', squares)}")
        scaled = text.add(f"mul {text.add(f'div {centred}, {deviation}')}, %b")
        x = text.add(f"add {scaled}, {x}")
    return text.function(x, count)


def random_graph(count: int) -> str:
    """Operators of all kinds over earlier results."""
    chance, text, values = random.Random(1), _Text(), ["%x"]
    while len(text.lines) < count - 1:
        # The last one, so that the result depends on all of them.
        left, right = values[-1], chance.choice([*values[-40:], "%b"])
        kind = chance.random()
        if kind < 0.1:
            name = chance.choice(("sum", "max", "mean"))
            values.append(text.add(f"add {left}, {text.reduce(name, left, chance.choice((0, 1)))}"))
        elif kind < 0.4:
            name = chance.choice(("exp", "tanh", "abs", "neg"))
            values.append(text.add(f"{name} {left}"))
        else:
            values.append(
                text.add(f"{chance.choice(('add', 'mul', 'sub', 'max'))} {left}, {right}")
            )
    return text.function(values[-1], count)


GRAPHS: dict[str, Callable[[int], str]] = {
    "elementwise": elementwise,
    "transcendental": transcendental,
    "layers": layers,
    "random": random_graph,
}


def _together(inputs: str, lines: list[str], results: list[str], type: str) -> str:
    """The text of a function of many results of one type."""
    types = ", ".join([type] * len(results))
    head = f"func.func @graph({inputs}) -> ({types}) {{"
    end = f"  func.return {', '.join(results)} : {types}\n}}"
    return "\n".join([head, *lines, end])


def results(count: int) -> str:
    """A chain whose values are all returned, of which one nest of loops writes many megabytes."""
    lines = [f"  %v{k + 1} = opc.{('mul', 'add')[k % 2]} %v{k}, %v0" for k in range(count)]
    large = "tensor<4096x2048xf32>"
    return _together(f"%v0: {large}", lines, [f"%v{k + 1}" for k in range(count)], large)


def sums(count: int) -> str:
    """The sum of each value of a chain: one group of kernels."""
    lines = [
        f"  %v{k + 1} = opc.{('exp', 'tanh')[k % 2]} %v{k}\n"
        f"  %s{k} = opc.reduce_sum %v{k + 1} {{axes = [1], keepdims = false}}"
        for k in range(count // 2)
    ]
    names = [f"%s{k}" for k in range(count // 2)]
    return _together("%v0: tensor<64x128xf32>", lines, names, "tensor<64xf32>")


def narrow(count: int) -> str:
    """A chain of functions along rows too short to fill vectors."""
    lines = [f"  %v{k + 1} = opc.exp %v{k}" for k in range(count)]
    return _together("%v0: tensor<64x3xf32>", lines, [f"%v{count}"], "tensor<64x3xf32>")


WIDE: dict[str, tuple[Callable[[int], str], int]] = {
    "results": (results, 100),
    "sums": (sums, 200),
    "narrow": (narrow, 300),
}
"""Graphs where what fuses is as large as the graph, and a number of operators to start from."""
