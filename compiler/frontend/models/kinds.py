"""Collects everything in a model that opc cannot compile, for one error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opc.errors import UnsupportedError

LONGEST = 20
"""The greatest number of listed kinds, and of listed needs; further ones are counted."""


@dataclass
class _Kind:
    """The count and first place of a kind of node, and its own error, if it has one."""

    count: int
    first: str
    place: str
    alone: UnsupportedError | None


class Kinds:
    """The kinds of nodes that are not supported, in the order in which they were found."""

    def __init__(self) -> None:
        self._found: dict[str, _Kind] = {}
        self._needed: dict[str, dict[str, None]] = {}

    def add(self, kind: str, node: str, place: str, heading: str = "", need: str = "") -> None:
        """Count a node, such as ``node 3 "conv1"``.

        ``need`` is listed under a heading, such as ``Conv`` under ``operators``.
        """
        self._count(kind, _Kind(0, node, place, None))
        if need:
            self._needed.setdefault(heading, {})[need] = None

    def add_error(self, kind: str, node: str, error: UnsupportedError) -> None:
        """Count a node by the error that legalizing it raised."""
        self._count(kind, _Kind(0, node, error.location, error))

    def check(self) -> None:
        """UnsupportedError that lists all kinds, if there are any."""
        kinds = list(self._found.items())
        if not kinds:
            return
        first = kinds[0][1]
        if len(kinds) == 1 and first.count == 1 and first.alone is not None:
            raise first.alone
        texts = [f"{name} x {kind.count}, first {kind.first}" for name, kind in kinds]
        subject = "1 kind of nodes is" if len(kinds) == 1 else f"{len(kinds)} kinds of nodes are"
        message = f"{subject} not supported: {_listed(texts, '; ')}"
        if self._needed:
            needs = [f"{h} {_listed(list(n), ', ')}".strip() for h, n in self._needed.items()]
            message += f"; what is needed: {'; '.join(needs)}"
        raise UnsupportedError(message, first.place)

    def _count(self, name: str, kind: _Kind) -> None:
        self._found.setdefault(name, kind).count += 1


def _listed(texts: Sequence[str], separator: str) -> str:
    rest = len(texts) - LONGEST
    shown = [*texts[:LONGEST], *([f"and {rest} more"] if rest > 0 else [])]
    return separator.join(shown)
