"""``python -m tests.fuzz``: see the package."""

from __future__ import annotations

import argparse
import sys
import time

from . import scalars
from .farm import farm
from .run import Chunk, Report

PROGRESS = 60
"""Seconds after which it says how far it is."""


def main() -> int:
    """Run; the exit code is 1 if any graph fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--graphs", type=int, default=1000)
    parser.add_argument("--start", type=int, default=0, help="the number of the first graph")
    parser.add_argument("--graph", type=int, help="run this one alone and print it")
    parser.add_argument("--jobs", type=int, help="processes (default: one for each core)")
    parser.add_argument("--stop", action="store_true", help="stop at the first failure")
    options = parser.parse_args()
    start = time.perf_counter()
    scalars.library()
    built = time.perf_counter() - start
    total = Report()
    start = time.perf_counter()
    if options.graph is not None:
        total = Chunk(options.seed, [options.graph]).run()
    else:
        said = start
        for report in farm(options.seed, options.start, options.graphs, options.jobs):
            total.add(report)
            if time.perf_counter() - said > PROGRESS:
                said = time.perf_counter()
                found = f"{total.graphs} graphs, {len(total.failures)} failures"
                print(f"{found} in {said - start:.0f} s", file=sys.stderr, flush=True)
            for failure in report.failures:
                print(f"{failure}\n", flush=True)
            if options.stop and total.failures:
                break
    seconds = time.perf_counter() - start
    if options.graph is not None:
        print(*map(str, total.failures) or ["no difference"])
    print(
        f"{total.graphs} graphs, {total.operators} operators, {len(total.failures)} failures in "
        f"{seconds:.0f} s ({total.graphs / seconds:.1f} graphs/s); functions built in {built:.1f} s"
    )
    print("  ".join(f"{name}: {count}" for name, count in sorted(total.counts.items())))
    print("  ".join(f"{name}: {s:.1f} s" for name, s in sorted(total.seconds.items())))
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
