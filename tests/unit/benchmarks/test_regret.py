"""The regret of the planner: its numbers, and a run over one nest."""

from __future__ import annotations

import re

import pytest
from xdsl.ir import Block

from benchmarks import regret
from opc.dialects.schedule import TreeOp
from opc.schedule.candidates import Candidate
from opc.tune import measure


def row(*pairs: tuple[float, float]) -> list[tuple[Candidate, float]]:
    """Candidates of these costs and times."""
    return [(Candidate(TreeOp.of(Block()), cycles), seconds) for cycles, seconds in pairs]


def test_the_first_candidate_is_the_planned_one() -> None:
    assert regret.regret(row((1, 3.0), (2, 2.0), (3, 4.0))) == 1.5


def test_costs_that_order_times_correlate() -> None:
    assert regret.correlation(row((1, 1.0), (2, 5.0), (3, 7.0))) == pytest.approx(1)
    assert regret.correlation(row((1, 7.0), (2, 5.0), (3, 1.0))) == pytest.approx(-1)


@pytest.mark.level("-O0")
def test_a_nest_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("opc.schedule.candidates.CANDIDATES", 2)
    monkeypatch.setattr(measure, "ROUNDS", 1)
    assert regret.main(["--nests", "1", "--seconds", "0.1"]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert re.match(r"1 nests: regret \d+\.\d+ in the geometric mean, \d+\.\d+ at most", last)
