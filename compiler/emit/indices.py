"""Index expressions and conditions as C, over symbols and loop variables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from opc.dialects import expr as ex
from opc.dialects.loop_if import is_negated, needed
from opc.errors import InputError

from .ctext import CHOICE, EQUALITY, LOGIC, PRIMARY, PRODUCT, RELATION, SUM, UNARY, Text, call
from .messages import Extents

Use: TypeAlias = "tuple[ex.Expr, Sequence[str | None], bool]"
"""An expression, the names of its dimensions if they have one, and whether it is the end of a
loop."""
_ENCLOSED = frozenset({"min", "max", "bcast", "atleast", "nonunit"})
"""Functions that are written in parentheses."""


def data_line(number: int) -> str:
    """The line after the definition of a data-dependent symbol."""
    return f"/* data extent {number} */"


def is_data_line(line: str) -> bool:
    """Whether a line is such a mark, which definitions replace in the end."""
    return line.strip().startswith(data_line(0)[: -len("0 */")])


class Indices:
    """Writes index expressions; symbols and dimensions have C names.

    Functions of symbols alone are computed once, before all loops, as ``e0``, ``e1``, ...;
    ``definitions`` returns these lines.  Functions of ``from_data`` symbols are computed where the
    last of these gets its value: ``with_data_extents`` puts the lines at the mark there.
    """

    def __init__(
        self, symbols: dict[str, str], extents: Extents, from_data: Sequence[str] = ()
    ) -> None:
        self.symbols = symbols
        self.described = extents.described
        """An extent in a message, with symbols that the runtime fills in: ``{N}*4``."""
        self.filled = extents.filled
        """The message of a requirement, with computed extents likewise."""
        self._from_data = {name: k for k, name in enumerate(from_data)}
        self._data_definitions: list[list[str]] = [[] for _ in from_data]
        self._derived: dict[ex.Atom, str] = {}
        self._definitions: list[str] = []
        self._named: dict[str, str] = {}
        self.asked: dict[ex.Atom, str] = {}
        """Comments on functions in conditions, which stand at their definitions."""

    def definitions(self) -> list[str]:
        """The definitions since the last call, in order."""
        lines, self._definitions = self._definitions, []
        return lines

    @property
    def from_data(self) -> Sequence[str]:
        """The data-dependent symbols in order of definition."""
        return tuple(self._from_data)

    def data_mark(self, name: str) -> str:
        """The line after the definition of a data-dependent symbol."""
        return data_line(self._from_data[name])

    def with_data_extents(self, lines: Sequence[str]) -> list[str]:
        """Statements with the definitions that they use in place of the marks."""
        mentioned = set(re.findall(r"\w+", " ".join(lines)))
        marks = {data_line(k): k for k in range(len(self._data_definitions))}
        kept: list[str] = []
        for line in reversed(lines):
            if (k := marks.get(line.strip())) is None:
                kept.append(line)
                continue
            for definition in reversed(self._data_definitions[k]):
                if definition.split()[2] in mentioned:
                    kept.append(definition)
                    mentioned.update(re.findall(r"\w+", definition))
        return kept[::-1]

    def names(self) -> list[str]:
        """The C names of all symbols and of functions of them."""
        return [*self.symbols.values(), *self._derived.values()]

    def name_minima(
        self, e: ex.Expr, dims: list[str], fresh: Callable[[str], str]
    ) -> Iterator[tuple[str, str]]:
        """Name the minima in an expression, innermost first; yields the names and their values.

        The names stand for them until :meth:`forget`.
        """
        for atom in _functions(e):
            for argument in atom.args:
                yield from self.name_minima(argument, dims, fresh)
            if atom.kind == "min":
                yield from self._name(atom, dims, "end", fresh)

    def name_repeated(
        self, uses: Iterable[Use], variable: str, fresh: Callable[[str], str]
    ) -> Iterator[tuple[str, str]]:
        """Name subexpressions with a loop variable that occur more than once; yields as above.

        Dimensions that are unknown there have no name.  Inside of a repeated subexpression, others
        are counted once.
        """
        counts: Counter[str] = Counter()
        first: dict[str, tuple[ex.Atom, list[str]]] = {}
        ends: set[str] = set()

        def visit(e: ex.Expr, dims: Sequence[str | None], is_end: bool) -> None:
            for atom in _functions(e):
                own = {dims[k] for a in map(ex.Expr.of, atom.args) for k in a.dims()}
                if variable in own and None not in own and _is_safe(atom):
                    names = [name or "" for name in dims]
                    text = self._spelled(atom, names).text
                    first.setdefault(text, (atom, names))
                    counts[text] += 1
                    ends.update([text] if is_end and atom.kind == "min" else [])
                    if counts[text] > 1:
                        continue
                for argument in atom.args:
                    visit(argument, dims, is_end)

        for e, dims, is_end in uses:
            visit(e, dims, is_end)
        repeated = [(*first[text], text in ends) for text, n in counts.items() if n > 1]
        for atom, names, is_end in sorted(repeated, key=lambda named: named[0].depth):
            yield from self._name(atom, names, "end" if is_end else "k", fresh)

    def _name(
        self, atom: ex.Atom, dims: list[str], prefix: str, fresh: Callable[[str], str]
    ) -> Iterator[tuple[str, str]]:
        key = self._spelled(atom, dims).text
        if key not in self._named:
            self._named[key] = fresh(prefix)
            is_enclosed = key.startswith("(") and atom.kind in _ENCLOSED
            yield self._named[key], key[1:-1] if is_enclosed else key

    def forget(self, name: str) -> None:
        """Drop the name of an expression."""
        self._named = {text: known for text, known in self._named.items() if known != name}

    def condition(self, e: ex.Expr, dims: list[str]) -> Text:
        """An expression that is 0 or 1 as a condition; a product is a conjunction."""
        no = is_negated(e)
        ((factors, c), *others) = (1 - e if no else e).terms
        if (others or c != 1) and (flagged := needed(e)) is not None:
            # A product of flags and of 1 - flags.
            flags = ((self._atom(a, dims).within(EQUALITY), n) for a, n in flagged.items())
            text = " && ".join(f"{flag} {'!=' if n else '=='} 0" for flag, n in flags)
            return Text(text, LOGIC)
        if others or c != 1:
            return Text(f"{self.text(e, dims).within(EQUALITY + 1)} != 0", EQUALITY)
        if len(factors) == 1:
            return self._choice(factors[0], dims, no)
        text = " && ".join(self._choice(a, dims).within(LOGIC + 1) for a in factors)
        return Text(f"!({text})", UNARY) if no else Text(text, LOGIC)

    def _choice(self, atom: ex.Atom, dims: list[str], no: bool = False) -> Text:
        """A flag as a condition, or its negation."""
        if atom.kind == "nonunit":
            one = self.text(atom.args[0], dims).within(RELATION)
            return Text(f"{one} {'==' if no else '!='} 1", EQUALITY)
        a, b = atom.args
        is_above = b.constant is None and b.terms[-1] == ((), 1)
        sign = ("<=" if no else ">") if is_above else "<" if no else ">="
        a, b = (self.text(x, dims).within(RELATION) for x in (a, b - 1 if is_above else b))
        return Text(f"{a} {sign} {b}", RELATION)

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
        if len(factors) + (c != 1) > 1:
            return Text(out, PRODUCT)
        return Text(out, self._atom(factors[0], dims).precedence if factors else PRIMARY)

    def _atom(self, atom: ex.Atom, dims: list[str]) -> Text:
        if atom.kind == "dim":
            return Text(dims[int(atom.args[0])])
        if atom.kind == "sym":
            if (name := str(atom.args[0])) not in self.symbols:
                # Only edited IR has one.
                raise InputError(f"extent {name} is not an extent of any argument")
            return Text(self.symbols[name])
        if not any(a.dims() for a in atom.args):
            return Text(self._derived.get(atom) or self._derive(atom))
        return self._call(atom, dims)

    def _derive(self, atom: ex.Atom) -> str:
        value = self._call(atom, [])
        divisor = atom.args[-1]
        if atom.kind in ("floordiv", "mod") and divisor.constant is None:
            # This is computed even if an extent is 0 and nothing is indexed.
            by = self.text(divisor, []).within(RELATION)
            value = Text(f"{by} == 0 ? 0 : {value}", CHOICE)
        name = self._derived[atom] = f"e{len(self._derived)}"
        behind = {n for a in atom.args for n in a.symbols()} & self._from_data.keys()
        last = max((self._from_data[n] for n in behind), default=None)
        lines = self._definitions if last is None else self._data_definitions[last]
        asked = f" /* {self.asked[atom]} */" if self.asked.get(atom) else ""
        lines.append(f"  const int64_t {name} = {value};{asked}")
        return name

    def _call(self, atom: ex.Atom, dims: list[str]) -> Text:
        spelled = self._spelled(atom, dims)
        return Text(self._named[spelled.text]) if spelled.text in self._named else spelled

    def _spelled(self, atom: ex.Atom, dims: list[str]) -> Text:
        """A function of expressions, without regard to its name."""
        args = [self.text(a, dims) for a in atom.args]
        if atom.kind in ("floordiv", "mod"):
            # Indices are never negative, so C's truncation rounds down.
            sign = "/" if atom.kind == "floordiv" else "%"
            return Text(f"{args[0].within(PRODUCT)} {sign} {args[1].within(UNARY)}", PRODUCT - 1)
        if atom.kind == "pow2":
            return call("opc_pow2", args)
        a, *b = (x.within(RELATION) for x in args)
        match atom.kind:
            case "nonunit":
                text = f"{a} != 1"
            case "atleast":
                text = f"{a} >= {b[0]}"
            case "bcast":
                text = f"{a} == 1 ? {b[0]} : {a}"
            case _:
                text = f"{a} {'<' if atom.kind == 'min' else '>'} {b[0]} ? {a} : {b[0]}"
        return Text(f"({text})")


def _functions(e: ex.Expr) -> Iterator[ex.Atom]:
    """The outermost functions of dimensions in an expression."""
    for atom in e.atoms():
        if atom.kind not in ("dim", "sym") and any(a.dims() for a in atom.args):
            yield atom


def _is_safe(atom: ex.Atom) -> bool:
    """Whether no divisor may be 0, also where no element is indexed."""
    divisor = atom.args[-1]
    if atom.kind in ("floordiv", "mod") and divisor.constant is None:
        return False
    return all(_is_safe(inner) for a in atom.args for inner in _functions(a))
