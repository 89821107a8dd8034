"""Which symbolic extents the operators of a traced function need to be equal.

A call shows which extents are 1.  Two others that meet, in an addition for instance, must be equal,
and become one symbol.  So the shapes of a call decide which axes broadcast, and the compiled code
accepts all shapes with the same axes of extent 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from opc.dialects import expr as ex
from opc.dialects.shape import Requirement


class Meetings:
    """Equalities of ``free`` symbols, which are never 1, during one trace."""

    def __init__(self, free: Sequence[str]) -> None:
        self.free = frozenset(free)
        self._order = {name: k for k, name in enumerate(free)}
        self._same: dict[str, ex.Expr] = {}

    def is_one(self, extent: ex.Expr) -> bool | None:
        """Whether an extent is 1; None if it is unknown."""
        if extent.constant is not None:
            return extent.constant == 1
        return False if extent.symbol() in self.free else None

    def see(self, needs: Iterable[Requirement]) -> None:
        """Record the requirements of an operator."""
        for need in needs:
            sides = (need.left, need.right)
            if need.relation in ("divides", "within"):
                continue
            parts = [part for side in sides for part in ex.parts(side, "bcast")]
            if all(self.is_one(part) is False for part in parts):
                for part in parts[1:]:
                    self._join(parts[0], part)

    def found(self) -> Mapping[str, ex.Expr]:
        """The replacement of each symbol that is not the first of its class."""
        return {name: self._first(ex.sym(name)) for name in self._same}

    def _first(self, extent: ex.Expr) -> ex.Expr:
        while (name := extent.symbol()) in self._same:
            extent = self._same[str(name)]
        return extent

    def _join(self, left: ex.Expr, right: ex.Expr) -> None:
        a, b = self._first(left), self._first(right)
        names = [e.symbol() for e in (a, b)]
        if a == b or names == [None, None]:
            return  # Two different numbers: the operator raises the error once they are in place.
        if None in names:
            kept, gone = (a, b) if names[0] is None else (b, a)
        else:
            kept, gone = sorted((a, b), key=lambda e: self._order[str(e.symbol())])
        self._same[str(gone.symbol())] = kept
