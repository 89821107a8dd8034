"""The scalar, kernel and loop dialects: documented, tested, and every constraint with its id."""

from __future__ import annotations

import inspect
import re

import pytest

from opc.dialects.registry import DIALECTS, resolve
from tests.unit.common import ROOT

FILES = {
    "scalar": ["body.py"],
    "kernel": [
        "kernel.py",
        "kernel_nest.py",
        "pick.py",
        "materialized.py",
        "indirect.py",
        "prefix.py",
        "repeat.py",
    ],
    "loop": [
        *("loop.py", "loop_access.py", "loop_if.py", "remarks.py"),
        *("buffer.py", "cascade.py", "memory_ops.py", "matrix_ops.py"),
    ],
}


@pytest.mark.parametrize("name", FILES)
def test_operations(name: str) -> None:
    text = (ROOT / "tests/lit" / name / f"{name}.mlir").read_text(encoding="utf-8")
    for op in resolve(DIALECTS[name]).operations:
        assert inspect.cleandoc(op.__dict__["__doc__"]), f"{op.name} has no docstring"
        assert re.search(rf"// CHECK.*\b{re.escape(op.name)}\b", text), f"{op.name} is not tested"


@pytest.mark.parametrize("name", FILES)
def test_every_constraint_has_a_negative_test(name: str) -> None:
    code = "".join((ROOT / "dialects" / f).read_text(encoding="utf-8") for f in FILES[name])
    ids = re.findall(r"# (\w+_c\d+):", code)
    assert ids
    assert len(set(ids)) == len(ids), "an id is used twice"
    text = (ROOT / "tests/lit" / name / "invalid.mlir").read_text(encoding="utf-8")
    assert set(re.findall(r"func\.func @(\w+_c\d+)\(", text)) == set(ids)
    assert text.count("// CHECK: ") == text.count("func.func @")
