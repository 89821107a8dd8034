"""What one run measures, as a value that goes to the measuring processes as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from benchmarks.contractions import CONTRACTIONS
from benchmarks.convolutions import CONVOLUTIONS
from benchmarks.random_rows import random_rows
from benchmarks.rows import GROUPS, Row
from benchmarks.systems import SYSTEMS, System


@dataclass(frozen=True)
class Plan:
    """Which rows and systems, and how long.

    ``pattern`` is searched in the names of rows; ``systems`` are names, or empty for all that are
    installed; ``largest`` limits extents, or is 0; ``random`` is a seed for ``count`` rows, with
    element types ``types`` in turns, or None for those of :mod:`benchmarks.rows`.  With
    ``confirm``, a row that seems slow is measured three times, and the result in the middle counts.
    With ``fastest``, the time of a system is its fastest sample and not the median; with
    ``misaligned``, there are times with arrays that begin within a cache line, too.
    """

    pattern: str = ""
    systems: tuple[str, ...] = ()
    rounds: int = 15
    largest: int = 0
    random: int | None = None
    count: int = 20
    types: tuple[str, ...] = ("f32",)
    confirm: bool = False
    fastest: bool = False
    misaligned: bool = False

    @property
    def groups(self) -> dict[str, Sequence[Row]]:
        """Rows by the name of their group."""
        groups: Mapping[str, Sequence[Row]] = {
            **GROUPS,
            "contractions": CONTRACTIONS,
            "convolutions": CONVOLUTIONS,
        }
        if self.random is not None:
            groups = {"random": random_rows(self.random, self.count, self.types)}
        return {
            name: [
                row.limited(self.largest) if self.largest else row
                for row in rows
                if re.search(self.pattern, row.name)
            ]
            for name, rows in groups.items()
        }

    @property
    def rows(self) -> list[Row]:
        """The rows of all groups."""
        return [row for rows in self.groups.values() for row in rows]

    def chosen_systems(self) -> list[System]:
        """Those that are asked for and installed; opc is always among them."""
        return [
            s
            for s in SYSTEMS
            if s.name.startswith("opc")
            or (s.is_available() and (not self.systems or s.name in self.systems))
        ]

    def to_json(self) -> str:
        """Text that :meth:`from_json` reads."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Plan:
        """The plan that ``to_json`` wrote."""
        fields = json.loads(text)
        return Plan(**fields | {name: tuple(fields[name]) for name in ("systems", "types")})
