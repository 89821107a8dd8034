"""Pooling, padding and parts of tensors in OpenVINO models, against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset15 as ops

from opc.errors import InputError
from tests.unit.common.openvino_models import by_opc, check, floats, model, save

pytestmark = pytest.mark.sample(8)

X = floats("f32", 2, 6, 9, 8)
UNKNOWN = [(-1, 6, -1, -1)]
HOW: dict[str, dict[str, Any]] = {
    "plain": {},
    "strides": {"strides": [2, 3]},
    "pads": {"pads_begin": [1, 0], "pads_end": [0, 1], "strides": [2, 1]},
    "same": {"auto_pad": "same_upper", "strides": [2, 2]},
    "ceil": {"rounding_type": "ceil", "strides": [2, 3], "pads_end": [1, 0]},
    "ceil_torch": {"rounding_type": "ceil_torch", "strides": [3, 3], "pads_begin": [1, 1]},
}


def words(how: dict[str, Any]) -> dict[str, Any]:
    none = {"strides": [1, 1], "pads_begin": [0, 0], "pads_end": [0, 0]}
    return {**none, "kernel_shape": [3, 2], **how}


@pytest.mark.parametrize("name", HOW)
@pytest.mark.parametrize("type", ["f32", "f16"])
def test_max_pool(name: str, type: str, tmp_path: Path) -> None:
    how = words(HOW[name])

    def made(x: Any) -> dict[str, Any]:
        return {"y": ops.max_pool(x, dilations=[1, 2], **how).output(0)}

    assert check(tmp_path, [X.astype(floats(type, 1).dtype)], made) == 1


@pytest.mark.parametrize("name", HOW)
@pytest.mark.parametrize("excludes", [False, True])
def test_average_pool(name: str, excludes: bool, tmp_path: Path) -> None:
    how = words(HOW[name])

    def made(x: Any) -> dict[str, Any]:
        return {"y": ops.avg_pool(x, exclude_pad=excludes, **how)}

    assert check(tmp_path, [X], made, scale=16) == 1


def test_average_of_windows_past_the_end(tmp_path: Path) -> None:
    """A last window that rounding up adds has its own elements only, unless there are pads."""

    def made(x: Any) -> dict[str, Any]:
        how = words({"kernel_shape": [2, 3], "strides": [2, 3]})
        found = {kind: {**how, "rounding_type": kind} for kind in ("ceil", "ceil_torch")}
        found["pads"] = {**found["ceil"], "pads_begin": [0, 1]}
        return {name: ops.avg_pool(x, exclude_pad=False, **how) for name, how in found.items()}

    assert check(tmp_path, [X], made, scale=16) == 3


def test_pooling_of_unknown_extents(tmp_path: Path) -> None:
    how = words(HOW["pads"])

    def made(x: Any) -> dict[str, Any]:
        return {
            "max": ops.max_pool(x, dilations=[1, 1], **how).output(0),
            "average": ops.avg_pool(x, exclude_pad=True, **how).output(0),
        }

    assert check(tmp_path, [X], made, UNKNOWN, scale=16) == 2


def integers(*values: int) -> Any:
    return ops.constant(np.array(values, np.int64))


@pytest.mark.parametrize("shapes", [None, UNKNOWN], ids=["known", "unknown"])
def test_parts(shapes: Any, tmp_path: Path) -> None:
    def made(x: Any) -> dict[str, Any]:
        halves = ops.split(x, ops.constant(1), 2)
        parts = ops.variadic_split(x, ops.constant(-1), integers(2, -1, 1))
        cut = ops.slice(
            x, integers(-1, 1), integers(-100, 2**31 - 1), integers(-2, 3), integers(3, 1)
        )
        return {
            "second": ops.relu(halves.output(1)),
            "rest": ops.relu(parts.output(1)),
            "last": ops.relu(parts.output(2)),
            "joined": ops.concat([halves.output(1), x, halves.output(0)], 1),
            "cut": cut,
        }

    assert check(tmp_path, [X], made, shapes) == 5


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
@pytest.mark.parametrize("shapes", [None, UNKNOWN], ids=["known", "unknown"])
def test_pad(mode: str, shapes: Any, tmp_path: Path) -> None:
    def made(x: Any) -> dict[str, Any]:
        first, last = integers(0, 1, 2, 0), integers(0, 0, 3, 4)
        value = ops.constant(np.float32(1.5))
        return {"y": ops.pad(x, first, last, mode, value if mode == "constant" else None)}

    assert check(tmp_path, [X], made, shapes) == 1


def test_what_is_refused(tmp_path: Path) -> None:
    path = save(model([X], lambda x: [ops.split(x, ops.constant(1), 2).output(0)]), tmp_path)
    text = path.read_text(encoding="utf-8").replace('num_splits="2"', 'num_splits="0"')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="num_splits is 0"):
        by_opc(path, [X])
