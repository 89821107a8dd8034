"""Every XML example of the specifications of ReduceSum-1 and ReduceMin-1, completed to a model.

The examples are those of the documents, with the value of ``axes`` that their comments state: the
layer and its ports are taken over as they are, without a version and without precisions.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.errors import InputError
from tests.unit.common.openvino_files import constant, edge, net, parameter, result, write

pytestmark = pytest.mark.sample(4)

SHAPE = (6, 12, 10, 24)
EXAMPLE = """\
<layer id="1" type="{type}" {rest}>
    <data keep_dims="{keep}" />
    <input>
        <port id="0">
            <dim>6</dim>
            <dim>12</dim>
            <dim>10</dim>
            <dim>24</dim>
        </port>
        <port id="1">
            <dim>{count}</dim>         <!-- value is {axes} that means independent reduction -->
        </port>
    </input>
    <output>
        <port id="2">
            {dims}
        </port>
    </output>
</layer>
"""
EXAMPLES = (
    ((2, 3), "true", (6, 12, 1, 1)),
    ((2, 3), "false", (6, 12)),
    ((1,), "false", (6, 10, 24)),
    ((-2,), "false", (6, 12, 24)),
)
NUMPY: dict[str, Callable[..., np.ndarray]] = {"ReduceSum": np.sum, "ReduceMin": np.min}


def completed(
    type: str,
    axes: tuple[int, ...],
    keep: str,
    shape: tuple[int, ...],
    dtype: str,
    axes_dtype: str,
    extents: str,
    constant_axes: bool = True,
) -> str:
    """The example between Parameters and a Result."""
    listed = np.array(axes, axes_dtype)
    second = (
        constant(2, listed, 0)
        if constant_axes
        else parameter(2, "axes", str(listed.size), listed.shape, axes_dtype)
    )
    dims = "\n            ".join(f"<dim>{d}</dim>" for d in shape)
    example = EXAMPLE.format(
        type=type,
        keep=keep,
        count=len(axes),
        axes=list(axes),
        dims=dims,
        rest='name="reduce" version="opset1"',
    )
    port_dims = [-1 if e == "?" else int(e) for e in extents.split(",")]
    return net(
        [parameter(0, "data", extents, port_dims, dtype), example, second, result(3, shape)],
        [edge(0, 0, 1, 0), edge(2, 0, 1, 1), edge(1, 2, 3, 0)],
    )


def data(dtype: str) -> np.ndarray:
    rng = np.random.default_rng(0)
    if dtype == "float32":
        return rng.standard_normal(SHAPE).astype(dtype)
    return rng.integers(0, 100, SHAPE).astype(dtype)


def compare(found: np.ndarray, wanted: np.ndarray, x: np.ndarray) -> None:
    assert found.shape == wanted.shape and found.dtype == wanted.dtype
    if x.dtype.kind == "f":
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-4)
    else:
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("extents", ("6,12,10,24", "?,?,?,?"))
@pytest.mark.parametrize("dtype", ("float32", "int32", "uint8"))
@pytest.mark.parametrize("axes, keep, shape", EXAMPLES)
@pytest.mark.parametrize("type", NUMPY)
def test_example(
    type: str,
    axes: tuple[int, ...],
    keep: str,
    shape: tuple[int, ...],
    dtype: str,
    extents: str,
    tmp_path: Path,
) -> None:
    text = completed(type, axes, keep, shape, dtype, "int64", extents)
    path = write(tmp_path, text, np.array(axes, np.int64).tobytes())
    x = data(dtype)
    function = opc.compile(path)
    assert [s.name for s in function.inputs] == ["data"]
    # Integer sums wrap in the type of the data.
    wanted = NUMPY[type](x, axis=axes, keepdims=keep == "true").astype(dtype)
    compare(function(x), wanted, x)


@pytest.mark.parametrize("axes, keep, shape", EXAMPLES)
@pytest.mark.parametrize("axes_dtype", ("int8", "int32", "int64", "uint8", "uint64"))
@pytest.mark.parametrize("type", NUMPY)
def test_axes_when_it_runs(
    type: str,
    axes: tuple[int, ...],
    keep: str,
    shape: tuple[int, ...],
    axes_dtype: str,
    tmp_path: Path,
) -> None:
    """The axes as a second Parameter, of any integer type; the ports fit these axes alone."""
    given = tuple(a % 4 for a in axes) if axes_dtype.startswith("u") else axes
    open_shape = tuple(1 if d == 1 else -1 for d in shape) if keep == "false" else (-1,) * 4
    text = completed(
        type, given, keep, open_shape, "float32", axes_dtype, "6,12,10,24", constant_axes=False
    )
    function = opc.compile(write(tmp_path, text))
    x = data("float32")
    found = function(x, np.array(given, axes_dtype))
    compare(found, NUMPY[type](x, axis=given, keepdims=keep == "true"), x)


@pytest.mark.parametrize("type", NUMPY)
def test_particular_cases(type: str, tmp_path: Path) -> None:
    """No axes are the identity, all of them give a single value, and a repeat is an error."""
    x = data("float32")
    for axes, keep, shape in (
        ((), "false", SHAPE),
        ((), "true", SHAPE),
        ((0, 1, 2, 3), "false", ()),
        ((3, -4, 1, 2), "true", (1, 1, 1, 1)),
    ):
        text = completed(type, axes, keep, shape, "float32", "int64", "6,12,10,24")
        found = opc.compile(write(tmp_path, text, np.array(axes, np.int64).tobytes()))(x)
        compare(found, NUMPY[type](x, axis=axes, keepdims=keep == "true") if axes else x, x)
    for axes in ((1, 1), (1, -3), (4,), (-5,)):
        text = completed(type, axes, "false", (), "float32", "int64", "6,12,10,24")
        path = write(tmp_path, text, np.array(axes, np.int64).tobytes())
        with pytest.raises(InputError, match=r"model\.xml:6:1: .*axis"):
            opc.compile(path)


def test_keep_dims_is_false_by_default(tmp_path: Path) -> None:
    text = completed("ReduceSum", (1,), "false", (6, 10, 24), "float32", "int64", "6,12,10,24")
    path = write(tmp_path, text.replace('<data keep_dims="false" />', ""), b"\1" + bytes(7))
    assert opc.compile(path)(data("float32")).shape == (6, 10, 24)
