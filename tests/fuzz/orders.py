"""Random sums and products of floats, in all the surroundings that must not change a bit of them.

A graph has one reduction: of an argument, or of what one, five or fifty exact operators make of it,
alone or with its operand used beside it.  Several graphs are one function, and so one C file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.func import FuncOp

from opc.api.driver import load
from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.registry import context
from opc.interpret import kernel
from opc.interpret.graph import evaluate
from opc.passes import pipeline

from .build import Build
from .graph import Array
from .variants import build_of

FILES, PARTS = 40, 8
"""Functions, and graphs in each."""
KINDS = ("sum", "prod", "mean", "l1", "sum_square", "l2")
"""Reductions whose bits follow from the order: all else in them is correctly rounded."""
STEPS = (0, 1, 5, 50)
"""How many operators are in front of a reduction."""
EXTENTS = (1, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 31, 32, 33, 63, 64, 65, 100, 129, 257, 1000, 4100)
SIZE, LARGE = 6000, 300_000
"""Most values of an operand; one graph of a function has up to ``LARGE``, which threads share, and
not the most operators."""
ELEMENTWISE = (
    "opc.neg %{0}", "opc.abs %{0}", "opc.max %{0}, %{1}", "opc.min %{0}, %{1}", "opc.relu %{0}",
)  # fmt: skip
"""Operators that keep values about as large as they are."""


@dataclass(frozen=True)
class Form:
    """How a graph is written and lowered."""

    is_symbolic: bool
    is_fused: bool

    def __str__(self) -> str:
        extents = "symbolic" if self.is_symbolic else "static"
        return f"{extents}, {'fused' if self.is_fused else 'unfused'}"


FORMS = tuple(Form(symbolic, fused) for symbolic in (False, True) for fused in (True, False))


@dataclass(frozen=True)
class Part:
    """A graph: its operand, what is in front of the reduction, and whether the operand is used."""

    kind: str
    type: ElementType
    shape: tuple[int, ...]
    unknown: tuple[bool, ...]
    """Which extents are left open in the symbolic form."""
    axes: tuple[int, ...]
    steps: tuple[int, ...]
    is_beside: bool

    @staticmethod
    def draw(rng: np.random.Generator, most: int) -> Part:
        """A graph whose operand has at most so many values."""
        rank, left, extents = int(rng.integers(1, 5)), most, list[int]()
        for _ in range(rank):
            extents.append(int(rng.choice([n for n in EXTENTS if n <= max(left, 1)])))
            left //= extents[-1]
        if most == LARGE:
            extents[int(rng.integers(rank))] *= max(left, 1)
        count = int(rng.integers(1, rank + 1))
        axes = tuple(sorted(int(k) for k in rng.permutation(rank)[:count]))
        unknown = tuple(bool(rng.random() < 0.7) for _ in extents)
        count = int(rng.choice(STEPS if most < LARGE else STEPS[:-1]))
        steps = rng.integers(0, len(ELEMENTWISE), count)
        type = (el.F32, el.F64, el.F16, el.BF16)[int(rng.integers(4))]
        kind, is_beside = str(rng.choice(KINDS)), bool(rng.random() < 0.4)
        shape, chosen = tuple(extents), tuple(int(s) for s in steps)
        return Part(kind, type, shape, unknown, axes, chosen, is_beside)

    def input(self, rng: np.random.Generator) -> Array:
        """Values whose sum or product stays finite and depends on the order."""
        if self.kind == "prod":
            spread = 0.5 / math.sqrt(max(math.prod(self.shape[k] for k in self.axes), 1))
            return np.exp(rng.normal(size=self.shape) * spread).astype(self.type.dtype)
        values = rng.normal(size=self.shape) * np.exp2(rng.integers(-4, 5, self.shape) / 2)
        return values.astype(self.type.dtype)

    def tensor(self, form: Form, is_reduced: bool = False) -> str:
        """The type of the operand, or of what it is reduced to."""
        extents = list(map(str, self.shape))
        for k, is_unknown in enumerate(self.unknown):
            if is_reduced and k in self.axes:
                extents[k] = "1"
            elif form.is_symbolic and is_unknown:
                extents[k] = "?"
        return f"tensor<{'x'.join([*extents, self.type.name])}>"

    def body(self, x: str) -> tuple[list[str], list[str]]:
        """The lines that compute the results from an argument, and their names."""
        lines, last = list[str](), x
        for k, step in enumerate(self.steps):
            # A product of 0 would hide what follows.
            last, operator = f"{x}_{k}", ELEMENTWISE[step if self.kind != "prod" else 1 + step % 3]
            lines.append(f"  %{last} = {operator.format(f'{x}_{k - 1}' if k else x, x)}")
        axes = ", ".join(map(str, self.axes))
        lines.append(
            f"  %{x}_r = opc.reduce_{self.kind} %{last} {{axes = [{axes}], keepdims = true}}"
        )
        if self.is_beside:
            lines.append(f"  %{x}_b = opc.sub %{last}, %{x}_r")
        return lines, [f"{x}_r", *([f"{x}_b"] if self.is_beside else [])]

    def results(self, form: Form) -> list[str]:
        """The types of the results."""
        return [
            self.tensor(form, is_reduced=True),
            *([self.tensor(form)] if self.is_beside else []),
        ]


@dataclass(frozen=True)
class File:
    """Graphs that are one function."""

    number: int
    parts: tuple[Part, ...]
    inputs: tuple[Array, ...]

    @staticmethod
    def draw(number: int) -> File:
        """The graphs of a number: the same ones every time."""
        rng = np.random.default_rng([20261126, number])
        parts = tuple(Part.draw(rng, SIZE if k else LARGE) for k in range(PARTS))
        return File(number, parts, tuple(p.input(rng) for p in parts))

    def text(self, form: Form) -> str:
        """The function."""
        lines, names, types = list[str](), list[str](), list[str]()
        for k, part in enumerate(self.parts):
            more, found = part.body(f"x{k}")
            lines += more
            names += found
            types += part.results(form)
        given = ", ".join(f"%x{k}: {p.tensor(form)}" for k, p in enumerate(self.parts))
        returned = ", ".join(f"%{name}" for name in names)
        end = f"  func.return {returned} : {', '.join(types)}"
        head = f"func.func @main({given}) -> ({', '.join(types)}) {{"
        return "\n".join([head, *lines, end, "}"])

    def expected(self) -> list[Array]:
        """What the interpreter of graphs computes."""
        return evaluate(_function(load(self.text(FORMS[0]))), self.inputs)

    def of_kernels(self, form: Form) -> list[Array]:
        """What the interpreter of kernels computes."""
        module = load(self.text(form))
        pipeline.run(module, context(), pipeline.passes("kernels", fuse=form.is_fused))
        return kernel.run(_function(module), self.inputs)

    def part_of(self, result: int) -> Part:
        """The graph that a result is of."""
        return [p for p in self.parts for _ in p.results(FORMS[0])][result]


def _function(module: object) -> FuncOp:
    from xdsl.dialects.builtin import ModuleOp

    assert isinstance(module, ModuleOp)
    found = module.body.block.first_op
    assert isinstance(found, FuncOp)
    return found


def builds(clang: bool, targets: Sequence[str]) -> Iterator[Build]:
    """Every compiler, level and target, and one with threads."""
    for compiler in ("gcc", *(["clang"] if clang else [])):
        yield build_of(compiler, "-O0")
        yield from (build_of(compiler, "-O3", target) for target in ("baseline", *targets))
    yield build_of("gcc", "-O2", "native", 4)
