"""C spellings: types, numbers and scalar functions, with precedences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opc.dialects.element import I64, ElementType
from opc.dialects.scalar import CASTS, SCALARS

PRIMARY, UNARY, PRODUCT, SUM, RELATION, EQUALITY, BITS, LOGIC, CHOICE = range(16, 7, -1)
"""Precedences, tightest first.  Where C's are finer, parentheses stand."""

_PRECEDENCE = {
    **dict.fromkeys(("*", "/", "%"), PRODUCT),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("<", "<=", ">", ">="), RELATION),
    **dict.fromkeys(("==", "!="), EQUALITY),
    **dict.fromkeys(("&", "|", "^"), BITS),
    **dict.fromkeys(("&&", "||"), LOGIC),
}
_OPERANDS = {
    RELATION: (SUM, SUM),
    EQUALITY: (SUM, SUM),
    BITS: (UNARY, UNARY),
    LOGIC: (LOGIC + 1, LOGIC + 1),
}
"""How tightly operands must bind, where that is more than C requires."""

PREDEFINED = frozenset((
    *("linux", "unix", "hpux", "sun", "sgi", "vax", "pyr", "tower", "WIN32", "WIN64", "WINNT"),
    *("i370", "i386", "i486", "i586", "i686", "i860", "i960", "mips", "MIPSEB", "MIPSEL", "R3000"),
    *("sparc", "arm", "m32", "m68k", "m88k", "mc68000", "mc68010", "mc68020", "ns32000", "hppa"),
    *("PPC", "ppc", "POWERPC", "vector", "pixel", "near", "far", "huge", "asm", "typeof"),
))  # fmt: skip
"""Names without an underscore that some compiler predefines as macros or keywords."""


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
    """Address of an element.

    A difference is computed first: a pointer must not leave its array on the way.
    """
    if offset.text == "0":
        return buffer
    inner = SUM + 1 if " - " in offset.text else SUM
    return Text(f"{buffer} + {offset.within(inner)}", SUM)


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
    """An exact constant of a type; for a small type, its code."""
    if type.kind == "bool":
        return Text("true" if value else "false")
    if type.is_small_float:
        bits = np.asarray(value, np.float64).astype(type.dtype).view(np.uint16)
        return Text(f"0x{int(bits):04x}")
    if type.is_float:
        return _float(float(value), type.bits)
    if type.is_small:
        return Text(str(int(np.asarray(value).astype(type.dtype).view(np.uint8))))
    value = int(value)
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


def apply(function: str, args: list[Text], types: list[ElementType], result: ElementType) -> Text:
    """A scalar function as C, by its row of the table."""
    if function in CASTS.values():
        return cast(args[0], types[0], result, function)
    if function == "bitcast":
        return call(f"opc_bitcast_{suffix(types[0])}_{suffix(result)}", args)
    if function in ("order", "unorder", "rank"):
        floating = types[0] if types[0].is_float else result
        return call(f"opc_{function}_{suffix(floating)}", args)
    spelling = SCALARS[function].c[types[-1].kind]
    kind, _, operator = spelling.partition(" ")
    if kind == "select":
        b, c = (x.within(CHOICE + 1) for x in args[1:])
        # clang warns of a condition of & or | without parentheses.
        a = args[0].within(BITS + 1)
        return _narrow(Text(f"{a} ? {b} : {c}", CHOICE), result)
    if kind == "prefix":
        # A negation left of a comparison gets parentheses: without them compilers warn.
        level = BITS if operator == "!" else UNARY
        return _narrow(Text(f"{operator}{args[0].within(UNARY + 1)}", level), result)
    if kind == "infix":
        level = _PRECEDENCE[operator]
        left, right = _OPERANDS.get(level, (level, level + 1))
        left, right = args[0].within(left), args[1].within(right)
        return _narrow(Text(f"{left} {operator} {right}", level), result)
    return call(f"opc_{function}_{suffix(types[-1])}", args)


def _narrow(text: Text, type: ElementType) -> Text:
    """Convert back to the type where C computes in int."""
    if (type.is_integer or type.is_small) and type.bits < 32:
        return Text(f"({computed(type)}){text.within(UNARY)}", UNARY)
    return text


def call(name: str, args: list[Text]) -> Text:
    """A call of a function of C."""
    return Text(f"{name}({', '.join(a.text for a in args)})")


def cast(value: Text, source: ElementType, target: ElementType, function: str = "cast") -> Text:
    """A conversion, through f32 if one side has 16 bits and nothing is lost."""
    if source is target:
        return value
    if target.is_small:
        return _to_small(value, source, target, function)
    if source.is_small:
        return cast_from(_widened(value, source), _WIDE[source.small], target)
    if source.is_small_float:
        return cast_from(call(f"opc_cast_{suffix(source)}_f32", [value]), "f32", target)
    return cast_from(value, suffix(source), target)


_WIDE = {"float": "f32", "signed": "i8", "unsigned": "u8"}
"""The type that holds every value of a small type."""


def _widened(value: Text, source: ElementType) -> Text:
    if source.small == "unsigned":
        return Text(f"(uint8_t)({value.within(UNARY)} & {(1 << source.bits) - 1})", UNARY)
    return call(f"opc_cast_{suffix(source)}_{_WIDE[source.small]}", [value])


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
        value = call(f"opc_cast_{suffix(source)}_f32", [value])
    elif source.is_float:
        value = value if source.bits == 32 else call("opc_odd_f64_f32", [value])
    elif source.is_integer and target.name == "f8E8M0FNU":
        # For other types f32 suffices: integers beyond 2^24 are outside of their range.
        value = call(f"opc_odd_{'u' if source.kind == 'unsigned' else 'i'}64_f32", [value])
    else:
        value = _widened(value, source) if source.is_small else value
        value = Text(f"(float){value.within(UNARY)}", UNARY)
    return call(f"opc_{function}_f32_{suffix(target)}", [value])


def cast_from(value: Text, source: str, target: ElementType) -> Text:
    """A conversion from a type that C knows."""
    if source == suffix(target):
        return value
    if target.kind == "bool":
        return Text(f"{value.within(EQUALITY + 2)} != 0", EQUALITY)
    if target.is_small_float:
        if source == "i1":
            value, source = Text(f"(float){value.within(UNARY)}", UNARY), "f32"
        return call(f"opc_cast_{source}_{suffix(target)}", [value])
    if (source.startswith("f") and target.is_integer) or (source, target.name) == ("f64", "f32"):
        return call(f"opc_cast_{source}_{suffix(target)}", [value])
    return Text(f"({computed(target)}){value.within(UNARY)}", UNARY)
