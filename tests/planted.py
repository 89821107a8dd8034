"""Plants each fault, and shows which test of the default finds it.

From the root of the repository::

    python -m tests.planted                    # every fault
    python -m tests.planted "one store dropped"
    python -m tests.planted --seed 739949      # with the sample of another day
    python -m tests.planted --others           # by tests that are not there for these faults

A fault is a changed line of a pass or of the emitter (``tests/fuzz/mutations.py``), or a whole pass
that is wrong (``tests/unit/common/planted.py``).  With it, tests run until one fails: first the
part of the fuzzer that the default has, then ``-m smoke``, all of the default, and the short form
of the fuzzer.  The exit code is 1 if one is not found, or if the first of these fail without a
fault.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from .fuzz.mutations import MUTATIONS

ROOT = Path(__file__).parents[1]
KNOWN = "tests/fuzz/test_fuzz.py::test_no_graph_that_finds_a_planted_fault_differs"
LIKELY = ("-m", "not fuzz", "tests/fuzz/test_fuzz.py", "tests/fuzz/test_models.py")
STEPS: dict[str, tuple[str, ...]] = {
    "the fuzzer's part of the default": LIKELY,
    "-m smoke": ("-m", "smoke"),
    "the default": (),
    "the short form of the fuzzer": ("-m", "fuzz"),
}
FOUND = "found by "


class First:
    """Says which test fails first."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.pytest_collectreport(report)

    def pytest_collectreport(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed:
            print(f"\n{FOUND}{report.nodeid}", flush=True)


def plant(name: str) -> None:
    """Plant a fault in this process; the empty name is none."""
    from opc.passes.registry import PASSES
    from tests.unit.common.planted import PLANTS, current

    for mutation in MUTATIONS:
        if mutation.name == name:
            mutation.plant()
    if name in PLANTS:
        PASSES[PLANTS[name][0]] = "tests.unit.common.planted:WrongPass"
        current.append(name)


def names() -> list[str]:
    """Of all faults."""
    from tests.unit.common.planted import PLANTS

    return [*(mutation.name for mutation in MUTATIONS), *PLANTS]


def outcome(name: str, arguments: Iterable[str]) -> str:
    """What pytest says with a fault: the test that finds it, or nothing."""
    command = [sys.executable, "-m", "tests.planted", "--alone", name, "--", *arguments]
    with tempfile.TemporaryDirectory() as cache:
        # What was compiled without the fault has nothing of it.
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "OPC_CACHE_DIR": cache},
            capture_output=True,
            text=True,
            check=False,
        )
    for line in done.stdout.splitlines():
        if line.startswith(FOUND):
            return line.removeprefix(FOUND)
    if done.returncode < 0:
        # A fault may crash, which ends the run like any other.
        return f"the process, which ended with {done.returncode}"
    if done.returncode != pytest.ExitCode.OK:
        raise RuntimeError(
            f"{name}: pytest did not run: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        )
    return ""


def main() -> int:
    """Plant; the exit code is 1 if a fault is not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a fault (default: every one)")
    parser.add_argument("--seed", help="the day of the sample")
    parser.add_argument("--others", action="store_true", help="leave out graphs known to find it")
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone is not None:
        plant(options.alone)
        return int(pytest.main(["-x", "-p", "no:cacheprovider", *options.names], [First()]))
    if unknown := set(options.names) - set(names()):
        parser.error(f"there is no fault {min(unknown)!r}; there are: {', '.join(names())}")
    seed = ["--seed", options.seed] if options.seed else []
    steps = dict(STEPS)
    if options.others:
        steps.pop(next(iter(STEPS)))
        seed += ["--deselect", KNOWN]
    if wrong := outcome("", [*LIKELY, *seed]):
        print(f"without a fault: {wrong} fails")
        return 1
    missed = 0
    for name in options.names or names():
        for step, arguments in steps.items():
            if test := outcome(name, [*arguments, *seed]):
                print(f"{name}: {FOUND}{test}, of {step}", flush=True)
                break
        else:
            missed += 1
            print(f"{name}: not found", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
