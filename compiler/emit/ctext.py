"""C spellings: types, numbers, index expressions and scalar functions, with precedences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from opc.dialects import expr as ex
from opc.dialects.element import I64, ElementType
from opc.dialects.scalar import CASTS, SCALARS

PRIMARY, UNARY, PRODUCT, SUM, RELATION, EQUALITY, BITS, LOGIC, CHOICE = range(16, 7, -1)
"""Precedences, tightest first.  C's finer ones among the looser operators get parentheses."""

_PRECEDENCE = {
    "*": PRODUCT,
    "/": PRODUCT,
    "%": PRODUCT,
    "+": SUM,
    "-": SUM,
    "<": RELATION,
    "<=": RELATION,
    ">": RELATION,
    ">=": RELATION,
    "==": EQUALITY,
    "!=": EQUALITY,
    "&": BITS,
    "|": BITS,
    "^": BITS,
    "&&": LOGIC,
    "||": LOGIC,
}
_OPERANDS = {
    RELATION: (SUM, SUM),
    EQUALITY: (SUM, SUM),
    BITS: (UNARY, UNARY),
    LOGIC: (LOGIC + 1, LOGIC + 1),
}
"""How tightly operands must bind, where that is more than C's grammar asks for."""


@dataclass(frozen=True)
class Text:
    """A C expression and how tightly it binds."""

    text: str
    precedence: int = PRIMARY

    def within(self, precedence: int) -> str:
        """The text as an operand of an operator, in parentheses where needed."""
        return self.text if self.precedence >= precedence else f"({self.text})"

    def __str__(self) -> str:
        return self.text


def address(buffer: Text, offset: Text) -> Text:
    """Address of an element."""
    return buffer if offset.text == "0" else Text(f"{buffer} + {offset.within(SUM)}", SUM)


def suffix(type: ElementType) -> str:
    """Name of a type in helper names: ``f32``, ``i8``, ``u8``, ``f8e5m2``."""
    return type.name.replace("ui", "u").lower()


def stored(type: ElementType) -> str:
    """C type of an element in memory: booleans and floats below 32 bits are unsigned integers."""
    if type.kind == "bool":
        return "uint8_t"
    if type.is_small_float:
        return f"uint{type.bits}_t"
    return computed(type)


def computed(type: ElementType) -> str:
    """C type of a scalar in an expression."""
    if type.kind == "bool":
        return "bool"
    if type.is_small:
        return "uint8_t"
    if type.is_float:
        return {64: "double", 32: "float"}.get(type.bits, f"uint{type.bits}_t")
    return f"{'u' if type.kind == 'unsigned' else ''}int{type.bits}_t"


def number(value: int | float, type: ElementType) -> Text:
    """A constant of a type, exactly; of a small type, by its code."""
    if type.kind == "bool":
        return Text("true" if value else "false")
    if type.is_small_float:
        bits = np.asarray(value, np.float64).astype(type.dtype).view(np.uint16)
        return Text(f"0x{int(bits):04x}")
    if type.is_float:
        return _float(float(value), type.bits)
    value = int(value)
    if type.is_small:
        return Text(str(value))
    if value == type.lowest and type.kind == "signed" and type.bits >= 32:
        return Text(f"INT{type.bits}_MIN")
    if type.bits == 64:
        text = f"{'U' if type.kind == 'unsigned' else ''}INT64_C({abs(value)})"
    else:
        text = str(abs(value)) + ("u" if type.kind == "unsigned" and type.bits == 32 else "")
    return Text(f"-{text}", UNARY) if value < 0 else Text(text)


def _float(value: float, bits: int) -> Text:
    f = "f" if bits == 32 else ""
    if np.isnan(value):
        return Text("NAN" if f else "(double)NAN", PRIMARY if f else UNARY)
    if np.isinf(value):
        text = "INFINITY" if f else "(double)INFINITY"
    else:
        text = repr(abs(value)) if bits == 64 else str(np.float32(abs(value)))
        text = (text if "." in text or "e" in text else text + ".0") + f
    if np.signbit(value):
        return Text(f"-{text}", UNARY)
    return Text(text, PRIMARY if np.isfinite(value) or f else UNARY)


class Indices:
    """Writes index expressions; symbols and dimensions have C names.

    What depends on symbols alone and is more than a sum of products is computed once, before all
    loops, as ``e0``, ``e1``, ...; ``definitions`` hands out the lines that do so.  What depends on
    ``late`` symbols is computed where the last of them gets its value: ``with_late`` puts the lines
    behind the mark there.
    """

    def __init__(self, symbols: dict[str, str], late: Sequence[str] = ()) -> None:
        self.symbols = symbols
        self._late = {name: k for k, name in enumerate(late)}
        self._late_definitions: list[list[str]] = [[] for _ in late]
        self._derived: dict[ex.Atom, str] = {}
        self._definitions: list[str] = []
        self._named: dict[str, str] = {}

    def definitions(self) -> list[str]:
        """The definitions that have become necessary since the last call, in order."""
        lines, self._definitions = self._definitions, []
        return lines

    @property
    def late(self) -> Sequence[str]:
        """The late symbols, in the order in which they get their values."""
        return tuple(self._late)

    def late_mark(self, name: str) -> str:
        """The line that stands where a late symbol has got its value."""
        return f"/* late {self._late[name]} */"

    def with_late(self, lines: Sequence[str]) -> list[str]:
        """Statements with the definitions of what they use behind each mark."""
        mentioned = set(re.findall(r"\w+", " ".join(lines)))
        marks = {f"/* late {k} */": k for k in range(len(self._late_definitions))}
        found: list[str] = []
        for line in reversed(lines):
            if (k := marks.get(line.strip())) is None:
                found.append(line)
                continue
            for definition in reversed(self._late_definitions[k]):
                if definition.split()[2] in mentioned:
                    found.append(definition)
                    mentioned.update(re.findall(r"\w+", definition))
        return found[::-1]

    def names(self) -> list[str]:
        """The C names of all symbols and of what was computed from them."""
        return [*self.symbols.values(), *self._derived.values()]

    def name_minima(
        self, e: ex.Expr, dims: list[str], fresh: Callable[[str], str]
    ) -> Iterator[tuple[str, str]]:
        """Give names to the minima in an expression, innermost first: new names and their values.

        From now on the names stand for them, until :meth:`forget`.
        """
        for atom in (atom for factors, _ in e.terms for atom in factors):
            if atom.kind in ("dim", "sym") or not any(a.dims() for a in atom.args):
                continue
            for argument in atom.args:
                yield from self.name_minima(argument, dims, fresh)
            if atom.kind == "min" and (value := self._choice(atom, dims)) not in self._named:
                self._named[value] = fresh("end")
                yield self._named[value], value

    def forget(self, name: str) -> None:
        """Let a name stand for a minimum no more."""
        self._named = {value: other for value, other in self._named.items() if other != name}

    def text(self, e: ex.Expr, dims: list[str]) -> Text:
        """An expression as int64_t arithmetic; ``dims`` are the names of d0, d1, ..."""
        if not e.terms:
            return Text("0")
        out, count = "", len(e.terms)
        for factors, c in sorted(e.terms, key=lambda term: term[1] < 0):
            parts = [self._atom(a, dims) for a in factors]
            if abs(c) != 1 or not parts:
                parts.append(Text(str(abs(c))))
            term = " * ".join(p.within(PRODUCT) for p in parts)
            out += (f" {'-' if c < 0 else '+'} " if out else "-" if c < 0 else "") + term
        if count > 1:
            return Text(out, SUM)
        factors, c = e.terms[0]
        if c < 0:
            return Text(out, SUM)
        return Text(out, PRODUCT if len(factors) + (c != 1) > 1 else self._single(factors, dims))

    def _single(self, factors: ex.Factors, dims: list[str]) -> int:
        return self._atom(factors[0], dims).precedence if factors else PRIMARY

    def _atom(self, atom: ex.Atom, dims: list[str]) -> Text:
        if atom.kind == "dim":
            return Text(dims[int(atom.args[0])])
        if atom.kind == "sym":
            return Text(self.symbols[str(atom.args[0])])
        if atom.kind == "alone":
            return Text("OPC_ALONE")
        if not any(a.dims() for a in atom.args):
            return Text(self._derived.get(atom) or self._derive(atom))
        return self._call(atom, dims)

    def _derive(self, atom: ex.Atom) -> str:
        value = self._call(atom, [])
        divisor = atom.args[-1]
        if atom.kind in ("floordiv", "mod") and divisor.constant is None:
            # Nothing is indexed where an extent is 0, but this is computed all the same.
            by = self.text(divisor, []).within(RELATION)
            value = Text(f"{by} == 0 ? 0 : {value}", CHOICE)
        name = self._derived[atom] = f"e{len(self._derived)}"
        found = {n for a in atom.args for n in a.symbols()} & self._late.keys()
        last = max((self._late[n] for n in found), default=None)
        lines = self._definitions if last is None else self._late_definitions[last]
        lines.append(f"  const int64_t {name} = {value};")
        return name

    def _call(self, atom: ex.Atom, dims: list[str]) -> Text:
        args = [self.text(a, dims) for a in atom.args]
        if atom.kind in ("floordiv", "mod"):
            # Indices are never negative, so C's truncation is rounding down.
            sign = "/" if atom.kind == "floordiv" else "%"
            return Text(f"{args[0].within(PRODUCT)} {sign} {args[1].within(UNARY)}", PRODUCT - 1)
        if atom.kind == "nonunit":
            return Text(f"({args[0].within(RELATION)} != 1)")
        if atom.kind == "atleast":
            return Text(f"({args[0].within(RELATION)} >= {args[1].within(RELATION)})")
        if atom.kind == "pow2":
            return _call("opc_pow2", args)
        value = self._choice(atom, dims)
        return Text(self._named.get(value) or f"({value})")

    def _choice(self, atom: ex.Atom, dims: list[str]) -> str:
        a, b = (self.text(e, dims).within(RELATION) for e in atom.args)
        if atom.kind == "bcast":
            return f"{a} == 1 ? {b} : {a}"
        return f"{a} {'<' if atom.kind == 'min' else '>'} {b} ? {a} : {b}"


def apply(function: str, args: list[Text], types: list[ElementType], result: ElementType) -> Text:
    """A scalar function as C, by its row of the table."""
    if function in CASTS.values():
        return cast(args[0], types[0], result, function)
    if function == "bitcast":
        return _call(f"opc_bitcast_{suffix(types[0])}_{suffix(result)}", args)
    if function in ("order", "unorder", "rank"):
        floating = types[0] if types[0].is_float else result
        return _call(f"opc_{function}_{suffix(floating)}", args)
    spelling = SCALARS[function].c[types[-1].kind]
    kind, _, operator = spelling.partition(" ")
    if kind == "select":
        a, b, c = (x.within(CHOICE + 1) for x in args)
        return _narrow(Text(f"{a} ? {b} : {c}", CHOICE), result)
    if kind == "prefix":
        # A negation to the left of a comparison gets parentheses: compilers warn without them.
        level = BITS if operator == "!" else UNARY
        return _narrow(Text(f"{operator}{args[0].within(UNARY + 1)}", level), result)
    if kind == "infix":
        level = _PRECEDENCE[operator]
        left, right = _OPERANDS.get(level, (level, level + 1))
        left, right = args[0].within(left), args[1].within(right)
        return _narrow(Text(f"{left} {operator} {right}", level), result)
    return _call(f"opc_{function}_{suffix(types[-1])}", args)


def _narrow(text: Text, type: ElementType) -> Text:
    """C computes in int at least; back to the type where that is wider."""
    if (type.is_integer or type.is_small) and type.bits < 32:
        return Text(f"({computed(type)}){text.within(UNARY)}", UNARY)
    return text


def _call(name: str, args: list[Text]) -> Text:
    return Text(f"{name}({', '.join(a.text for a in args)})")


def cast(value: Text, source: ElementType, target: ElementType, function: str = "cast") -> Text:
    """A conversion; through f32 where one side has 16 bits and that loses nothing."""
    if source is target:
        return value
    if target.is_small:
        return _to_small(value, source, target, function)
    if source.is_small:
        return cast_from(_widened(value, source), _WIDE[source.small], target)
    if source.is_small_float:
        return cast_from(_call(f"opc_cast_{suffix(source)}_f32", [value]), "f32", target)
    return cast_from(value, suffix(source), target)


_WIDE = {"float": "f32", "signed": "i8", "unsigned": "u8"}
"""The type that holds every value of a small type."""


def _widened(value: Text, source: ElementType) -> Text:
    if source.small == "unsigned":
        return Text(f"(uint8_t)({value.within(UNARY)} & {(1 << source.bits) - 1})", UNARY)
    return _call(f"opc_cast_{suffix(source)}_{_WIDE[source.small]}", [value])


def _to_small(value: Text, source: ElementType, target: ElementType, function: str) -> Text:
    if target.small != "float":
        if source.is_float or source.small == "float":
            value = cast(value, source, I64)
        elif source.is_small:
            value = _widened(value, source)
        return Text(f"(uint8_t)({value.within(UNARY)} & {(1 << target.bits) - 1})", UNARY)
    if source.small == "float":
        value = _widened(value, source)
    elif source.is_small_float:
        value = _call(f"opc_cast_{suffix(source)}_f32", [value])
    elif source.is_float:
        value = value if source.bits == 32 else _call("opc_odd_f64_f32", [value])
    elif source.is_integer and target.name == "f8E8M0FNU":
        # To other types f32 loses nothing: integers beyond 2^24 are beyond their range.
        value = _call(f"opc_odd_{'u' if source.kind == 'unsigned' else 'i'}64_f32", [value])
    else:
        value = _widened(value, source) if source.is_small else value
        value = Text(f"(float){value.within(UNARY)}", UNARY)
    return _call(f"opc_{function}_f32_{suffix(target)}", [value])


def cast_from(value: Text, source: str, target: ElementType) -> Text:
    """A conversion from a type that C knows."""
    if source == suffix(target):
        return value
    if target.kind == "bool":
        return Text(f"{value.within(EQUALITY + 2)} != 0", EQUALITY)
    if target.is_small_float:
        if source == "i1":
            value, source = Text(f"(float){value.within(UNARY)}", UNARY), "f32"
        return _call(f"opc_cast_{source}_{suffix(target)}", [value])
    if (source.startswith("f") and target.is_integer) or (source, target.name) == ("f64", "f32"):
        return _call(f"opc_cast_{source}_{suffix(target)}", [value])
    return Text(f"({computed(target)}){value.within(UNARY)}", UNARY)


__all__ = [
    "EQUALITY",
    "PRIMARY",
    "Indices",
    "Text",
    "apply",
    "computed",
    "number",
    "stored",
    "suffix",
]
