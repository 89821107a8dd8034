"""The measuring process: ``python -m benchmarks.worker PLAN THREADS START FILE``.

Libraries decide how many threads they take when they are loaded, some of them by the processors
that the process may use; so each number of threads has a process of its own, held to as many
processors.  Each row is one line of JSON, so that what was measured survives a crash.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from benchmarks.measure import Measurement, measure
from benchmarks.plan import Plan
from benchmarks.rows import Row
from opc.tools.profile.roofline import peak


def main(plan: Plan, threads: int, start: int, path: Path) -> None:
    """Measure the rows from number ``start`` on."""
    if hasattr(os, "sched_setaffinity"):
        # The last processors: the first one often serves the devices too.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])
    systems = plan.chosen_systems()
    with path.open("w", encoding="utf-8") as file:
        print(json.dumps({"peak": peak(threads)}), file=file, flush=True)
        for row in plan.rows[start:]:
            begin = time.perf_counter()

            def measured(row: Row = row) -> Measurement:
                return measure(
                    *(row, systems, threads, plan.rounds),
                    fastest=plan.fastest,
                    misaligned=plan.misaligned,
                )

            found = measured()
            if plan.confirm and found.is_slow:
                tries = [found, measured(), measured()]
                found = sorted(tries, key=lambda m: m.ratio(m.best_peer) or 0.0)[1]
            print(json.dumps(found.as_json()), file=file, flush=True)
            ratio = found.ratio(found.best_peer)
            cost = "" if found.misaligned_cost is None else f", {found.misaligned_cost:.2f}"
            print(
                f"{threads} thread{'s' * (threads > 1)}: {row.name}: "
                f"{'no ratio' if ratio is None else f'{ratio:.2f}'}{cost} "
                f"({time.perf_counter() - begin:.1f} s)",
                file=sys.stderr,
            )


if __name__ == "__main__":
    try:
        main(Plan.from_json(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    except KeyboardInterrupt:
        sys.exit(130)
