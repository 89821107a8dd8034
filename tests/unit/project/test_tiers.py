"""The tiers and the sample of the day."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import opc
from tests import conftest as tiers
from tests import interpreted
from tests.unit.common import ROOT

GRAPH = """
func.func @main(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = opc.sub %x, %y
  func.return %r : tensor<?x3xf32>
}"""


@dataclass(eq=False)
class Item:
    """A test, as far as the sample asks for it."""

    nodeid: str
    markers: dict[str, Any] = field(default_factory=dict)

    def get_closest_marker(self, name: str) -> Any:
        return self.markers.get(name)


def run_on(day: int, items: list[Item], leave_out: frozenset[str] = tiers.TIERS) -> list[str]:
    """The names of the tests of a day."""
    others = {item.nodeid for item in tiers._left_out(items, leave_out, day)}
    return [item.nodeid for item in items if item.nodeid not in others]


@pytest.mark.parametrize("count", [1, 2, 3, 8, 40])
def test_each_case_runs_within_as_many_days(count: int) -> None:
    marker = {"sample": pytest.mark.sample(5)}
    items = [Item(f"test_a.py::test_it[{k}]", marker) for k in range(count)]
    days = [run_on(day, items) for day in range(739_949, 739_954)]
    assert {name for day in days for name in day} == {item.nodeid for item in items}
    assert all(len(day) <= -(-count // 5) for day in days)
    assert days[0] == run_on(739_949, items) == run_on(739_954, items)


def test_cases_of_frontends_run_every_third_day() -> None:
    """But for registries, and for files that have a level of their own."""
    for markers, wanted in (({}, 4), ({"smoke": True}, 12), ({"level": True}, 12)):
        items = [
            Item(f"tests/unit/frontend/test_onnx_a.py::test_it[{k}]", markers) for k in range(12)
        ]
        days = [run_on(day, items) for day in (739_949, 739_950, 739_951)]
        assert list(map(len, days)) == [wanted] * 3
        assert {name for day in days for name in day} == {item.nodeid for item in items}
    other = [Item(f"tests/unit/api/test_a.py::test_it[{k}]") for k in range(10)]
    assert len(run_on(739_949, other)) == 10


def test_tiers_are_left_out() -> None:
    items = [Item("test_a.py::test_a"), *(Item(f"a::{t}", {t: True}) for t in sorted(tiers.TIERS))]
    assert run_on(3, items) == ["test_a.py::test_a"]
    assert run_on(3, items, tiers.TIERS - {"fuzz"}) == ["test_a.py::test_a", "a::fuzz"]


def test_tiers_are_markers_and_in_the_table() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lines = tomllib.loads(text)["tool"]["pytest"]["ini_options"]["markers"]
    assert {line.partition(":")[0] for line in lines} >= {*tiers.TIERS, "smoke"}
    assert all(f"``pytest -m {tier}``" in tiers.__doc__ for tier in (*tiers.TIERS, "smoke"))


def test_a_run_says_how_to_have_its_sample_again() -> None:
    command = [sys.executable, "-m", "pytest", "--seed", "7", "-k", "nothing", __file__]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "the sample of the day: --seed 7" in done.stdout


def test_what_is_interpreted_is_as_if_it_were_compiled() -> None:
    function = interpreted.compile(GRAPH, target="baseline")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(function(x, x + 1), np.full((2, 3), -1, np.float32))
    assert "_compiled" not in vars(function)
    compiled = opc.compile(GRAPH, target="baseline")
    for arguments in ((x, x[:, :2]), (x,), (x, x > 0)):
        with pytest.raises(opc.OpcError) as wanted:
            compiled(*arguments)
        with pytest.raises(type(wanted.value), match=re.escape(str(wanted.value))):
            function(*arguments)
    np.testing.assert_array_equal(function(x, y=x), np.zeros((2, 3), np.float32))
    assert function.c_source == opc.lower(GRAPH, target="baseline").c_source
