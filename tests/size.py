"""Lines of Python by room and bytes of C of ten graphs, beside those of another revision.

From the root of the repository::

    python -m tests.size              # the working tree beside main
    python -m tests.size HEAD~20
    python -m tests.size --lines      # without the C, which takes some seconds

CONTRIBUTING.md says what a number that grew needs.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ("compiler", "dialects", "tests")
EXAMPLES = (
    "batch_norm_relu",
    "centre",
    "layer_norm",
    "log_sum_exp",
    "masked_mean",
    "rnn",
    "softmax",
)
GRAPHS = {
    **{name: (ROOT / f"examples/{name}.mlir").read_text(encoding="utf-8") for name in EXAMPLES},
    "dense": """
func.func @dense(%x: tensor<128x768xf32>, %w: tensor<768x3072xf32>, %b: tensor<3072xf32>)
    -> tensor<128x3072xf32> {
  %product = opc.matmul %x, %w
  %sum = opc.add %product, %b
  %y = opc.gelu %sum
  func.return %y : tensor<128x3072xf32>
}""",
    "conv": """
func.func @conv(%x: tensor<1x32x56x56xf32>, %w: tensor<64x32x3x3xf32>, %b: tensor<64x1x1xf32>)
    -> tensor<1x64x56x56xf32> {
  %product = opc.conv %x, %w {pads = [1, 1, 1, 1]}
  %sum = opc.add %product, %b
  %y = opc.relu %sum
  func.return %y : tensor<1x64x56x56xf32>
}""",
    "attention": """
func.func @attention(%q: tensor<12x512x64xf32>, %k: tensor<12x64x512xf32>,
                     %v: tensor<12x512x64xf32>) -> tensor<12x512x64xf32> {
  %s = opc.matmul %q, %k
  %m = opc.reduce_max %s {axes = [2], keepdims = true}
  %d = opc.sub %s, %m
  %e = opc.exp %d
  %n = opc.reduce_sum %e {axes = [2], keepdims = true}
  %p = opc.div %e, %n
  %o = opc.matmul %p, %v
  func.return %o : tensor<12x512x64xf32>
}""",
}
"""Ten graphs, the same for each revision."""
LOWER = """
import json, sys, opc
graphs = json.load(sys.stdin)
text = {n: opc.lower(g, target="avx2", cache=None).c_source for n, g in graphs.items()}
print(json.dumps({n: len(c.encode()) for n, c in text.items()}))
"""


def lines_by_room(tree: Path) -> Counter[str]:
    """Lines of Python below each folder of ``compiler``, in its root, in the dialects and tests."""
    lines = Counter[str]()
    for source in SOURCES:
        for path in sorted((tree / source).rglob("*.py")):
            folders = path.relative_to(tree).parts[:-1]
            if folders[:2] != ("compiler", "dialects"):  # a link to the dialects
                room = "/".join(folders[:2] if source == "compiler" else folders[:1])
                lines[room] += len(path.read_bytes().splitlines())
    return lines


def bytes_of_c(tree: Path, graphs: Mapping[str, str]) -> Counter[str]:
    """Bytes of the C that the opc of a tree writes; -1 for a graph if it cannot write them all."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "opc")
        package.mkdir()
        for path in (tree / "compiler").iterdir():
            (package / path.name).symlink_to(path)
        if not (package / "dialects").exists():
            (package / "dialects").symlink_to(tree / "dialects")
        done = subprocess.run(
            [sys.executable, "-c", LOWER],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": folder},
            input=json.dumps(graphs),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        print(f"no C of {tree}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return Counter(dict.fromkeys(graphs, -1))
    return Counter(json.loads(done.stdout))


def check_out(revision: str, folder: Path) -> None:
    """Write the sources of a revision into a folder."""
    command = ["git", "archive", revision, *SOURCES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")


def table(title: str, now: Counter[str], before: Counter[str]) -> str:
    """A line for each name, and their sum: now, before, and the difference."""
    rows: list[tuple[str, int, int]] = [(n, now[n], before[n]) for n in sorted({*now, *before})]
    rows.append(("all", sum(now.values()), sum(before.values())))
    lines = [f"{title:<24}{'now':>9}{'before':>9}{'change':>9}"]
    lines += [f"{n:<24}{a:>9,}{b:>9,}{a - b:>+9,}" for n, a, b in rows]
    return "\n".join(lines)


def report(revision: str, graphs: Mapping[str, str]) -> Iterable[str]:
    """The tables of the working tree beside a revision; that of C only if there are graphs."""
    with tempfile.TemporaryDirectory() as folder:
        check_out(revision, Path(folder))
        yield table("lines of Python", lines_by_room(ROOT), lines_by_room(Path(folder)))
        if graphs:
            now, before = (bytes_of_c(tree, graphs) for tree in (ROOT, Path(folder)))
            yield table("bytes of C", now, before)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; the exit code is 2 if there is no such revision."""
    parser = argparse.ArgumentParser(prog="python -m tests.size")
    parser.add_argument("revision", nargs="?", default="main", help="default: main")
    parser.add_argument("--lines", action="store_true", help="leave out the C")
    options = parser.parse_args(arguments)
    try:
        for text in report(options.revision, {} if options.lines else GRAPHS):
            print(text, end="\n\n")
    except subprocess.CalledProcessError as error:
        parser.error(error.stderr.decode().strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
