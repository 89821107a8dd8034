"""The C of a corpus of graphs, to compare two revisions of the compiler.

::

    python -m benchmarks.c_corpus write before          # in a checkout of the old revision
    python -m benchmarks.c_corpus write after           # in the new one
    python -m benchmarks.c_corpus compare before after

The corpus has the examples, every row of the benchmarks, and every network in its small form, with
fixed and with unknown extents.  ``write`` lowers each graph without a C compiler.  ``compare`` says
of each file whether it has the same bytes, or the same tokens but for comments and for the names
that it defines itself, or differs; it exits with 1 if one differs or is missing.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).parents[1]
TARGETS = ("avx512", "baseline")
"""Stated targets, so that the C does not depend on the machine."""
Verdict = Literal["same", "renamed", "differs", "missing"]

_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|\.?[0-9](?:[eEpP][+-]|[\w.])*|\S', re.DOTALL
)
_PREFIXED = re.compile(r"^#define (\w+) \w+_\1\n|^#undef \w+\n", re.M)
_NAME = re.compile(r"[A-Za-z_]\w*")


def graphs() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Each graph of the corpus: a file name, and what gives the graph."""
    from benchmarks.graph import model
    from benchmarks.networks import NETWORKS
    from benchmarks.plan import Plan
    from benchmarks.systems import task

    for path in sorted((ROOT / "examples").iterdir()):
        if path.suffix in (".mlir", ".onnxtxt", ".xml"):
            yield f"example_{path.name.replace('.', '_')}", lambda path=path: path
    for number, row in enumerate(Plan().rows):
        title = re.sub(r"\W+", "_", f"{row.name}_{row.dtype}_{row.shape}")
        yield (
            f"row{number:03}_{title}",
            lambda row=row: model(row.function, row.inputs, task(row.limited(64), 1).outputs),
        )
    for name, network in NETWORKS.items():
        for symbolic in (False, True) if network.symbols else (False,):
            yield (
                f"network_{name}{'_unknown' if symbolic else ''}",
                lambda network=network, symbolic=symbolic: network.net(
                    small=True, symbolic=symbolic
                ).model(),
            )


def write(folder: Path, pattern: str = "") -> int:
    """Write the C of each graph whose name has the pattern, and return how many there are."""
    import opc
    from opc.api.driver import lower

    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for name, graph in graphs():
        if not re.search(pattern, name):
            continue
        for target in TARGETS:
            try:
                text = lower(graph(), target=target, prefix="graph", cache=None).c_source
            except opc.OpcError as error:
                text = f"/* refused */ {type(error).__name__}\n"
            (folder / f"{name}_{target}.c").write_text(text)
            count += 1
    return count


def verdict(before: str, after: str) -> Verdict:
    """How two C texts differ.

    They are ``renamed`` where their tokens without comments agree up to a one-to-one renaming of
    names; names that stand in one text only are those that it defines.
    """
    if before == after:
        return "same"
    (old, prefixed), (new, others) = _tokens(before), _tokens(after)
    if len(old) != len(new) or prefixed != others:
        return "differs"
    forth: dict[str, str] = {}
    back: dict[str, str] = {}
    for a, b in zip(old, new, strict=True):
        are_names = _NAME.fullmatch(a) is not None and _NAME.fullmatch(b) is not None
        if not are_names and a != b:
            return "differs"
        if forth.setdefault(a, b) != b or back.setdefault(b, a) != a:
            return "differs"
    return "renamed"


def _tokens(text: str) -> tuple[list[str], int]:
    """The tokens, and how many names get the prefix of the function by sorted lines of macros."""
    text, count = _PREFIXED.subn("", text)
    return [t for t in _TOKEN.findall(text) if not t.startswith(("//", "/*"))], count


def compare(before: Path, after: Path, say: Callable[[str], None] = print) -> bool:
    """Compare two folders of C, say what differs and the counts; whether nothing differs."""
    counts: dict[Verdict, int] = dict.fromkeys(("same", "renamed", "differs", "missing"), 0)
    names = {path.name for folder in (before, after) for path in folder.glob("*.c")}
    for name in sorted(names):
        texts = [folder / name for folder in (before, after)]
        result: Verdict = "missing"
        if all(path.exists() for path in texts):
            result = verdict(*(path.read_text() for path in texts))
        counts[result] += 1
        if result in ("differs", "missing"):
            say(f"{name}: {result}")
    say(", ".join(f"{count} {word}" for word, count in counts.items()))
    return bool(names) and not counts["differs"] and not counts["missing"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.c_corpus", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="write the C of the corpus")
    writing.add_argument("folder", type=Path)
    writing.add_argument("--pattern", default="", help="only graphs whose name has this")
    comparing = commands.add_parser("compare", help="compare two folders of C")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    options = parser.parse_args(arguments)
    if options.command == "write":
        print(f"{write(options.folder, options.pattern)} files")
        return 0
    return 0 if compare(options.before, options.after) else 1


if __name__ == "__main__":
    sys.exit(main())
