"""Bounds of extents that a function finds on its way: what they are at most before it starts."""

from __future__ import annotations

from collections.abc import Mapping

from . import expr as ex

Bounds = Mapping[str, ex.Expr]
"""For symbols that are late what they never exceed, in symbols that are not."""


def at_most(e: ex.Expr, bounds: Bounds) -> ex.Expr:
    """What an extent never exceeds, without the symbols that are late.

    Atoms are never negative: terms with a late one count as their bound where they are added, and
    as nothing where they are taken away.  ``N - k0`` is at most ``N``, ``4*k0`` at most ``4*N`` for
    a ``k0`` of at most ``N``.
    """
    if e.symbols().isdisjoint(bounds):
        return e
    total = ex.const(0)
    for factors, c in e.terms:
        term = ex.Expr({factors: c})
        if not term.symbols().isdisjoint(bounds):
            term = ex.const(max(c, 0))
            for atom in factors:
                term = term * _atom(atom, bounds)
        total = total + term
    return total


def _atom(atom: ex.Atom, bounds: Bounds) -> ex.Expr:
    if atom.kind == "sym":
        return bounds.get(str(atom.args[0]), ex.Expr({(atom,): 1}))
    args = [at_most(a, bounds) for a in atom.args]
    match atom.kind:
        case "floordiv" | "mod":
            # A divisor is 1 at least, and a rest no more than what was divided.
            known = atom.kind == "floordiv" and atom.args[1].symbols().isdisjoint(bounds)
            return ex.floordiv(args[0], args[1]) if known else args[0]
        case "min":
            return ex.minimum(*args)
        case "max" | "bcast":
            return ex.maximum(*args)
        case _:
            return ex.const(1)
