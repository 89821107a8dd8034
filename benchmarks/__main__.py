"""Compares opc with other libraries: checks that all compute the same, then times them in turns.

Peers that are not installed are left out; so is what a peer cannot do.  The exit code is 1 if opc
gives a wrong result or none for a row, or with --check where it takes over 1.05 times the best
peer's time, or with misaligned arrays over 1.15 times its time with aligned ones.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from benchmarks import report
from benchmarks.inputs import DTYPES
from benchmarks.measure import Measurement
from benchmarks.plan import Plan
from benchmarks.report import Report
from benchmarks.systems import SYSTEMS
from opc.tools.cli import count

QUICK = Plan(
    pattern=r"^(sub row|sub 4x8|sum last|sum all|softmax last|layer norm|min and max last)$",
    systems=("opc", "numpy"),
    rounds=3,
    largest=24,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, report, and return the exit code."""
    options = _parser().parse_args(arguments)
    plan = QUICK if options.quick else Plan()
    plan = Plan(
        plan.pattern if options.rows is None else options.rows,
        tuple(filter(None, (options.systems or "").split(","))) or plan.systems,
        options.rounds or plan.rounds,
        plan.largest,
        options.random,
        options.count,
        tuple(options.types.split(",")),
        options.check,
        options.fastest,
        options.misaligned,
    )
    wrong = _mistake(plan, options)
    if wrong:
        print(f"benchmarks: {wrong}", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(f"{row.name}: {', '.join(map(str, row.inputs))}" for row in plan.rows))
        return 0
    groups = {group: [row.name for row in rows] for group, rows in plan.groups.items()}
    found = Report(groups, "fastest samples" if plan.fastest else "medians")
    if options.load:
        try:
            found = Report.load(*(path.read_text(encoding="utf-8") for path in options.load))
        except (OSError, ValueError, LookupError, TypeError) as error:
            print(f"benchmarks: --load: not what --json writes: {error}", file=sys.stderr)
            return 2
    else:
        for threads in options.threads or ([1] if options.quick else [1, 2]):
            _measure(plan, threads, found)
    if options.json:
        options.json.write_text(found.json(), encoding="utf-8")
    if options.markdown:
        options.markdown.write_text(found.markdown(), encoding="utf-8")
    if options.plot:
        from benchmarks.plot import save

        save(found, options.plot)
    if options.readme:
        readme: Path = options.readme
        link = str(os.path.relpath(options.plot, readme.parent)) if options.plot else None
        report.replace_in(readme, found.short(link))
    print(found.markdown())
    problems = found.problems(check=options.check)
    for problem in problems:
        print(f"benchmarks: {problem}", file=sys.stderr)
    return 1 if problems else 0


def _mistake(plan: Plan, options: argparse.Namespace) -> str | None:
    """What makes no sense in the arguments, which is better said before measuring."""
    unknown = set(plan.systems) - {s.name for s in SYSTEMS}
    if unknown:
        known = ", ".join(s.name for s in SYSTEMS if "," not in s.name)
        return f"no system {', '.join(sorted(unknown))}; there are {known}"
    strange = sorted(set(plan.types) - set(DTYPES))
    if strange:
        return f"--types: no type {', '.join(strange)}; there are {', '.join(DTYPES)}"
    try:
        if not plan.rows:
            return "--rows: no row matches"
    except re.error as error:
        return f"--rows: {error}"
    for name in ("json", "markdown", "plot"):
        path: Path | None = getattr(options, name)
        if path and (path.is_dir() or not path.parent.is_dir()):
            return f"--{name}: {path} cannot be written"
    if options.plot and options.plot.suffix not in (".svg", ".png"):
        return f"--plot: found {options.plot}, expected .svg or .png"
    if options.plot and find_spec("matplotlib") is None:
        return "--plot needs matplotlib"
    if options.readme and not report.has_markers(options.readme):
        return f"--readme: {options.readme} has no {' and '.join(report.MARKERS)}"
    return None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--rows", metavar="REGEX", help="only rows whose names match")
    add("--list", action="store_true", help="print the rows and measure nothing")
    add("--random", metavar="SEED", type=int, help="graphs made from this seed instead")
    add("--count", metavar="N", type=count, default=20, help="how many of those; default: 20")
    add("--types", metavar="NAMES", default="f32", help="their element types; default: f32")
    add("--threads", metavar="N", type=count, nargs="+", help="default: 1 2")
    add("--rounds", metavar="N", type=count, help="samples of each system; default: 15")
    add("--fastest", action="store_true", help="not the median of the samples: on busy machines")
    add("--misaligned", action="store_true", help="also arrays 16 bytes behind a page, as NumPy's")
    add("--systems", metavar="NAMES", help="with commas; default: all that are installed")
    add("--quick", action="store_true", help="a few rows with small arrays against NumPy")
    add("--check", action="store_true", help="measure what is slow three times, and fail if it is")
    add("--json", metavar="FILE", type=Path, help="write every figure")
    load = "report what --json wrote, also that of benchmarks.networks; measure nothing"
    add("--load", metavar="FILE", type=Path, nargs="+", help=load)
    add("--markdown", metavar="FILE", type=Path, help="write the tables")
    add("--plot", metavar="FILE", type=Path, help="draw a picture: .svg or .png")
    add("--readme", metavar="FILE", type=Path, help="replace what is between its markers")
    return parser


def _measure(plan: Plan, threads: int, found: Report) -> None:
    """Add what is found with that many threads; the row that ends a process is left out."""
    environment = os.environ | {
        "OMP_NUM_THREADS": str(threads),
        "OPENBLAS_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "JAX_PLATFORMS": "cpu",
    }
    names = [row.name for row in plan.rows]
    start = 0
    while start < len(names):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.json"
            command = [sys.executable, "-m", "benchmarks.worker", plan.to_json()]
            command += [str(threads), str(start), str(path)]
            code = subprocess.run(command, env=environment, check=False).returncode
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if not lines:
            sys.exit(code or 1)
        start += found.add(threads, lines)
        if code:
            found.rows.append(Measurement.ended(plan.rows[start], threads, code))
            start += 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
