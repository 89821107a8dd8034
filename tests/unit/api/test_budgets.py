"""Small files that ask for much end soon, with an error that says which limit to raise."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from onnx import helper
from openvino import opset15 as ov

import opc
from opc.dialects import budgets
from opc.errors import InputError, UnsupportedError, UsageError
from opc.tools.cli import main
from tests.unit.common import openvino_models
from tests.unit.common.onnx_models import info, model, node, saved
from tests.unit.common.openvino_models import ints, save

OPSETS = [helper.make_opsetid("", 18), helper.make_opsetid("local", 1)]


def with_functions(bodies: list[list[Any]], call: str) -> Any:
    """A model that calls local function ``call``; body k is that of ``f<k>``, from x to y."""
    functions = [
        helper.make_function("local", f"f{k}", ["x"], ["y"], body, OPSETS)
        for k, body in enumerate(bodies)
    ]
    main = [node(call, "x", domain="local")]
    graph = helper.make_graph(main, "g", [info("x", shape=[4])], [info("y", shape=[4])])
    return helper.make_model(graph, opset_imports=OPSETS, functions=functions, ir_version=8)


def doubling(levels: int) -> Any:
    """Function k calls function k - 1 twice."""
    bodies = [[node("Neg", "x")]]
    for k in range(levels):
        bodies.append(
            [node(f"f{k}", "x", "a", domain="local"), node(f"f{k}", "a", "y", domain="local")]
        )
    return with_functions(bodies, f"f{levels}")


def on_shape(operator: str, count: int, extents: str = "N", **attributes: Any) -> Any:
    """A shape with itself, again and again."""
    nodes = [node("Shape", "x", "s0")]
    nodes += [node(operator, f"s{k} s{k}", f"s{k + 1}", **attributes) for k in range(count)]
    nodes += [node("ReduceSum", f"s{count}", "t", keepdims=1), node("Cast", "t", to=1)]
    return model(nodes, [info("x", shape=extents.split())])


def squared_sum(times: int) -> Any:
    """(a + b + c + d + e + f) squared."""
    nodes = [node("Shape", "x", "s"), node("ReduceSum", "s", "s0", keepdims=1)]
    nodes += [node("Mul", f"s{k} s{k}", f"s{k + 1}") for k in range(times)]
    return model([*nodes, node("Cast", f"s{times}", to=1)], [info("x", shape=list("abcdef"))])


def quotients(times: int) -> Any:
    """x becomes (x div 2) * (x div 3): one term, of which each function has the one before."""
    nodes = [node("Shape", "x", "s0")]
    nodes += [node("Constant", "", f"c{d}", value_ints=[d]) for d in (2, 3)]
    for k in range(times):
        nodes += [node("Div", f"s{k} c{d}", f"q{d}_{k}") for d in (2, 3)]
        nodes.append(node("Mul", f"q2_{k} q3_{k}", f"s{k + 1}"))
    return model([*nodes, node("Cast", f"s{times}", to=1)], [info("x", shape=["N"])])


def outer() -> Any:
    """Two vectors that are broadcast to a table of 2^24 sums."""
    nodes = [
        node("Shape", "x", "s"),
        node("Constant", "", "n", value_ints=[4096]),
        node("ConstantOfShape", "n", "v", value=helper.make_tensor("v", 7, [1], [1])),
        node("Mul", "v s", "row"),
        node("Constant", "", "axis", value_ints=[1]),
        node("Unsqueeze", "row axis", "column"),
        node("Add", "row column", "table"),
        node("Cast", "table", to=1),
    ]
    return model(nodes, [info("x", shape=["N"])])


def text(extent: str) -> str:
    """A function over a tensor of such an extent, and one of each symbol in it."""
    symbols = "".join(f", %{n}: tensor<?xf32, #opc.dims<{n}>>" for n in "abcN" if n in extent)
    type = f"tensor<?xf32, #opc.dims<{extent}>>"
    head = f"func.func @main(%x: {type}{symbols}) -> {type}"
    return f"{head} {{\n%y = opc.exp %x\nfunc.return %y : {type}\n}}"


EXPLOSIVE: dict[str, tuple[str, Callable[[], Any]]] = {
    "functions": ("nodes", lambda: doubling(30)),
    "functions, 60 levels": ("nodes", lambda: doubling(60)),
    "product": ("degree", lambda: on_shape("Mul", 30)),
    "squares of a sum": ("terms", lambda: squared_sum(4)),
    "functions of quotients": ("terms", lambda: quotients(40)),
    "factors in a text": ("degree", lambda: text("*".join(["N"] * 20000))),
    "sums in a text": ("terms", lambda: text("*".join(["(a + b + c)"] * 20))),
    "quotients in a text": ("degree", lambda: text("nonunit(" * 80 + "N" + ")" * 80)),
}


@pytest.mark.parametrize("name", EXPLOSIVE)
def test_explosive_files(name: str) -> None:
    """Under 2 s, and the message names what was found, the limit, the flag and the place."""
    budget, make = EXPLOSIVE[name]
    graph = make()
    start = time.process_time()
    with pytest.raises(UnsupportedError) as caught:
        opc.compile(graph, cache=None)
    assert time.process_time() - start < 2
    limit = getattr(budgets.USUAL, budget)
    assert f"{limit} (--budget {budget}=N" in caught.value.message
    assert "found " in caught.value.message
    assert caught.value.location
    assert isinstance(graph, str) or "node " in caught.value.message


@pytest.mark.parametrize(
    "make", [lambda: on_shape("Concat", 40, axis=0), outer], ids=["concatenation", "outer sum"]
)
def test_values_with_more_elements_are_left_to_run(make: Callable[[], Any]) -> None:
    start = time.process_time()
    opc.lower(make(), cache=None).ir("loops")
    assert time.process_time() - start < 2


def test_the_budget_of_elements_changes_no_result() -> None:
    """Eight elements are the sum of eight extents, known while compiling or not."""
    graph, x = on_shape("Concat", 3, axis=0), np.zeros(5, np.float32)
    texts: list[str] = []
    for elements in (8, 7):
        function = opc.compile(graph, cache=None, budgets={"elements": elements})
        assert function(x) == 40
        texts.append(function.c_source)
    assert texts[0] != texts[1]


def test_extents_inside_extents() -> None:
    """Seven levels of quotients of sums, just within the limits: parts without what is replaced
    stay as they are, where each was made anew before (11 s of processor time)."""
    nodes: list[Any] = []
    for k in range(7):
        nodes += [
            node("MaxPool", f"x{k}", f"a{k}", kernel_shape=[2], strides=[2]),
            node("AveragePool", f"x{k}", f"b{k}", kernel_shape=[3], strides=[2], pads=[1, 1]),
            node("Concat", f"a{k} b{k}", f"x{k + 1}", axis=2),
        ]
    made = model(nodes, [info("x0", shape=["A", "B", "N"])], 19)
    start = time.process_time()
    opc.lower(made, cache=None).ir("loops")
    assert time.process_time() - start < 5


def _multiplied(x: Any) -> Any:
    for _ in range(30):
        x = ov.multiply(x, x)
    return x


def _outer_sums(x: Any) -> Any:
    for _ in range(4):
        x = ov.reshape(ov.add(x, ov.unsqueeze(x, ints(1))), ints(-1), special_zero=False)
    return x


def on_extents(build: Callable[[Any], Any], folder: Path) -> Path:
    """A file of a network that computes of the shape of its argument."""
    x = np.zeros((1,) * 6, np.float32)
    made = openvino_models.model([x], lambda a: [build(ov.shape_of(a))], [(-1,) * 6])
    return save(made, folder)


def test_openvino(tmp_path: Path) -> None:
    path = on_extents(_multiplied, tmp_path)
    start = time.process_time()
    with pytest.raises(UnsupportedError, match="--budget degree=N") as caught:
        opc.compile(path)
    assert time.process_time() - start < 2
    assert caught.value.location.startswith(str(path))


def test_openvino_leaves_large_values_to_run(tmp_path: Path) -> None:
    """6 extents become 6^16 sums in four steps."""
    path = on_extents(_outer_sums, tmp_path)
    start = time.process_time()
    opc.lower(path, cache=None).ir("loops")
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "graph, raised",
    [
        (doubling(5), {"nodes": 95}),
        (on_shape("Mul", 5), {"degree": 32}),
        (squared_sum(1), {"terms": 36}),
    ],
    ids=["nodes", "degree", "terms"],
)
def test_a_flag_raises_the_limit(graph: Any, raised: dict[str, int]) -> None:
    """What needs so much compiles with this budget, and not with one less."""
    (name, limit), *_ = raised.items()
    opc.compile(graph, cache=None, budgets=raised)
    with pytest.raises(UnsupportedError, match=f"expected at most {limit - 1} .--budget {name}"):
        opc.compile(graph, cache=None, budgets={name: limit - 1})


def test_limits_that_are_raised_end_with_the_call() -> None:
    big = text(" * ".join(["N"] * 100))
    opc.compile(big, cache=None, budgets={"degree": 100})
    with pytest.raises(UnsupportedError, match="expected at most 64"):
        opc.compile(text(" * ".join(["N"] * 65)), cache=None, budgets={"terms": 100})
    assert budgets.limit("degree") == budgets.USUAL.degree


def test_the_cache_does_not_raise_a_limit(tmp_path: Path) -> None:
    big = text(" * ".join(["N"] * 100))
    opc.compile(big, cache=tmp_path, budgets={"degree": 100})
    with pytest.raises(UnsupportedError):
        opc.compile(big, cache=tmp_path)


def test_ir_has_the_limits_of_the_call() -> None:
    f = opc.compile(text("*".join(["N"] * 70)), cache=None, budgets={"degree": 128})
    assert "N*N" in f.ir("graph")


@pytest.mark.parametrize(
    "given",
    [3, {"nodes": 0}, {"nodes": 2.5}, {"nodes": True}, {"time": 3}, {3: 3}, {"terms": 10**13}],
    ids=str,
)
def test_budgets_are_checked(given: Any) -> None:
    with pytest.raises(UsageError, match="budgets"):
        opc.compile(text("N"), budgets=given)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(saved(doubling(14), tmp_path))
    out = ["-o", str(tmp_path / "out"), "--emit", "source"]
    assert main(["compile", path, *out]) == 4
    message = capsys.readouterr().err
    assert message == (
        f"{path}: error: node 0 (f14): calls of functions: found 49151 nodes, expected at most "
        '8192 (--budget nodes=N or budgets={"nodes": N} allows more)\n'
    )
    path = str(saved(doubling(3), tmp_path))
    assert main(["compile", path, *out, "--budget", "nodes=20,terms=30"]) == 4
    assert main(["compile", path, *out, "--budget", "nodes=23,terms=30"]) == 0
    for command in ("run", "convert", "bench"):
        target = ["-o", str(tmp_path / "out.mlir")] if command == "convert" else []
        assert main([command, path, *target, "--budget", "nodes=20"]) == 4
    assert not (tmp_path / "out.mlir").exists()
    for wrong in ("nodes", "nodes=", "nodes=-1", "nodes=0", "time=4", "nodes=9" + "9" * 12, ""):
        capsys.readouterr()
        assert main(["compile", path, "--budget", wrong]) == 2
        assert "--budget" in capsys.readouterr().err


def test_opt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from opc.tools.opt import main as opt

    path = tmp_path / "x.mlir"
    path.write_text(text("*".join(["N"] * 70)))
    assert opt([str(path)]) == 4
    assert "found 65 factors" in capsys.readouterr().err
    assert opt([str(path), "--budget", "degree=70"]) == 0


def test_traced_functions() -> None:
    """The error is at the line of Python that asks for too much."""

    @opc.function(budgets={"degree": 200}, cache=None)
    def powers(x: Annotated[Any, "f32[N]"], times: int = 7) -> Any:
        n = x.shape[0]
        for _ in range(times):
            n = n * n
        return x * n

    assert powers(np.ones(1, np.float32)) == 1
    with pytest.raises(UnsupportedError, match=r"test_budgets.py:\d+:\d+: .*found 256 factors"):
        powers(np.ones(1, np.float32), times=8)


def test_too_many_numbers_are_computed_when_the_function_runs() -> None:
    """Unlike expressions, numbers need not be known."""
    row = helper.make_tensor("row", 7, [1, 100], range(100))
    column = helper.make_tensor("column", 7, [100, 1], range(100))
    nodes = [node("Mul", "row column", "t"), node("Add", "t x")]
    made = model(nodes, [info("x", "i64", [100])], initializers=[row, column])
    x = np.arange(100)
    assert np.array_equal(opc.compile(made)(x), np.outer(x, x) + x)


def test_known_values_become_tensors_by_their_terms() -> None:
    """Some hundred elements take an operator for each product of extents that they hold."""
    nodes = [node("Shape", "x", "s0")]
    nodes += [node("Concat", f"s{k} s{k}", f"s{k + 1}", axis=0) for k in range(9)]
    nodes += [node("Constant", "", "c", value_ints=list(range(1024))), node("Mul", "s9 c", "p")]
    nodes += [node("Sub", "p c", "q")]
    made = model(nodes, [info("x", shape=["N", "M"])])
    f = opc.compile(made, cache=None)
    assert f.ir("graph").count("= opc.") < 12
    found = f(np.zeros((3, 5), np.float32))
    assert np.array_equal(found, np.tile([3, 5], 512) * np.arange(1024) - np.arange(1024))


def test_functions_that_never_end() -> None:
    for bodies, message in (
        ([[node("f0", "x", domain="local")]], "function f0 calls itself"),
        ([[node("f1", "x", domain="local")], [node("f0", "x", domain="local")]], "calls itself"),
    ):
        with pytest.raises(InputError, match=rf"node 0 \(f0\): .*{message}"):
            opc.compile(with_functions(bodies, "f0"))
    chain = [[node("Neg", "x")], *([node(f"f{k}", "x", domain="local")] for k in range(70))]
    with pytest.raises(InputError, match="calls of functions are more than 64 deep"):
        opc.compile(with_functions(chain, "f70"))
    assert opc.compile(with_functions(chain, "f60"))(np.ones(4, np.float32)).tolist() == [-1] * 4


def of_many(inputs: int) -> str:
    """A function of so many arguments, of which it reads one."""
    listed = ", ".join(f"%a{k}: tensor<1xf32>" for k in range(inputs))
    return f"""func.func @many({listed}) -> tensor<1xf32> {{
  %y = opc.neg %a{inputs - 1}
  func.return %y : tensor<1xf32>
}}"""


def test_arguments_that_python_can_pass(tmp_path: Path) -> None:
    """1,024 with the result and the workspace; more are refused, and no C compiler is asked."""
    arrays = [np.full(1, k, np.float32) for k in range(1022)]
    assert opc.compile(of_many(1022))(*arrays).tolist() == [-1021]
    expected = (
        r"many\(\): found 1025 arguments of the C function "
        r"\(inputs: 1023, outputs: 1, workspace: 1\),"
        " expected at most 1024, which Python can pass; opc compile --emit c,h takes more"
    )
    with pytest.raises(UnsupportedError, match=expected):
        opc.compile(of_many(1023), cc="/no/compiler")
    (tmp_path / "many.mlir").write_text(of_many(1023))
    assert main(["compile", str(tmp_path / "many.mlir"), "-o", str(tmp_path)]) == 0
    with pytest.raises(UnsupportedError, match=expected):
        opc.load(tmp_path / "many.json")
