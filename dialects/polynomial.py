"""Polynomials with integer coefficients over atoms, in normal form: the base of ``expr.py``.

A polynomial with more terms or factors than ``budgets.py`` allows raises BudgetExceeded before it
is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import gcd
from typing import Any, TypeAlias

import numpy as np

from . import budgets


def _quotient(a: Any, b: Any) -> Any:
    # Nothing is indexed if an extent is 0, but divisions by it are computed.
    return a // b if isinstance(b, np.ndarray) or b != 0 else 0 * a


def _rest(a: Any, b: Any) -> Any:
    return a % b if isinstance(b, np.ndarray) or b != 0 else 0 * a


_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "floordiv": _quotient,
    "mod": _rest,
    "bcast": lambda a, b: b if a == 1 else a,
    "min": lambda a, b: b + (a - b) * (a < b),  # of arrays too
    "max": lambda a, b: a + (b - a) * (a < b),
    "atleast": lambda a, b: int(a >= b),
}
_ONE: dict[str, Callable[[Any], Any]] = {
    "nonunit": lambda a: int(a != 1),
    "pow2": lambda a: 1 << max(0, int(a).bit_length() - 1) if a > 0 else 1,
}
EVALUATE: dict[str, Callable[..., Any]] = {**_ONE, **_TWO}
"""The functions by name."""


Factors: TypeAlias = "tuple[Atom, ...]"
Ranges: TypeAlias = "Mapping[int, Expr]"
"""The extent of each dimension, which runs from 0 to extent - 1."""
Values: TypeAlias = "Mapping[int, Expr] | Mapping[str, Expr]"
"""Expressions to substitute for dimensions, by number, or for symbols, by name."""


@dataclass(frozen=True)
class Atom:
    """An indivisible factor: ``kind`` is dim, sym or a function name."""

    kind: str
    args: tuple[Any, ...]

    @cached_property
    def text(self) -> str:
        """The text of the atom, by which factors are sorted."""
        if self.kind == "dim":
            return f"d{self.args[0]}"
        if self.kind == "sym":
            return str(self.args[0])
        return f"{self.kind}({', '.join(map(str, self.args))})"

    @cached_property
    def key(self) -> tuple[bool, str]:
        """The key by which terms are sorted."""
        return self.kind != "dim", self.text.zfill(4)

    @cached_property
    def size(self) -> int:
        """The number of terms in its arguments, nested ones included."""
        return 0 if self.kind in ("dim", "sym") else sum(a.size for a in self.args)

    @cached_property
    def depth(self) -> int:
        """The depth of nested functions."""
        return (
            0 if self.kind in ("dim", "sym") else 1 + max((a.depth for a in self.args), default=0)
        )

    @cached_property
    def _hash(self) -> int:
        return hash((self.kind, self.args))

    def __hash__(self) -> int:
        return self._hash


def _order(term: tuple[Factors, int]) -> tuple[int, list[tuple[bool, str]]]:
    """Dimensions first, outermost first; products before single factors; constants last."""
    return -len(term[0]), [a.key for a in term[0]]


class Expr:
    """A polynomial over atoms; immutable, hashable, compared by value."""

    __slots__ = ("_dims", "_hash", "_symbols", "terms")

    def __init__(self, terms: Mapping[Factors, int]) -> None:
        kept = [term for term in terms.items() if term[1]]
        if len(kept) > 1:
            kept.sort(key=_order)
        self.terms: tuple[tuple[Factors, int], ...] = tuple(kept)
        self._hash = hash(self.terms)
        self._dims: frozenset[int] | None = None
        self._symbols: frozenset[str] | None = None

    @staticmethod
    def of(value: int | Expr) -> Expr:
        """An expression as it is, an integer as a constant."""
        return value if isinstance(value, Expr) else const(value)

    @property
    def constant(self) -> int | None:
        """The value if there are no atoms, else None."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and not self.terms[0][0]:
            return self.terms[0][1]
        return None

    def atom(self) -> Atom | None:
        """The atom, if the expression is one atom, else None."""
        if len(self.terms) == 1 and self.terms[0][1] == 1 and len(self.terms[0][0]) == 1:
            return self.terms[0][0][0]
        return None

    def dim(self) -> int | None:
        """k, if the expression is ``dk``, else None."""
        atom = self.atom()
        return atom.args[0] if atom is not None and atom.kind == "dim" else None

    def symbol(self) -> str | None:
        """The name, if the expression is one symbol, else None."""
        atom = self.atom()
        return atom.args[0] if atom is not None and atom.kind == "sym" else None

    def dims(self) -> frozenset[int]:
        """Every dimension that the value depends on."""
        if self._dims is None:
            own = (atom.args[0] for atom in self.atoms() if atom.kind == "dim")
            self._dims = frozenset(own).union(*(a.dims() for a in self.arguments()))
        return self._dims

    def symbols(self) -> frozenset[str]:
        """Every symbol that the value depends on."""
        if self._symbols is None:
            own = (atom.args[0] for atom in self.atoms() if atom.kind == "sym")
            self._symbols = frozenset(own).union(*(a.symbols() for a in self.arguments()))
        return self._symbols

    def atoms(self) -> Iterator[Atom]:
        """The factors of its terms."""
        return (atom for factors, _ in self.terms for atom in factors)

    def arguments(self) -> Iterator[Expr]:
        """The arguments of the functions among its atoms."""
        return (a for atom in self.atoms() if atom.kind not in ("dim", "sym") for a in atom.args)

    def divisions(self) -> Iterator[Atom]:
        """The quotients and remainders in it and in all arguments."""
        yield from (atom for atom in self.atoms() if atom.kind in ("floordiv", "mod"))
        for argument in self.arguments():
            yield from argument.divisions()

    def coefficient(self, dim: int) -> Expr | None:
        """The coefficient of ``d<dim>``; None if the expression is not linear in it."""
        return _coefficient(self, dim)

    @property
    def divisor(self) -> int:
        """A number that divides it whatever its dimensions and symbols are; 0 of zero."""
        return gcd(*(factor for _, factor in self.terms))

    @property
    def size(self) -> int:
        """The number of terms, those inside functions included."""
        return len(self.terms) + sum(atom.size for atom in self.atoms())

    @property
    def depth(self) -> int:
        """The depth of nested functions."""
        return max((atom.depth for atom in self.atoms()), default=0)

    def __add__(self, other: int | Expr) -> Expr:
        other = Expr.of(other)
        if not other.terms:
            return self
        if not self.terms:
            return other
        is_little = len(self.terms) + len(other.terms) <= _LITTLE
        return _sum(self, other) if is_little else total_of((self, other))

    __radd__ = __add__

    def __neg__(self) -> Expr:
        return Expr({f: -c for f, c in self.terms})

    def __sub__(self, other: int | Expr) -> Expr:
        other = Expr.of(other)
        is_little = len(self.terms) + len(other.terms) <= _LITTLE
        return _difference(self, other) if is_little else self + -other

    def __rsub__(self, other: int | Expr) -> Expr:
        return Expr.of(other) - self

    def __mul__(self, other: int | Expr) -> Expr:
        other = Expr.of(other)
        if (factor := other.constant) is not None:
            return self._times(factor)
        if (factor := self.constant) is not None:
            return other._times(factor)
        _check("terms", len(self.terms) * len(other.terms))
        # The first term has the most factors.
        _check("degree", len(self.terms[0][0]) + len(other.terms[0][0]))
        return _product(self, other)

    __rmul__ = __mul__

    def _times(self, factor: int) -> Expr:
        return self if factor == 1 else _multiple(self, factor)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            return self.constant == other
        return isinstance(other, Expr) and self.terms == other.terms

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        text = ""
        for factors, c in self.terms:
            sign = ("-" if c < 0 else "") if not text else (" - " if c < 0 else " + ")
            parts = [a.text for a in factors]
            if abs(c) != 1 or not parts:
                parts.append(str(abs(c)))
            text += sign + "*".join(parts)
        return text

    __repr__ = __str__

    def substitute(self, values: Values, ranges: Ranges | None = None) -> Expr:
        """Replace dimensions and symbols, and simplify; ``ranges`` are of the new dimensions."""
        if not values or (self._is_apart(values) and self._is_apart(ranges or {})):
            return self
        # What one budget allows may be too much for another.
        limits = budgets.limit("terms"), budgets.limit("degree")
        known = () if ranges is None else tuple(ranges.items())
        return _substituted(self, tuple(values.items()), known, limits)

    def _is_apart(self, names: Mapping[Any, Expr]) -> bool:
        """Whether it depends on none of some dimensions and symbols."""
        return self.dims().isdisjoint(names) and self.symbols().isdisjoint(names)

    def evaluate(self, dims: Mapping[int, Any], symbols: Mapping[str, int]) -> Any:
        """The value; an array if ``dims`` has NumPy index arrays."""
        total: Any = 0
        for factors, c in self.terms:
            term: Any = c
            for atom in factors:
                if atom.kind == "dim":
                    term = term * dims[atom.args[0]]
                elif atom.kind == "sym":
                    term = term * symbols[atom.args[0]]
                else:
                    args = [a.evaluate(dims, symbols) for a in atom.args]
                    term = term * EVALUATE[atom.kind](*args)
            total = total + term
        return total


INSIDE = 64
"""The budget of terms inside of functions, which repeat parts, as a multiple of that of terms."""
_LITTLE = 16
"""An amount below every sensible budget, which is not looked up."""
CALL: dict[str, Callable[..., Expr]] = {}
"""The constructor of each function, by name; it simplifies.  ``expr.py`` fills the table."""


@lru_cache(maxsize=1 << 12, typed=True)
def const(value: int) -> Expr:
    """A constant."""
    return Expr({(): value})


# Layers of a network have the same extents and offsets, and the loops around them the same sums: of
# 160,000 results for a network of 12 layers 1,000 are different ones.
_remembered = lru_cache(maxsize=1 << 14)


@_remembered
def _sum(a: Expr, b: Expr) -> Expr:
    return total_of((a, b))


@_remembered
def _difference(a: Expr, b: Expr) -> Expr:
    return total_of((a, -b))


@_remembered
def _multiple(a: Expr, factor: int) -> Expr:
    return Expr({f: c * factor for f, c in a.terms})


@_remembered
def _product(a: Expr, b: Expr) -> Expr:
    total: dict[Factors, int] = {}
    for f, c in a.terms:
        for g, d in b.terms:
            product = tuple(sorted(f + g, key=_text)) if f and g else f + g
            total[product] = total.get(product, 0) + c * d
    return Expr(total)


@_remembered
def _substituted(
    e: Expr,
    values: tuple[tuple[Any, Expr], ...],
    ranges: tuple[tuple[int, Expr], ...],
    limits: tuple[int, int],
) -> Expr:
    by_name, within = dict(values), dict(ranges)
    return total_of(_replaced(factors, c, by_name, within) for factors, c in e.terms)


@_remembered
def _coefficient(expr: Expr, dim: int) -> Expr | None:
    """See :meth:`Expr.coefficient`; planners ask for the same ones again and again."""
    total: dict[Factors, int] = {}
    for factors, c in expr.terms:
        own = [a for a in factors if a.kind == "dim" and a.args[0] == dim]
        rest = tuple(a for a in factors if a not in own)
        if len(own) > 1 or dim in Expr({rest: 1}).dims():
            return None
        if own:
            total[rest] = total.get(rest, 0) + c
    return Expr(total)


def _check(name: str, amount: int) -> None:
    if amount > _LITTLE:
        budgets.check("an extent", name, amount)


def _text(atom: Atom) -> str:
    return atom.text


def total_of(parts: Iterable[Expr]) -> Expr:
    """The sum of many expressions; ``sum`` would sort the terms after each addition."""
    total: dict[Factors, int] = {}
    for part in parts:
        for factors, c in part.terms:
            total[factors] = total.get(factors, 0) + c
    _check("terms", len(total))
    return Expr(total)


def _replaced(factors: Factors, c: int, values: Values, ranges: Ranges) -> Expr:
    """A term with other expressions substituted for its atoms."""
    kept: list[Atom] = []
    new: list[Expr] = []
    for atom in factors:
        if atom.kind in ("dim", "sym"):
            value: Expr | None = values.get(atom.args[0])
            if value is not None:
                new.append(value)
            else:
                kept.append(atom)
        else:
            args = [a.substitute(values, ranges) for a in atom.args]
            known = (ranges,) if atom.kind in ("floordiv", "mod") else ()
            new.append(CALL[atom.kind](*args, *known))
    term = Expr({tuple(kept): c})
    for value in new:
        term = term * value
    return term


def applied(kind: str, *args: Expr) -> Expr:
    """A function of expressions, not simplified."""
    atom = Atom(kind, args)
    if atom.size > _LITTLE:
        budgets.check("an extent, inside functions", "terms", atom.size, INSIDE)
    _check("degree", atom.depth)
    return Expr({(atom,): 1})
