"""Prints how the C does with other compilers and on other machines.

usage: python -m tests.portable [--short] [--only WORD] [--write FILE]

``--short`` tries three machines; ``--only`` those whose name has the word.  ``--write`` puts the
table into a page, between the lines that mark it.  The exit code is 1 if anything is WRONG or
fails.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from .graphs import emitted
from .machines import MACHINES, Machine
from .run import SAME, WRONG, verdicts

BEGIN, END = "<!-- python -m tests.portable: -->\n", "<!-- end of the table -->\n"
HEAD = "| compiler and machine | same bits | otherwise |\n|---|---|---|\n"


def main() -> int:
    """Try the machines; 1 if a result is wrong, or something does not build or run."""
    parser = argparse.ArgumentParser(prog="python -m tests.portable", description=__doc__)
    parser.add_argument("--short", action="store_true", help="three machines")
    parser.add_argument("--only", metavar="WORD", default="", help="machines with it in the name")
    parser.add_argument("--write", metavar="FILE", type=Path, help="the page to put the table in")
    arguments = parser.parse_args()
    chosen = [m for m in MACHINES if arguments.only in m.name]
    chosen = [m for m in chosen if m.is_short] if arguments.short else chosen
    rows: list[str] = []
    is_wrong = False
    print(HEAD, end="", flush=True)
    for machine in chosen:
        found = verdicts(machine) if machine.missing != machine.compiler[0] else {}
        is_wrong |= any(verdict.startswith((WRONG, "fails")) for verdict in found.values())
        rows.append(row(machine, found))
        print(rows[-1], end="", flush=True)
    if arguments.write is not None:
        text = arguments.write.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        after = rest.partition(END)[2]
        table = HEAD + "".join(rows)
        arguments.write.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")
    return int(is_wrong)


def row(machine: Machine, found: dict[str, str]) -> str:
    """The row of a machine: of how many graphs the bits are the same, and what else there is."""
    if not found:
        return f"| {machine.name} | not run | {machine.missing} is not installed |\n"
    others = Counter(verdict for verdict in found.values() if verdict != SAME)
    names = {v: [name for name, other in found.items() if other == v] for v in others}
    said = [f"{n} {v}" if n > 3 else f"{', '.join(names[v])} {v}" for v, n in others.items()]
    same = list(found.values()).count(SAME)
    return f"| {machine.name} | {same} of {len(emitted())} | {'; '.join(said)} |\n"


if __name__ == "__main__":
    sys.exit(main())
