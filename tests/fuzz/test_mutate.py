"""Damaged graphs end in an error of opc, or in C; and the limits around them do limit.

``OPC_MUTANTS=20000`` runs more of them, ``python -m tests.fuzz.mutate`` other ones.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from opc.errors import InputError

from . import mutate, mutate_limits
from .mutate_kinds import CHANGES

COUNT = int(os.environ.get("OPC_MUTANTS", "800"))


@pytest.mark.fuzz
def test_mutants() -> None:
    found = list(mutate.outcomes(7, range(COUNT)))
    defects = [f"mutant {o.index} of seed 7: {o.message}" for o in found if o.is_defect]
    assert not defects, "\n".join(defects)
    assert sorted(o.index for o in found) == list(range(COUNT))
    kinds = [o.kind for o in found]
    # Damage that nothing survives would test little more than the parsers.
    assert kinds.count("lowered") + kinds.count("compiled") > COUNT // 10
    assert "compiled" in kinds and "UnsupportedError" in kinds


@pytest.mark.fuzz
def test_mutants_are_the_same_everywhere() -> None:
    suffixes: set[str] = set()
    for index in range(40):
        name, files = mutate.mutant(3, index)
        assert mutate.mutant(3, index) == (name, files)
        suffixes |= {Path(file).suffix for file in files}
    assert suffixes == set(CHANGES)


def job(index: int) -> str:
    """Something for every way in which a job can go wrong."""
    match index:
        case 0:
            return "fine"
        case 1:
            raise InputError("wrong", "g.mlir:1:1")
        case 2:
            raise KeyError("a defect")
        case 3:
            os.kill(os.getpid(), signal.SIGSEGV)
        case 4:
            while True:
                pass
        case 5:
            return str(len(bytearray(2 << 30)))
        case 6:
            raise InputError("\x1b[2J")
        case 7:
            raise InputError("x" * 5000)
        case 8:
            time.sleep(3600)
        case _:
            os._exit(3)
    return ""


def test_limits(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(mutate_limits, "SECONDS", 0.3)
    monkeypatch.setattr(mutate_limits, "WAITING", 5)
    found = {o.index: o for o in mutate_limits.run(range(10), job)}
    assert {k: o.kind for k, o in found.items()} == {
        0: "fine",
        1: "InputError",
        2: "KeyError",
        3: "end",
        4: "TooLong",
        5: "MemoryError",
        6: "InputError",
        7: "InputError",
        8: "end",
        9: "end",
    }
    assert [k for k in range(10) if not found[k].is_defect] == [0, 1]
    for k, message in {
        1: "g.mlir:1:1: error: wrong",
        2: "in job",
        3: "SIGSEGV",
        6: "control the terminal",
        7: "5000 characters",
        8: "no answer for 5 s",
        9: "exit code 3",
    }.items():
        assert message in found[k].message
