"""Graphs that nobody chose: elementwise operators, broadcasts and reductions from a small grammar.

::

    row    = chain ; reduction ; finish
    chain  = 1 to 4 of: unary, binary with a constant, binary with an operand that is broadcast
    reduction = none | a kind over any axes, kept or not
    finish = none | the first operand combined with the reduction | a permutation

A quarter of them have extents that are unknown when compiling.  Element types take turns; integers
have operators, and reductions, that stay integers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.inputs import Input
from benchmarks.rows import Row

_LARGEST = 1 << 22
_SMALLEST = 1 << 14
_EXTENTS = (2, 3, 4, 7, 8, 16, 31, 32, 64, 100, 128, 255, 256, 513, 768, 1000, 1024, 4096)

_UNARY: dict[str, Callable[[Any, Any], Any]] = {
    "tanh": lambda xp, x: xp.tanh(x),
    "sigmoid": lambda xp, x: xp.sigmoid(x),
    "relu": lambda xp, x: xp.relu(x),
    "gelu": lambda xp, x: xp.gelu(x),
    "sqrt-abs": lambda xp, x: xp.sqrt(xp.abs(x) + 1.0),
    "exp-neg-abs": lambda xp, x: xp.exp(-xp.abs(x)),
    "log-square": lambda xp, x: xp.log(x * x + 2.0),
    "half": lambda xp, x: x * 0.5,
}
_CHEAP = ("relu", "half", "sqrt-abs")
_BINARY: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda xp, x, y: x + y,
    "sub": lambda xp, x, y: x - y,
    "mul": lambda xp, x, y: x * y,
    "max": lambda xp, x, y: xp.maximum(x, y),
    "div": lambda xp, x, y: x / (xp.abs(y) + 1.0),
}

_INTEGER_UNARY: dict[str, Callable[[Any, Any], Any]] = {
    "relu": lambda xp, x: xp.relu(x),
    "abs": lambda xp, x: xp.abs(x),
    "double": lambda xp, x: x + x,
    "square": lambda xp, x: x * x,
}
_INTEGER_BINARY = {word: _BINARY[word] for word in ("add", "sub", "mul", "max")}

_KINDS = ("", "sum", "mean", "max", "min", "logsumexp", "sum", "mean")
_INTEGER_KINDS = ("", "sum", "max", "min", "sum")


def random_rows(seed: int, count: int, types: Sequence[str] = ("f32",)) -> list[Row]:
    """The same rows for the same seed and element types."""
    rng = random.Random(seed)
    return [
        _row(rng, f"random {seed}.{number}", types[number % len(types)]) for number in range(count)
    ]


def _row(rng: random.Random, name: str, dtype: str) -> Row:
    is_integer = dtype.startswith("i")
    unary = _INTEGER_UNARY if is_integer else _UNARY
    binary = _INTEGER_BINARY if is_integer else _BINARY
    shape = _shape(rng)
    rank = len(shape)
    symbols = _symbols(rank, name)
    inputs = [_input(f"x {dtype}", shape, symbols)]
    steps: list[tuple[Callable[..., Any], int]] = []
    words: list[str] = []
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.5:
            word = rng.choice(list(unary))
            steps.append((unary[word], 0))
        else:
            word = rng.choice(list(binary))
            other = tuple(n if rng.random() < 0.6 else 1 for n in shape)
            steps.append((binary[word], len(inputs)))
            inputs.append(_input(f"y{len(inputs)} {dtype}", other, symbols))
        words.append(word)
    kind = rng.choice(_INTEGER_KINDS if is_integer else _KINDS)
    axes = tuple(sorted(rng.sample(range(rank), rng.randint(1, rank))))
    finish = rng.choice(("", "", "combine") if kind else ("", "permute"))
    order = rng.sample(range(rank), rank)
    if kind:
        words.append(f"{kind} of {','.join(map(str, axes))}")
    if finish:
        words.append(finish if finish == "combine" else f"permute {''.join(map(str, order))}")

    def function(xp: Any, *arrays: Any) -> Any:
        value = arrays[0]
        for step, operand in steps:
            value = step(xp, value, arrays[operand]) if operand else step(xp, value)
        if kind:
            reduced = xp.reduce(kind, value, axes, finish == "combine")
            return value - reduced if finish == "combine" else reduced
        return xp.permute(value, order) if finish else value

    costly = any(w in _UNARY and w not in _CHEAP for w in words)
    bound = "compute" if costly or kind == "logsumexp" else "memory"
    return Row(f"{name}: {', '.join(words)}", tuple(inputs), function, bound)


def _symbols(rank: int, name: str) -> list[str | None]:
    """A name for each extent that is unknown when compiling."""
    rng = random.Random(name)
    share = 0.6 if rng.random() < 0.25 else 0
    return [f"n{axis}" if rng.random() < share else None for axis in range(rank)]


def _input(declaration: str, shape: tuple[int, ...], symbols: list[str | None]) -> Input:
    """An input; an extent of 1, which is broadcast, is known."""
    symbolic = tuple(s if s and n > 1 else n for n, s in zip(shape, symbols, strict=True))
    name, dtype = declaration.split()
    return Input(name, dtype, shape, symbolic)


def _shape(rng: random.Random) -> tuple[int, ...]:
    while True:
        shape = tuple(rng.choice(_EXTENTS) for _ in range(rng.randint(1, 5)))
        size = 1
        for n in shape:
            size *= n
        if len(shape) == 1:
            return (rng.randint(_SMALLEST, _LARGEST),)
        if _SMALLEST <= size <= _LARGEST:
            return shape
