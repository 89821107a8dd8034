"""ScaledDotProductAttention of OpenVINO models against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset15 as ops

from opc.errors import InputError
from tests.unit.common.openvino_models import by_opc, check, floats, model, save

HEAD = [(2, 3, 4, 8), (2, 3, 6, 8), (2, 3, 6, 5)]


def made(*given: Any, **words: Any) -> dict[str, Any]:
    return {"y": ops.scaled_dot_product_attention(*given, **words)}


@pytest.mark.parametrize("type", ["f32", "f16"])
@pytest.mark.parametrize("shape", [None, (4, 6), (1, 6), (2, 1, 4, 6), (2, 3, 4, 6)])
def test_masks(shape: tuple[int, ...] | None, type: str, tmp_path: Path) -> None:
    inputs = [floats(type, *s) for s in HEAD]
    if shape is None:
        assert check(tmp_path, inputs, made, scale=100) == 1
        return
    mask = floats(type, *shape)
    seen = mask > 0
    seen[..., 0] = True
    assert check(tmp_path, [*inputs, mask], made, scale=100) == 1
    assert check(tmp_path, [*inputs, seen], made, scale=100) == 1


def test_causal(tmp_path: Path) -> None:
    inputs = [floats("f32", *s) for s in HEAD]
    shapes = [(-1, 3, -1, 8), (-1, 3, -1, 8), (-1, 3, -1, 5)]
    for given in (shapes, ()):
        assert check(tmp_path, inputs, lambda *p: made(*p, causal=True), given, scale=100) == 1


def test_a_scale(tmp_path: Path) -> None:
    inputs = [floats("f32", *s) for s in HEAD]
    mask, scale = np.zeros((4, 6), bool), np.float32(0.3)
    mask[:, :2] = True
    given = [*inputs, mask, scale]
    assert check(tmp_path, given, made, scale=100) == 1


def test_other_ranks(tmp_path: Path) -> None:
    for lead in ((2,), (2, 2, 2)):
        inputs = [floats("f32", *lead, *s[2:]) for s in HEAD]
        assert check(tmp_path, inputs, made, scale=100) == 1


def test_a_query_that_sees_no_key_gives_nan(tmp_path: Path) -> None:
    mask = np.ones((4, 6), bool)
    mask[2] = False
    inputs = [*(floats("f32", *s) for s in HEAD), mask]
    path = save(model(inputs, lambda *p: list(made(*p).values())), tmp_path)
    (y,) = by_opc(path, inputs)
    assert np.isnan(y).all(-1).tolist() == [[[False, False, True, False]] * 3] * 2


def test_what_does_not_fit(tmp_path: Path) -> None:
    inputs = [floats("f32", *s) for s in (*HEAD, (4, 6))]
    shapes = [*((-1,) * 4,) * 3, (3, 6)]
    built = model(inputs, lambda *p: list(made(*p).values()), shapes)
    path = save(built, tmp_path)
    text = path.read_text()
    path.write_text(text.replace('shape="?,?,?,?"', 'shape="2,3,4,8"', 1))
    with pytest.raises(InputError):
        by_opc(path, inputs)
