"""Which symbolic extents the operators of a traced function need to be equal.

Of an extent that a call gave it is known whether it is 1.  One that is not meets another in an
addition, say: then both must be equal, and become one symbol.  So the shapes of a call decide what
is broadcast, and the compiled code, which takes all shapes of this kind, need not ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from opc.dialects import expr as ex
from opc.dialects.shape import Requirement


class Meetings:
    """What is found out about ``free`` symbols, which are never 1, during one trace."""

    def __init__(self, free: Sequence[str]) -> None:
        self.free = frozenset(free)
        self._order = {name: k for k, name in enumerate(free)}
        self._same: dict[str, ex.Expr] = {}

    def is_one(self, extent: ex.Expr) -> bool | None:
        """Whether an extent is 1; None where only a call says it."""
        if extent.constant is not None:
            return extent.constant == 1
        return False if extent.symbol() in self.free else None

    def see(self, needs: Iterable[Requirement]) -> None:
        """Take note of what an operator requires."""
        for need in needs:
            sides = (need.left, need.right)
            if need.relation in ("divides", "within"):
                continue
            parts = [part for side in sides for part in ex.parts(side, "bcast")]
            if all(self.is_one(part) is False for part in parts):
                for part in parts[1:]:
                    self._join(parts[0], part)

    def found(self) -> Mapping[str, ex.Expr]:
        """What stands for each symbol that is not the first of its kind."""
        return {name: self._first(ex.sym(name)) for name in self._same}

    def _first(self, extent: ex.Expr) -> ex.Expr:
        while (name := extent.symbol()) in self._same:
            extent = self._same[str(name)]
        return extent

    def _join(self, left: ex.Expr, right: ex.Expr) -> None:
        a, b = self._first(left), self._first(right)
        names = [e.symbol() for e in (a, b)]
        if a == b or names == [None, None]:
            return  # two numbers that differ: with them in place, the operator refuses them
        if None in names:
            kept, gone = (a, b) if names[0] is None else (b, a)
        else:
            kept, gone = sorted((a, b), key=lambda e: self._order[str(e.symbol())])
        self._same[str(gone.symbol())] = kept
