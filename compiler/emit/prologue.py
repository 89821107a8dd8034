"""The prologue of an emitted function: extents read from data, and checks."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import reduce
from itertools import product

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

from opc.dialects import expr as ex
from opc.dialects.buffer import element_in
from opc.dialects.opc.data_extent import data_extents, is_data_dependent
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import GivenExtentsOp, RequireOp, SplitAxesOp, SymbolSource
from opc.dialects.shape import shape_of
from opc.errors import UnsupportedError
from opc.support.interface import IMPOSSIBLE
from opc.support.locations import location_of, of_node
from opc.support.target import FRAME
from opc.support.workspace import ALIGNMENT

from .control import Body
from .ctext import PRODUCT, SUM, UNARY, suffix
from .indices import Indices
from .local_arrays import ALIGNED, array
from .shared import Shared


class Prologue:
    """Writes the prologue of one function."""

    def __init__(
        self,
        shared: Shared,
        indices: Indices,
        names: dict[object, str],
        body_of: Callable[[FuncOp], Body],
    ) -> None:
        self.shared = shared
        self.body_of = body_of
        self.indices = indices
        self.names = names
        self.checks: list[str] = []

    def write(self, block: Block) -> list[str]:
        """The lines, in the order of the operations."""
        lines: list[str] = []
        from_data = {op.defined for op in data_extents(block)}
        stated = (o for o in block.ops if isinstance(o, RequireOp | SymbolSource))
        checked = (
            o for o in stated if isinstance(o, SymbolSource) or not is_data_dependent(o, from_data)
        )
        for number, op in enumerate(checked):
            match op:
                case RequireOp():
                    written: list[str] = []
                    if not op.is_of_sizes:
                        written = self._fail(violated(op, self.indices), required(op, self.indices))
                case SplitAxesOp():
                    written = self._split(op, number)
                case ReadExtentsOp():
                    written = self._read(op, number)
                case GivenExtentsOp():
                    continue  # They are parameters.
                case _:
                    raise TypeError(op.name)
            lines += self.indices.definitions() + written
        return lines

    def _fail(self, condition: str, message: str) -> list[str]:
        self.checks.append(message)
        return [f"  if ({condition}) {{", f"    return {len(self.checks)};", "  }"]

    def _split(self, op: SplitAxesOp, number: int) -> list[str]:
        name, source = f"opc_axes_{suffix(element_in(op.axes))}", self.names[op.axes]
        lengths = shape_of(op.axes.type)
        count = self.indices.text(lengths[0], []).text if lengths else "1"
        rank = len(op.extents.data)
        mask = f"axes{number}"
        lines = [f"  uint32_t {mask};"]
        lines += self._fail(
            f"!{name}({source}, {count}, {rank}, &{mask})",
            f"{of_node(op)}axes, from argument {source.removeprefix('in')}, must be within "
            f"[{-rank}, {rank - 1}] and not repeat",
        )
        if op.empty_is_all is not None:
            lines += [f"  if ({count} == 0) {{", f"    {mask} = {hex((1 << rank) - 1)}u;", "  }"]
        for k, extent in enumerate(op.extents.data):
            text = self.indices.text(extent, []).within(SUM)
            for names, inside, outside in ((op.outer, "1", text), (op.inner, text, "1")):
                c = self.indices.symbols[names.data[k].data]
                lines.append(
                    f"  const int64_t {c} = ({mask} >> {k} & 1) != 0 ? {inside} : {outside};"
                )
        if op.kept:
            lines += self._kept(op, mask, rank)
        return lines

    def _read(self, op: ReadExtentsOp, number: int) -> list[str]:
        rule, extents, count = op.rule.data, op.extents.data, op.count or 0
        v, of, rank = f"extents{number}", f"extents{number}_of", len(extents)
        size = max(count, rank, len(op.defined), 1)
        texts = ", ".join(self.indices.text(e, []).text for e in extents)
        lines = [
            f"  const int64_t {of}[{max(rank, 1)}] = {{{texts or 0}}};",
            f"  int64_t {v}[{size}] = {{0}};",
        ]
        if op.body is None:
            read = f"opc_extents_{suffix(element_in(op.values))}"
            lines.append(f"  {read}({self.names[op.values]}, {count}, {v});")
        else:
            lines += self._computed(op, op.body, count, v)
        shape = ", ".join(map(self.indices.described, extents))
        message = f"{rule}: values of an input do not fit extents [{shape}]"
        if rule == "plain":
            message = "values of an input are no extents"
        if op.body is None and count:
            source = self.names[op.values]
            message += f": {', '.join(f'{{{source}[{k}]}}' for k in range(count))}"
        called = f"opc_extents_{rule}({v}, {count}, {of}, {rank})"
        lines += self._fail(f"!{called}", f"{of_node(op)}{message}")
        return lines + [
            f"  const int64_t {self.indices.symbols[name]} = {v}[{k}];"
            for k, name in enumerate(op.defined)
        ]

    def _computed(self, op: ReadExtentsOp, function: FuncOp, count: int, v: str) -> list[str]:
        """The call of the function that computes the values; its memory is on the stack."""
        body = self.body_of(function)
        name = body.static()
        size = body.workspace.constant
        if body.can_fail:
            raise UnsupportedError(
                f"{op.name}: what computes the values must check indices", location_of(op)
            )
        if body.needs_weights or size is None or size > FRAME:
            raise UnsupportedError(
                f"{op.name}: what computes the values takes too much memory", location_of(op)
            )
        place = f"{v}_place"
        dims = [self.indices.symbols[n] for n in body.dims]
        inputs = [self.names[value] for value in op.operands]
        self.shared.macro(ALIGNED)
        lines = ["  " + array("int64_t", f"{v}_values", max(count, 1))]
        arguments = [*dims, *inputs, f"{v}_values", "NULL"]
        if size:
            words = (size + ALIGNMENT) // 8
            lines.append("  " + array("uint64_t", place, words))
            first = f"{ALIGNMENT} - (uintptr_t){place} % {ALIGNMENT}"
            arguments[-1] = f"(char *){place} + ({first}) % {ALIGNMENT}"
        lines.append(f"  {name}({', '.join(arguments)});")
        lines.append(f"  opc_extents_i64({v}_values, {count}, {v});")
        return lines

    def _kept(self, op: SplitAxesOp, mask: str, rank: int) -> list[str]:
        """Extents of the axes that stay, packed to the front."""
        outer = ", ".join(self.indices.symbols[n.data] for n in op.outer)
        # One entry, which is dropped as a whole where no extent is used.
        packed = "\n".join(
            [
                f"  int64_t {mask}_kept[{rank}] = {{0}};",
                f"  const int64_t {mask}_outer[{rank}] = {{{outer}}};",
                f"  for (int k = 0, n = 0; k < {rank}; ++k) {{",
                f"    if (({mask} >> k & 1) == 0) {{",
                f"      {mask}_kept[n++] = {mask}_outer[k];",
                "    }",
                "  }",
            ]
        )
        return [packed] + [
            f"  const int64_t {self.indices.symbols[n.data]} = {mask}_kept[{k}];"
            for k, n in enumerate(op.kept)
        ]


def required(op: RequireOp, indices: Indices) -> str:
    """The message of a requirement, with both sides."""
    sides = " and ".join(map(indices.described, op.sides.data))
    return f"{indices.filled(op.message.data)}: {sides}"


def violated(op: RequireOp, indices: Indices) -> str:
    """The C condition that a requirement does not hold."""
    left, right = (indices.text(e, []) for e in op.sides.data)
    a, b = left.within(SUM), right.within(SUM)
    relation = op.relation.data
    if relation == "divides":
        return f"{b} == 0 || {left.within(PRODUCT)} % {right.within(UNARY)} != 0"
    if relation == "within":
        return f"{a} > {b} || {a} < {indices.text(-op.sides.data[1] - 1, []).within(SUM)}"
    condition = f"{a} != {b}"
    if relation in ("stretch", "broadcast"):
        condition += f" && {a} != 1"
    if relation == "broadcast":
        condition += f" && {b} != 1"
    return condition


Bound = dict[tuple[str, ...], Fraction]
"""Coefficients of products of symbols."""

LEAST_IS_CONSTANT = 4096
"""The largest number that bounds the minimum of itself and an extent."""


def bound(e: ex.Expr) -> Bound:
    """An upper bound of an expression and of each product in it, without negative coefficients.

    An atom is bounded by its arguments.
    """
    return _sum(reduce(_times, map(_atom, factors), _number(abs(c))) for factors, c in e.terms)


def _atom(atom: ex.Atom) -> Bound:
    match atom.kind:
        case "sym":
            return {(str(atom.args[0]),): Fraction(1)}
        case "floordiv":
            divisor = Fraction(atom.args[1].constant or 1)
            return {names: c / divisor for names, c in bound(atom.args[0]).items()}
        case "mod":
            return bound(atom.args[1] if atom.args[1].constant is not None else atom.args[0])
        case "min" | "max" | "bcast":
            known = [a.constant for a in atom.args if a.constant is not None]
            if known and atom.kind == "min" and min(known) <= LEAST_IS_CONSTANT:
                return _number(min(known))
            # The end of a slice to 2^31 - 1 is a weaker bound than the extent.
            return _sum(bound(a) for a in atom.args if atom.kind != "min" or a.constant is None)
        case "pow2":
            return _sum([_number(1), bound(atom.args[0])])
        case _:
            return _number(1)


def _number(n: int) -> Bound:
    return {(): Fraction(n)}


def _times(a: Bound, b: Bound) -> Bound:
    pairs = product(a.items(), b.items())
    return _sum({tuple(sorted((*x, *y))): c * d} for (x, c), (y, d) in pairs)


def _sum(bounds: Iterable[Bound]) -> Bound:
    total: defaultdict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    for names, c in (term for terms in bounds for term in terms.items()):
        total[names] += c
    return total


def _greatest(size: Bound) -> tuple[int, Fraction]:
    return max(((len(names), c) for names, c in size.items()), default=(0, Fraction(0)))


def _is_less(names: tuple[str, ...], c: Fraction, most: Bound) -> bool:
    """Whether some product of ``most`` is never less: no factor is less than 1."""
    return any(c <= d and not Counter(names) - Counter(others) for others, d in most.items())


def sizes_check(sizes: Iterable[ex.Expr], symbols: Mapping[str, str]) -> list[str]:
    """The statement that returns if one of the sizes, in bytes, is too large; none for constants.

    A size is bounded by a polynomial over the extents that is evaluated in double, where nothing
    overflows.  Every factor counts as at least 1: strides of empty arrays are computed, too.
    It calls ``opc_extent``, which is infinite for a negative extent.
    """
    bounds = [{names: c for names, c in bound(size).items() if names} for size in sizes]
    most: Bound = {}
    for size in sorted(bounds, key=_greatest, reverse=True):
        if len(size) > 1 or not all(_is_less(names, c, most) for names, c in size.items()):
            for names, c in size.items():
                most[names] = max(most.get(names, c), c)
    named = {
        tuple(sorted((symbols[n] for n in names), key=lambda n: (len(n), n))): c
        for names, c in most.items()
    }
    terms = [
        " * ".join([f"{math.ceil(c)}.0", *(f"opc_extent({n})" for n in names)])
        for names, c in sorted(named.items())
    ]
    if not terms:
        return []
    total = " + ".join(terms)
    return [f"  if ({total} > (double)(PTRDIFF_MAX / 2)) {{", f"    return {IMPOSSIBLE};", "  }"]
