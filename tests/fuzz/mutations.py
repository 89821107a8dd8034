"""Planted faults: a line of a pass or of the emitter is another one, which must be found."""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path


@dataclass(frozen=True)
class Mutation:
    """``old`` occurs once in the text of a module and becomes ``new``.

    It is in a function or method of the module, or in one that a table of the module has, such as a
    lambda; there ``old`` begins with the key of the table.
    """

    name: str
    module: str
    old: str
    new: str
    graph: int
    """The number of a graph of the short form that finds it, which is tried before the others."""
    models: str = ""
    """The module that draws models which find it, where graphs do not: models or learned."""

    def texts(self) -> tuple[str, str]:
        """The text of the module and the changed one.  ValueError unless one place changes."""
        path = Path(import_module(self.module).__file__ or "")
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(
                f"{self.name}: {path.name} has {text.count(self.old)} times {self.old!r}"
            )
        return text, text.replace(self.old, self.new)

    def plant(self) -> None:
        """Give the functions of the module the code of the changed text, in this process."""
        old, new = ({key: code for key, code in _codes(text)} for text in self.texts())
        keys = {code: key for key, code in old.items()}
        for function in _functions(import_module(self.module)):
            key = keys.get(function.__code__)
            if key in new:
                function.__code__ = new[key]


def _codes(text: str) -> Iterator[tuple[tuple[str, int], types.CodeType]]:
    """The codes in a text by name and by number among those of the name: lambdas have one name."""
    numbers = Counter[str]()
    pending = [compile(text, "changed", "exec")]
    while pending:
        inner = [code for code in pending.pop(0).co_consts if isinstance(code, types.CodeType)]
        pending += inner
        for code in inner:
            yield (code.co_qualname, numbers[code.co_qualname]), code
            numbers[code.co_qualname] += 1


def _functions(module: types.ModuleType) -> Iterator[types.FunctionType]:
    """Functions and methods that the module defines, and those that its tables have."""
    values = list(vars(module).values())
    holders = [module, *(value for value in values if isinstance(value, type))]
    members = [member for holder in holders for member in vars(holder).values()]
    members += [entry for table in values if isinstance(table, dict) for entry in table.values()]
    for member in members:
        function = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
        if isinstance(function, types.FunctionType) and function.__module__ == module.__name__:
            yield function


MUTATIONS = (
    Mutation(
        "an attribute lost in normalize-axes",
        "opc.graph.normalize_axes",
        'last = params["select_last_index"] or None',
        "last = None",
        16,
    ),
    Mutation(
        "wrong axes reduced",
        "opc.kernels.form_kernels",
        "enumerate([*kept, *axes])",
        "enumerate([*axes, *kept])",
        0,
    ),
    Mutation(
        "operands swapped in decompose",
        "opc.graph.decompositions",
        'b.apply("select", b.apply("gt", x, 0), x, below)',
        'b.apply("select", b.apply("gt", 0, x), x, below)',
        11,
    ),
    Mutation(
        "a clip that lets the lower bound win",
        "opc.graph.decompositions",
        '"opc.clip": lambda b, _, x: b.apply("min", b.apply("max", x[0], x[1]), x[2])',
        '"opc.clip": lambda b, _, x: b.apply("max", b.apply("min", x[0], x[2]), x[1])',
        124,
    ),
    Mutation(
        "a slope of the oracle on the wrong side",
        "opc.interpret.elementwise",
        '"opc.leaky_relu": lambda x, p: np.where(x >= 0, x, p["alpha"] * x)',
        '"opc.leaky_relu": lambda x, p: np.where(x <= 0, x, p["alpha"] * x)',
        9,
    ),
    Mutation(
        "permutations composed the wrong way",
        "opc.graph.fold_constants",
        "composed = tuple(first[k] for k in order)",
        "composed = tuple(order[k] for k in first)",
        55,
    ),
    Mutation(
        "operands swapped in form-kernels",
        "opc.kernels.form_kernels",
        "args = [loaded[v] for v in op.operands]",
        "args = [loaded[v] for v in op.operands][::-1]",
        0,
    ),
    Mutation(
        "wrong identity",
        "opc.dialects.scalar",
        'return type.highest if self.combine == "min" else type.lowest',
        'return type.highest if self.combine == "min" else 0',
        118,
    ),
    Mutation(
        "a value that may be positive taken as negative",
        "opc.kernels.narrow_domains",
        "return -1 if _is_at_most(*op.args) else 0",
        "return -1",
        113,
    ),
    Mutation(
        "memory shared by values that live together",
        "opc.support.workspace",
        "met = (firsts <= last) & (lasts >= first)",
        "met = (firsts < last) & (lasts > first)",
        28,
    ),
    Mutation(
        "dimensions merged that memory tells apart",
        "opc.dialects.collapse",
        "if a is None or b is None or a != b * extent:",
        "if a is None or b is None:",
        0,
    ),
    Mutation(
        "one element too far",
        "opc.loops.unordered_reductions",
        'inside = here.loop(lower, upper, "serial")',
        'inside = here.loop(lower, upper + 1, "serial")',
        0,
    ),
    Mutation(
        "one store dropped",
        "opc.loops.sweep",
        "for kept in self.kept:",
        "for kept in self.kept[1:]:",
        10,
    ),
    Mutation(
        "a tile that ends early",
        "opc.loops.insertion",
        "else ex.minimum(end, self.end)",
        "else ex.minimum(end, self.end - 1)",
        89,
    ),
    Mutation(
        "a boolean read as a number",
        "opc.emit.statements",
        'return Text(f"{text} != 0", EQUALITY)',
        'return Text(f"{text} > 1", EQUALITY)',
        10,
    ),
    Mutation(
        "an axis mirrored around the wrong element",
        "opc.frontend.models.pads",
        "period = np.maximum(2 * (count - shared), 1)",
        "period = np.maximum(2 * (count - shared) - 1, 1)",
        125,
    ),
    Mutation(
        "totals of unknown length left to the stack",
        "opc.graph.computed_extents",
        "if len(known) != len(sizes) or sum(known)",
        "if sum(known)",
        60,
    ),
    Mutation(
        "a name that says nothing taken as one extent",
        "opc.frontend.onnx.tensors",
        "return text in UNKNOWN_NAMES or not any(c.isalnum() for c in text)",
        "return not text",
        0,
        models="models",
    ),
    Mutation(
        "words that say nothing taken as one extent",
        "opc.frontend.onnx.tensors",
        "return text in UNKNOWN_NAMES or",
        "return",
        0,
        models="models",
    ),
    Mutation(
        "NaN that goes right from every node",
        "opc.kernels.form_walks",
        'compute(block, "or", left, compute(block, "and", is_nan, goes_left))',
        "left",
        0,
        models="learned",
    ),
    Mutation(
        "walks that end a step early",
        "opc.loops.indirect_loops",
        'row.loop(0, self.repeat.steps, "serial")',
        'row.loop(0, self.repeat.steps - 1, "serial")',
        0,
        models="learned",
    ),
    Mutation(
        "the last roots taken for the first",
        "opc.loops.indirect_loops",
        "ex.mod(number, blocks) * width + first",
        "ex.mod(number, blocks) * width",
        119,
    ),
    Mutation(
        "NaN that goes to the other side of nodes that ask for more",
        "opc.frontend.models.forest",
        "left = self.missing[at] != is_turned",
        "left = self.missing[at]",
        0,
        models="learned",
    ),
    Mutation(
        "what is less taken as equal",
        "opc.frontend.models.forest",
        "before(split, self.dtype), no, yes",
        "before(split, self.dtype), yes, yes",
        0,
        models="learned",
    ),
    Mutation(
        "labels in another order",
        "opc.frontend.onnx.ops.classifiers",
        "onp.argmax(best, axis=1)",
        "onp.argmin(best, axis=1)",
        0,
        models="learned",
    ),
    Mutation(
        "a scale of the greatest number alone",
        "opc.frontend.onnx.ops.quantization",
        "(high - low) / 255.0",
        "high / 255.0",
        0,
        models="learned",
    ),
    Mutation(
        "a zero point left out",
        "opc.frontend.onnx.ops.quantization",
        "x.astype(I32) if zero is None else x.astype(I32) - zero.astype(I32)",
        "x.astype(I32)",
        0,
        models="learned",
    ),
)
