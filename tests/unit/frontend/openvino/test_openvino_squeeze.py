"""Squeeze-1 and -15 against OpenVINO: each form of axes, rank 0, and axes that a run looks at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ov = pytest.importorskip("openvino")
from openvino import opset15 as ops  # noqa: E402
from openvino.utils.node_factory import NodeFactory  # noqa: E402

from opc.errors import ArgumentError, InputError, UnsupportedError  # noqa: E402
from tests.unit.common.openvino_models import by_opc, by_openvino, save  # noqa: E402

FORMS: dict[str, Any] = {
    "none": None,
    "empty": [],
    "first": [0],
    "last": [-1],
    "number": 0,
    "from the end": -1,
    "twice": [0, 0],
    "every": "every",
    "turned": "turned",
}
"""Axes as a constant has them, a list or a number."""
SHAPES = ((), (1,), (3,), (1, 1), (1, 3), (3, 1), (1, 3, 1), (2, 1, 1))
UNKNOWN = ((-1,), (-1, 3), (-1, 1), (1, -1), (-1, -1), (-1, 1, -1))


def axes_of(form: str, rank: int) -> Any:
    axes = FORMS[form]
    if isinstance(axes, str):
        return [*range(rank)] if axes == "every" else [-k for k in range(1, rank + 1)]
    return axes


def squeezed(x: Any, form: str, since: int, skips: bool) -> Any:
    axes = axes_of(form, len(x.output(0).get_partial_shape()))
    given = [] if axes is None else [ops.constant(np.array(axes, np.int64))]
    if since == 15:
        return ops.squeeze(x, *given, allow_axis_skip=skips)
    return NodeFactory("opset1").create("Squeeze", [x.output(0), *(a.output(0) for a in given)], {})


def made(shape: Any, form: str, since: int, skips: bool, is_flat: bool) -> Any:
    x = ops.parameter(ov.PartialShape(list(shape)), ov.Type.f32)
    y = squeezed(ops.relu(x), form, since, skips)
    # Behind a reshape any rank will do.
    y = ops.reshape(y, ops.constant([-1]), False) if is_flat else ops.negative(y)
    return ov.Model([y], [x], "model")


def numbers(*shape: int) -> Any:
    return np.arange(1, 1 + np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


def known() -> Iterator[Any]:
    for shape, form in product(SHAPES, FORMS):
        for since, skips in ((1, False), (15, False), (15, True)):
            yield shape, form, since, skips


@pytest.mark.sample(12)
@pytest.mark.parametrize(("shape", "form", "since", "skips"), list(known()))
def test_known_extents(shape: Any, form: str, since: int, skips: bool, tmp_path: Path) -> None:
    model, data = made(shape, form, since, skips, False), [numbers(*shape)]
    found, expected = by_opc(save(model, tmp_path, "m"), data)[0], by_openvino(model, data)[0]
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("form", ["none", "first", "from the end", "every"])
@pytest.mark.parametrize("since, skips", [(1, False), (15, False), (15, True)])
def test_rank_0(since: int, skips: bool, form: str, tmp_path: Path) -> None:
    """No axis is 1 there, and 0 and -1 are none that it lacks."""
    test_known_extents((), form, since, skips, tmp_path)


@pytest.mark.sample(8)
@pytest.mark.parametrize(("shape", "form"), list(product(UNKNOWN, FORMS)))
def test_skipped_axes(shape: Any, form: str, tmp_path: Path) -> None:
    """Whether an axis is 1 is found by the call, where another rank is as good."""
    model = made(shape, form, 15, True, True)
    path = save(model, tmp_path, "m")
    for extents in product((1, 2), repeat=shape.count(-1)):
        rest = iter(extents)
        data = [numbers(*(next(rest) if e == -1 else e for e in shape))]
        fixed = model.clone()
        fixed.reshape(data[0].shape)
        np.testing.assert_array_equal(by_opc(path, data)[0], by_openvino(fixed, data)[0])


@pytest.mark.parametrize("rank", [1, 2])
def test_what_follows_decides_the_rank(rank: int, tmp_path: Path) -> None:
    """The call fails where the rank that came out is another one."""
    x = ops.parameter(ov.PartialShape([-1, -1]), ov.Type.f32)
    y = ops.squeeze(ops.relu(x), ops.constant([0, 1]), allow_axis_skip=True)
    z = ops.reshape(ops.transpose(y, ops.constant([*range(rank)][::-1], dtype=np.int64)),
                    ops.constant([-1]), False)  # fmt: skip
    path = save(ov.Model([z], [x], "model"), tmp_path, "m")
    for shape in product((1, 3), repeat=2):
        data = [numbers(*shape)]
        if data[0].squeeze().ndim == rank:
            np.testing.assert_array_equal(by_opc(path, data)[0], data[0].squeeze().T.reshape(-1))
            continue
        with pytest.raises(ArgumentError, match=r"cannot be taken|is not 1"):
            by_opc(path, data)


def test_a_rank_that_nothing_decides(tmp_path: Path) -> None:
    """OpenVINO refuses a model of dynamic rank, too; without the attribute axes must be 1."""
    path = save(made((-1, 3, -1), "last", 15, True, False), tmp_path, "m")
    with pytest.raises(UnsupportedError, match=r"depends on the extents \[input '.*' axis 2\]"):
        by_opc(path, [numbers(1, 3, 1)])
    path = save(made((-1, 3, -1), "last", 15, False, False), tmp_path, "n")
    np.testing.assert_array_equal(by_opc(path, [numbers(2, 3, 1)])[0], -numbers(2, 3))
    with pytest.raises(ArgumentError, match="differs"):
        by_opc(path, [numbers(2, 3, 2)])


def test_axes_that_there_are_not(tmp_path: Path) -> None:
    path = save(made((1, 3), "first", 15, True, False), tmp_path, "m")
    text, weights = path.read_text(), path.with_suffix(".bin")
    for axis in (2, -3):
        weights.write_bytes(np.int64(axis).tobytes())
        with pytest.raises(InputError, match=f"axis {axis} is outside"):
            by_opc(path, [numbers(1, 3)])
    assert "allow_axis_skip" in text
