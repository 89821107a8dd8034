"""The regret of the planner: its numbers, and a run over one nest."""

from __future__ import annotations

import re

import pytest
from xdsl.ir import Block

from benchmarks import regret
from opc.dialects.schedule import ForOp, PackOp, RunOp, TreeOp
from opc.schedule.candidates import Candidate
from opc.tune import measure


def row(*pairs: tuple[float, float], planned: float = 1.0, best: float = 1.0) -> regret.Row:
    """Candidates of these costs and times, and the times of two of them."""
    candidates = [(Candidate(TreeOp.of(Block()), cycles), seconds) for cycles, seconds in pairs]
    return regret.Row("", candidates, planned, best)


def test_regret_is_of_the_pair_that_was_measured_again() -> None:
    assert row((1, 3.0), (2, 2.0), planned=3.3, best=2.2).regret == pytest.approx(1.5)
    assert row((1, 3.0), (2, 2.0), planned=2.0, best=2.2).regret == 1


def test_the_fastest_is_another_one_than_the_planner_chose() -> None:
    pairs = row((1, 1.0), (2, 4.0), (3, 2.0))
    assert pairs.fastest is pairs.candidates[2][0]
    alone = row((1, 1.0))
    assert alone.fastest is alone.candidates[0][0]


def test_costs_that_order_times_correlate() -> None:
    assert row((1, 1.0), (2, 5.0), (3, 7.0)).correlation == pytest.approx(1)
    assert row((1, 7.0), (2, 5.0), (3, 1.0)).correlation == pytest.approx(-1)


def test_an_outline_has_loops_and_panels() -> None:
    run = ForOp.of((0,), 4, "serial", [RunOp.of("step")])
    tree = TreeOp.of(Block([PackOp.of("left", 8), run]))
    assert regret.outline(tree) == "pack left by 8; for [d0] by 4 serial"


@pytest.mark.level("-O0")
def test_a_nest_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("opc.schedule.candidates.CANDIDATES", 2)
    monkeypatch.setattr(measure, "ROUNDS", 1)
    monkeypatch.setattr(regret, "PAIRS", 2)
    assert regret.main(["--nests", "1", "--seconds", "0.1", "--above", "0.5"]) == 0
    *_, planned, fastest, last = capsys.readouterr().out.splitlines()
    assert planned.startswith("    planned: ") and "for [d" in planned
    assert fastest.startswith("    fastest: ") and fastest[13:] != planned[13:]
    assert re.match(r"1 nests: regret \d+\.\d+ in the geometric mean, \d+\.\d+ at most", last)
