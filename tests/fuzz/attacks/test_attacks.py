"""Every attack, within limits, ends as its row says."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.api import driver
from opc.support.interface import Interface, TensorSpec
from opc.tools.arrays import read_inputs

from .. import mutate, mutate_limits
from . import (
    CALL,
    LOWERED,
    Attack,
    arrays,
    control,
    mlir,
    onnx_models,
    onnx_sizes,
    openvino_models,
)

pytestmark = pytest.mark.fuzz

TABLES = {
    "mlir": mlir,
    "control": control,
    "onnx": onnx_models,
    "onnx sizes": onnx_sizes,
    "openvino": openvino_models,
    "arrays": arrays,
}
ALL = {f"{t}: {name}": a for t, table in TABLES.items() for name, a in table.ATTACKS.items()}


FLOATS = Interface("f", "f", (TensorSpec("x", np.dtype(np.float32), (4,)),), (), (), 0, False, ())


def attempt(attack: Attack) -> str:
    """What an attack does; the C must have nothing of what is called evil."""
    with tempfile.TemporaryDirectory(prefix="opc-attack-") as name:
        folder = Path(name) / "model"
        folder.mkdir()
        path = attack.write(folder)
        if path.suffix == ".npy":
            read_inputs([f"x={path}"], FLOATS)
            return LOWERED
        if attack.kind == CALL:
            opc.compile(str(path), cache=None)(np.ones(4, np.float32))
        lowered = driver.lower(driver.load(str(path)))
    for text in (lowered.c_source, lowered.header):
        assert re.fullmatch(r"[\x20-\x7e\n]*", text)
        outside = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        assert "evil" not in outside, "a name of the source is in the C"
    return LOWERED


def test_attacks() -> None:
    mutate.sound()  # loads everything before the processes start
    names = list(ALL)
    found = mutate_limits.run(range(len(names)), lambda k: attempt(ALL[names[k]]))
    wrong: list[str] = []
    for o in found:
        attack = ALL[names[o.index]]
        if o.is_defect or o.kind != attack.kind or attack.message not in o.message:
            wrong.append(
                f"{names[o.index]}: expected {attack.kind} {attack.message!r}, "
                f"found {o.kind} after {o.seconds:.1f} s: {o.message[-600:]}"
            )
    assert not wrong, "\n".join(sorted(wrong))


def test_there_are_enough() -> None:
    assert len(ALL) >= 130
