"""Extents that a caller fixes, in every format, by every name, from Python and the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from onnx import numpy_helper
from xdsl.dialects.func import FuncOp

import opc
from opc.__main__ import main
from opc.api.driver import Options, lower
from opc.errors import OpcError, UsageError
from opc.tools import cli
from opc.tools.extents import by_symbol
from tests.unit.common.onnx_models import info, model, node, saved
from tests.unit.common.openvino_files import edge, net, parameter, port, result, write

Shape = tuple[int | str, ...]

ADD = """
func.func @main(%x: tensor<?x?x4xf32, #opc.dims<N, M, 4>>, %y: tensor<?x4xf32, #opc.dims<N, 4>>)
    -> tensor<?x?x4xf32, #opc.dims<N, M, 4>> {
  %m = opc.reshape %y : tensor<?x4xf32, #opc.dims<N, 4>> -> tensor<?x1x4xf32, #opc.dims<N, 1, 4>>
  %r = opc.add %x, %m
  func.return %r : tensor<?x?x4xf32, #opc.dims<N, M, 4>>
}
"""


def in_mlir(folder: Path) -> Any:
    return ADD


def proto(n: str = "N", m: str = "M") -> Any:
    axes = numpy_helper.from_array(np.array([1]), "axes")
    nodes = [node("Unsqueeze", "y axes", "m"), node("Add", "x m", "r")]
    inputs = [info("x", shape=[n, m, 4]), info("y", shape=[n, 4])]
    return model(nodes, inputs, outputs=[info("r", shape=[n, m, 4])], initializers=[axes])


def in_memory(folder: Path) -> Any:
    return proto()


def in_file(folder: Path) -> Any:
    return saved(proto(), folder)


def traced(folder: Path) -> Any:
    def main(
        x: Annotated[np.ndarray, "f32[N, M, 4]"], y: Annotated[np.ndarray, "f32[N, 4]"]
    ) -> np.ndarray:
        return x + y[:, None]

    return opc.trace(main)


FORMATS: list[Callable[[Path], Any]] = [in_mlir, in_memory, in_file, traced]
FIXED: list[tuple[Mapping[str, Any] | None, Shape, Shape]] = [
    ({"N": 3}, (3, "M", 4), (3, 4)),
    ({"x": {0: 3}}, (3, "M", 4), (3, 4)),
    ({"y:0": 3}, (3, "M", 4), (3, 4)),
    ({"x": {-2: 5}, "y": {-2: 3}}, (3, 5, 4), (3, 4)),
    ({"M": 5, "x": {2: 4}}, ("N", 5, 4), ("N", 4)),
    ({}, ("N", "M", 4), ("N", 4)),
    (None, ("N", "M", 4), ("N", 4)),
    ({"N": np.int64(3), "x": {np.uint8(1): np.int8(5)}}, (3, 5, 4), (3, 4)),
    ({"N": np.array(3)}, (3, "M", 4), (3, 4)),
]
WRONG: list[tuple[Any, str]] = [
    ({"K": 3}, "there is no extent 'K'; extents: M, N; inputs: x, y"),
    ({"x": 3}, "there is no extent 'x'; 'x' is an input, of which x:0 is the first extent"),
    ({"z": {0: 3}}, "there is no extent 'z:0'"),
    ({"x": {3: 3}}, "input 'x' has rank 3, found axis 3"),
    ({"y": {-3: 3}}, "input 'y' has rank 2, found axis -3"),
    ({"x:2": 5}, "input 'x' axis 2 is 4, found 5 for x:2"),
    ({"N": 3, "y": {0: 4}}, "N is 3, found 4 for y:0"),
    ({"N": 0}, "N is 0, expected a number from 1 to 2^48"),
    ({"x": {1: -1}}, "x:1 is -1, expected"),
    ({"N": 2.0}, "N is 2.0, expected"),
    ({"N": True}, "N is True, expected"),
    ({"x": {"0": 1}}, "'x': found '0', expected an axis"),
    ({"x": {True: 1}}, "'x': found True, expected an axis"),
    ({"N": np.True_}, "np.True_, expected a number"),
    ({"N": np.float64(3)}, "expected a number from 1"),
    ({"N": None}, "N is None, expected a number"),
    ({3: 1}, "found 3, expected the name"),
    ([("N", 1)], "expected extents by name"),
]


@pytest.mark.parametrize("form", FORMATS)
def test_formats(form: Callable[[Path], Any], tmp_path: Path) -> None:
    graph = form(tmp_path)
    for dims, x, y in FIXED:
        found = lower(graph, cache=None, dims=dims).interface
        assert [spec.shape for spec in found.inputs] == [x, y], dims
        assert found.outputs[0].shape == x, dims
    for dims, message in WRONG:
        with pytest.raises(UsageError) as raised:
            lower(graph, cache=None, dims=dims)
        assert str(raised.value).startswith("dims: ") and message in str(raised.value)
        assert "\n" not in str(raised.value)


def test_results_are_the_same_bits() -> None:
    rng = np.random.default_rng(0)
    x, y = (rng.normal(size=s).astype(np.float32) for s in ((3, 5, 4), (3, 4)))
    f = opc.compile(ADD, target="baseline", dims={"N": 3})
    assert f(x, y).tobytes() == opc.compile(ADD, target="baseline")(x, y).tobytes()
    assert f(x, y).tobytes() == (x + y[:, None]).tobytes()
    with pytest.raises(OpcError, match="found 2, expected 3"):
        f(x[:2], y[:2])


NAMES = ("DynamicDimension.0", "unk__", "batch size", "a=b", "x:0", "d0", "7", "é")


@pytest.mark.parametrize("name", NAMES)
def test_names_as_the_model_has_them(name: str, tmp_path: Path) -> None:
    for dims, shape in (({name: 3}, (3, 4)), ({"y:0": 3}, (3, 4)), ({"y": {1: 4}}, None)):
        found = lower(proto(n=name), cache=None, dims=dims).interface.inputs[1].shape
        assert found == shape or (shape is None and isinstance(found[0], str))
    path = saved(proto(n=name), tmp_path)
    target = tmp_path / "fixed.mlir"
    assert main(["convert", str(path), "--dim", f"{name}=3", "-o", str(target)]) == 0
    assert lower(str(target), cache=None).interface.inputs[1].shape == (3, 4)


def test_a_slip_of_the_pen() -> None:
    with pytest.raises(UsageError, match=r"no extent 'DynamicDimention\.0'; did you mean 'Dyn"):
        lower(proto(n="DynamicDimension.0"), cache=None, dims={"DynamicDimention.0": 1})


@pytest.mark.parametrize("unknown", ["?", "", "-1"])
def test_unnamed_axes_are_fixed_one_by_one(unknown: str) -> None:
    graph = model(node("Relu", "x"), [info("x", shape=[1, 3, unknown, unknown])])
    shape = lower(graph, cache=None, dims={"x": {2: 48}}).interface.inputs[0].shape
    assert shape[:3] == (1, 3, 48) and isinstance(shape[3], str)
    with pytest.raises(UsageError, match=r"input 'x' axis 2 is 48, found 49 for x:-2"):
        lower(graph, cache=None, dims={"x": {2: 48, -2: 49}})


@pytest.mark.parametrize("opset", [1, 11, 13])
def test_the_rank_that_squeeze_leaves(opset: int) -> None:
    """What exporters make of ``x.squeeze()``: extents that are fixed are 1 or are not."""
    graph = model(node("Squeeze", "x"), [info("x", shape=["N", 1, 4])], opset)
    with pytest.raises(OpcError, match=r"\[N, 1, 4\]; fix those of inputs \(dims=, --dim\)"):
        lower(graph, cache=None)
    for n, shape in ((1, (4,)), (3, (3, 4))):
        assert lower(graph, cache=None, dims={"N": n}).interface.outputs[0].shape == shape


def test_openvino(tmp_path: Path) -> None:
    relu = (
        '<layer id="1" name="r" type="ReLU" version="opset1">'
        f"<input>{port(0, (-1, 3, -1))}</input><output>{port(1, (-1, 3, -1), 'FP32')}</output>"
        "</layer>"
    )
    layers = (parameter(0, "x", "?,3,1..9", (-1, 3, -1)), relu, result(2, (-1, 3, -1)))
    path = write(tmp_path, net(layers, (edge(0, 0, 1, 0), edge(1, 1, 2, 0))), None)
    for axis in (0, 2):
        shape = lower(path, cache=None, dims={"x": {axis: 7}}).interface.outputs[0].shape
        assert shape[axis] == 7 and isinstance(shape[2 - axis], str)
    with pytest.raises(UsageError, match="input 'x' axis 1 is 3, found 4"):
        lower(path, cache=None, dims={"x:1": 4})


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize(
    ("written", "inside", "outside"),
    [
        ("1..4", (1, 4), (5, 7)),
        ("3..4", (3, 4), (2, 5)),
        ("..4", (1, 4), (5,)),
        ("2..", (2, 99), (1,)),
        (" 2..4 ", (2, 3), (1, 5)),
    ],
)
def test_bounds_of_openvino(
    written: str, inside: Sequence[int], outside: Sequence[int], axis: int, tmp_path: Path
) -> None:
    texts = ["?", "?", "?"]
    texts[axis] = written
    layers = [
        parameter(0, "other", "?", (-1,)),
        parameter(1, "x", ",".join(texts), (-1, -1, -1)),
        result(2, (-1,)),
        result(3, (-1, -1, -1)),
    ]
    path = write(tmp_path, net(layers, (edge(0, 0, 2, 0), edge(1, 0, 3, 0))), None)
    for extent in inside:
        lowered = lower(path, cache=None, dims={"x": {axis: extent}, "other:0": 200})
        assert lowered.interface.inputs[1].shape[axis] == extent
    bounds = "".join(written.split())
    message = rf"input 'x' axis {axis % 3} is {re.escape(bounds)}, found"
    for extent in outside:
        with pytest.raises(UsageError, match=message):
            lower(path, cache=None, dims={f"x:{axis}": extent})
        with pytest.raises(UsageError, match=message):
            lower(lower(path, cache=None).ir("source"), cache=None, dims={f"x:{axis}": extent})


def test_functions_without_annotations() -> None:
    f = opc.function(lambda x: x * 2, dims={"x": {0: 3}}, target="baseline")
    np.testing.assert_array_equal(f(np.ones((3, 2))), np.full((3, 2), 2.0))
    assert f.inputs[0].shape[0] == 3


def test_a_branch_that_depends_on_it_folds() -> None:
    """Without the extent, the branches differ in rank and the model is refused."""
    one = numpy_helper.from_array(np.array(1), "one")
    zero = numpy_helper.from_array(np.array([0]), "zero")
    ends = [info("z", shape=None)]
    squeeze = opc_graph([node("Squeeze", "x zero", "z")], ends)
    same = opc_graph([node("Identity", "x", "z")], ends)
    nodes = [
        node("Shape", "x", "s"),
        node("Gather", "s zero", "n"),
        node("Squeeze", "n", "k"),
        node("Equal", "k one", "q"),
        node("If", "q", "y", then_branch=squeeze, else_branch=same),
    ]
    graph = model(nodes, [info("x", shape=["N", 4])], initializers=[one, zero])
    for extent, shape in ((1, (4,)), (2, (2, 4))):
        assert lower(graph, cache=None, dims={"N": extent}).interface.outputs[0].shape == shape


def opc_graph(nodes: list[Any], outputs: list[Any]) -> Any:
    from onnx import helper

    return helper.make_graph(nodes, "branch", [], outputs)


@pytest.mark.parametrize("extent", [1, 5, 6, 7, 8, 9, 12])
def test_places_from_the_end_stay_there(extent: int) -> None:
    """``N - 8`` of an extent N is before the start where N is less, not behind it."""
    text = """
        func.func @main(%x: tensor<?xf32, #opc.dims<N>>) -> tensor<?xf32> {
          %r = opc.slice %x {starts = #opc.dims<N - 8>, stops = #opc.dims<N - 2>, steps = [1]}
            : tensor<?xf32, #opc.dims<N>> -> tensor<?xf32>
          func.return %r : tensor<?xf32>
        }"""
    start = max(extent - 8, 0)
    shape = lower(text, cache=None, dims={"N": extent}).interface.outputs[0].shape
    assert shape == (max(extent - 2 - start, 0),)


def test_the_cache_keeps_them_apart(tmp_path: Path) -> None:
    path = saved(proto(), tmp_path)
    shapes = [
        lower(str(path), cache=str(tmp_path / "cache"), dims=dims).interface.inputs[0].shape
        for dims in ({}, {"N": 3}, {"N": 4}, {"M": 3}, {"N": 3}, {})
    ]
    expected = [("N", "M", 4), (3, "M", 4), (4, "M", 4), ("N", 3, 4), (3, "M", 4), ("N", "M", 4)]
    assert shapes == expected
    digests = {
        lower(str(path), Options(cache=None, dims=dims)).metadata["graph"]
        for dims in ({}, {"N": 3}, {"N": 4}, {"x": {0: 3}})
    }
    assert len(digests) == 4


def test_stages_that_are_printed(tmp_path: Path) -> None:
    lowered = lower(ADD, cache=None, dims={"N": 3})
    assert "tensor<3x4xf32>" in lowered.ir("source") and "tensor<3x4xf32>" in lowered.ir("graph")
    with pytest.raises(UsageError, match="the module is at the stage kernels"):
        lower(lower(ADD, cache=None).ir("kernels"), cache=None, dims={"N": 3})


COMMANDS = {
    "compile": ["--emit", "c,h", "-o", "OUT"],
    "run": ["--random", "0"],
    "verify": ["--seconds", "1", "--target", "baseline"],
    "bench": ["--rounds", "1", "--against", "", "--json", "OUT/bench.json"],
    "explain": ["-o", "OUT/page.html"],
    "convert": ["-o", "OUT/text.mlir"],
    "reduce": ["--seconds", "1", "--test", "true", "--out", "OUT/reduced.mlir"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command takes ``--dim`` in every form, and says the same of what is wrong."""
    source = tmp_path / "add.mlir"
    source.write_text(ADD)
    rest = [a.replace("OUT", str(tmp_path)) for a in COMMANDS[command]]
    for wrong, message in (("K=3", "no extent 'K'"), ("x:2=3", "axis 2 is 4"), ("N=0", "N is 0")):
        assert main([command, str(source), "--dim", wrong, *rest]) == 2
        error = capsys.readouterr().err.strip()
        assert message in error and "\n" not in error, error
    assert main([command, str(source), "--dim", "N=3", "--dim", "x:1=2", *rest]) == 0
    others = [p for p in tmp_path.iterdir() if p.suffix in (".json", ".mlir", ".html")]
    written = {p.suffix: p.read_text() for p in others if p != source}
    if command == "compile":
        assert [i["shape"] for i in json.loads(written[".json"])["inputs"]] == [[3, 2, 4], [3, 4]]
    if command in ("convert", "reduce"):
        assert "?" not in written[".mlir"]
    if command == "explain":
        assert "tensor&lt;3x2x4xf32&gt;" in written[".html"]


LISTS = (
    ("N=3,M=5", (3, 5, 4)),
    ("x:1=5,y:0=3", (3, 5, 4)),
    ("M=5,N=3,x:-3=3", (3, 5, 4)),
    ("N=3", (3, "M", 4)),
)
WRONG_LISTS = (
    ("N=3,K=5", "no extent 'K'"),
    ("N=3,N=4", "N is 3, found 4"),
    ("N=3,x:2=5", "axis 2 is 4, found 5"),
    ("N=3,M=0", "M is 0"),
    ("K,N=3", "no extent 'K,N'"),
)


def test_lists_with_commas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(proto(), tmp_path)
    target = tmp_path / "fixed.mlir"
    command = ["convert", str(path), "-o", str(target)]
    for text, shape in LISTS:
        assert main([*command, "--dim", text]) == 0
        assert lower(str(target), cache=None).interface.inputs[0].shape == shape
    for text, message in WRONG_LISTS:
        assert main([*command, "--dim", text]) == 2
        assert message in capsys.readouterr().err
    assert main([*command, "--dim", "N=3,M"]) == 2


@pytest.mark.parametrize("name", ["a,b", "a=2,n", "M=5,N"])
def test_names_with_commas_win(name: str, tmp_path: Path) -> None:
    path = saved(proto(n=name), tmp_path)
    target = tmp_path / "fixed.mlir"
    assert main(["convert", str(path), "--dim", f"{name}=3", "-o", str(target)]) == 0
    assert lower(str(target), cache=None).interface.inputs[0].shape == (3, "M", 4)
    assert found_extents(path, f"{name}=3") == {0: 3}


def found_extents(path: Path, text: str) -> dict[int, int]:
    """What ``--extent`` says of the axes of ``x``."""
    lowered = lower(str(path), cache=None)
    source = lowered.read().body.block.first_op
    assert isinstance(source, FuncOp)
    inputs = lowered.interface.inputs
    chosen = by_symbol([cli.extent(text)], source, inputs)
    return {k: chosen[e] for k, e in enumerate(inputs[0].shape) if e in chosen}


@pytest.mark.parametrize("name", NAMES)
def test_extents_have_the_same_names(name: str, tmp_path: Path) -> None:
    path = saved(proto(n=name), tmp_path)
    for text in (f"{name}=3", "y:0=3", "y:-2=3", f"y:0=3,{name}=3"):
        assert found_extents(path, text) == {0: 3}
    assert found_extents(path, f"M=5,{name}=3") == {0: 3, 1: 5}
    for text, message in (
        ("no=3", f"no symbol 'no'; there are: {', '.join(sorted(['M', name]))}"),
        ("x:2=5", "x:2 is 4, found 5"),
        ("y:2=5", "input 'y' has rank 2, found axis 2"),
        (f"y:0=4,{name}=3", f"{name} is 4, found 3"),
    ):
        with pytest.raises(UsageError) as raised:
            found_extents(path, text)
        assert message in str(raised.value)


EXTENTS = {k: v for k, v in COMMANDS.items() if k in ("run", "verify", "bench", "explain")}


@pytest.mark.parametrize("command", EXTENTS)
def test_commands_know_the_names(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(proto(n="DynamicDimension.0"), tmp_path)
    rest = [a.replace("OUT", str(tmp_path)) for a in COMMANDS[command]]
    assert main([command, str(path), *rest, "--extent", "DynamicDimension.0=3,x:1=2"]) == 0
    if command == "run":
        assert "r: f32[3,2,4]" in capsys.readouterr().out
    assert main([command, str(path), *rest, "--extent", "K=3"]) == 2
    assert "no symbol 'K'" in capsys.readouterr().err


def test_twice_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "x.mlir", "--dim", "N=3", "--dim", "N=4", "-o", "y.mlir"]) != 0
