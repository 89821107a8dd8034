"""If whose branches give results of different rank, or that cannot be typed.

Values are those of onnxruntime; graphs run in the interpreter, but for a few that are compiled.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from opc.errors import ArgumentError, InputError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import function, graph_text, info, interpreted, model, node  # noqa: E402
from tests.unit.frontend.onnx.test_control_flow import check, constant, graph  # noqa: E402

RNG = np.random.default_rng(0)


def numbers(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


def expected(proto: Any, *arrays: Any) -> list[Any]:
    """What onnxruntime computes, which takes no declared shape of an output for an error."""
    onnxruntime = pytest.importorskip("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(proto.SerializeToString(), options)
    names = [i.name for i in session.get_inputs()]
    return session.run(None, dict(zip(names, map(np.asarray, arrays), strict=True)))


def agree(proto: Any, *arrays: Any) -> None:
    for found, wanted in zip(interpreted(proto, *arrays), expected(proto, *arrays), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6, strict=True)


def squeeze(axis: int, opset: int, x: str = "y", out: str = "s") -> list[Any]:
    """A Squeeze as its version writes the axes."""
    if opset < 13:
        return [node("Squeeze", x, out, axes=[axis])]
    value = onnx.numpy_helper.from_array(np.array([axis]))
    axes = node("Constant", "", f"{out}_axes", value=value)
    return [axes, node("Squeeze", f"{x} {out}_axes", out)]


def head(axis: int) -> list[Any]:
    """PyTorch's squeeze of an axis: the condition is whether its extent is 1."""
    numbers = {"at": axis, "one": 1}
    made = [
        node("Constant", "", k, value=onnx.numpy_helper.from_array(np.array(v)))
        for k, v in numbers.items()
    ]
    return [
        *made,
        node("Relu", "x", "y"),
        node("Shape", "y", "shape"),
        node("Gather", "shape at", "extent"),
        node("Equal", "extent one", "c"),
    ]


def squeezed(axis: int, opset: int, type: Any = None, swapped: bool = False) -> Any:
    """If of the two, whose branches say nothing of shapes or what is wrong for one of them."""
    one = graph(squeeze(axis, opset), (), [info("s", shape=type)])
    other = graph([node("Identity", "y", "i")], (), [info("i", shape=None)])
    if swapped:
        return [
            node("Not", "c", "n"),
            node("If", "n", "z", then_branch=other, else_branch=one),
        ]
    return [node("If", "c", "z", then_branch=one, else_branch=other)]


@pytest.mark.parametrize("opset", [11, 13, 16, 21])
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("swapped", [False, True])
def test_squeeze_by_the_declared_rank(axis: int, opset: int, swapped: bool) -> None:
    """Either rank may be declared; the branch of the other one fails if it is taken."""
    place = axis % 3
    shape: list[Any] = [2, 3, 4]
    shape[place] = "n"
    kept = [e for k, e in enumerate(shape) if k != place]
    for declared, good in ((kept, 1), (shape, 5)):
        nodes = [*head(axis), *squeezed(axis, opset, swapped=swapped)]
        proto = model(nodes, [info("x", shape=shape)], opset, outputs=[info("z", shape=declared)])
        for n in (1, 5):
            x = numbers(*(n if e == "n" else e for e in shape))
            if n == good:
                agree(proto, x)
                continue
            # Also where what the other branch requires of extents is checked first.
            taken = "else" if (declared is kept) != swapped else "then"
            rank = rf"{taken}_branch cannot be taken: .*declared with rank {len(declared)}"
            with pytest.raises(ArgumentError, match=rank):
                interpreted(proto, x)


@pytest.mark.parametrize("opset", [11, 14, 19])
def test_what_follows_takes_one_rank(opset: int) -> None:
    nodes = [*head(2), *squeezed(2, opset), node("Gemm", "z w", "g"), node("Tanh", "g", "r")]
    w = constant("w", numbers(8, 4))
    proto = model(nodes, [info("x", shape=("b", 8, "t"))], opset, initializers=[w])
    agree(proto, numbers(2, 8, 1))
    with pytest.raises(ArgumentError, match="is not 1"):
        interpreted(proto, numbers(2, 8, 3))
    found = function(proto)
    np.testing.assert_allclose(found(x := numbers(3, 8, 1)), expected(proto, x)[0], 1e-5, 1e-5)
    with pytest.raises(ArgumentError, match="is not 1"):
        found(numbers(2, 8, 3))


@pytest.mark.parametrize("opset", [11, 13, 21])
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_ranks_that_meet_again(opset: int, depth: int) -> None:
    """Both branches are right: they compute what follows until there is one rank."""
    nodes = [*head(1), *squeezed(1, opset)]
    last = "z"
    for k in range(depth):
        # Each needs something that is computed between them, too.
        nodes += [node("Neg", "x", f"b{k}"), node("ReduceMax", f"b{k}", f"m{k}", keepdims=0)]
        nodes.append(node("Add", f"{last} m{k}", f"a{k}"))
        last = f"a{k}"
    nodes += [node("Flatten", last, "f", axis=1), node("Exp", "f", "r"), node("Shape", last, "q")]
    nodes += [node("Size", "q", "rank"), node("Sub", "r m0", "u")]
    outputs = [info("u", shape=None), info("rank", "i64", ())]
    proto = model(nodes, [info("x", shape=(2, "n", 3))], opset, outputs=outputs)
    for n in (1, 4):
        agree(proto, numbers(2, n, 3))


def test_ranks_that_meet_again_in_c() -> None:
    nodes = [*head(1), *squeezed(1, 16), node("Flatten", "z", "f"), node("Exp", "f", "r")]
    proto = model(nodes, [info("x", shape=(2, "n", 3))], 16)
    check(proto, numbers(2, 1, 3))
    check(proto, numbers(2, 4, 3))


@pytest.mark.parametrize("c, d", list(product((True, False), repeat=2)))
def test_choices_in_choices(c: bool, d: bool) -> None:
    """The rank of an inner choice leaves the outer one, and something follows that."""
    inner = graph([_by("d")], (), [info("p", shape=None)])
    outer = graph([node("Neg", "x", "q")], (), [info("q", shape=None)])
    nodes = [
        node("Relu", "x", "y"),
        node("If", "c", "z", then_branch=inner, else_branch=outer),
        node("Mul", "z z", "v"),
        node("ReduceSum", "v", "r", keepdims=0),
    ]
    inputs = [info("c", "i1", ()), info("d", "i1", ()), info("x", shape=(1, "n"))]
    agree(model(nodes, inputs, 16), np.array(c), np.array(d), numbers(1, 3))
    # Where the condition of the outer one is known, the inner one stands in its place.
    known = model(nodes, inputs[1:], 16, initializers=[constant("c", np.array(True))])
    agree(known, np.array(d), numbers(1, 3))
    assert graph_text(known).count("opc.if") == 1


def _by(condition: str) -> Any:
    """[1, n] or [n]."""
    one = graph(squeeze(0, 16), (), [info("s", shape=None)])
    other = graph([node("Identity", "y", "i")], (), [info("i", shape=None)])
    return node("If", condition, "p", then_branch=one, else_branch=other)


def test_choices_one_behind_the_other() -> None:
    """Each doubles the ranks that there may be."""
    nodes = [node("Relu", "x", "y"), _by("c")]
    one = graph(squeeze(0, 16, "p", "t"), (), [info("t", shape=None)])
    other = graph([node("Abs", "p", "u")], (), [info("u", shape=None)])
    nodes.append(node("If", "d", "z", then_branch=one, else_branch=other))
    nodes += [
        node("Shape", "z", "s"),
        node("Size", "s", "k"),
        node("ReduceSum", "z", "r", keepdims=0),
    ]
    inputs = [info("c", "i1", ()), info("d", "i1", ()), info("x", shape=(1, 1, "n"))]
    proto = model(nodes, inputs, 16, outputs=[info("k", "i64", ()), info("r", shape=())])
    for c, d in product((True, False), repeat=2):
        agree(proto, np.array(c), np.array(d), numbers(1, 1, 4))


@pytest.mark.parametrize("where", ["then_branch", "else_branch"])
@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize("declared", [None, (2, 5)])
@pytest.mark.parametrize("opset", [11, 16, 21])
def test_a_branch_that_cannot_be_typed(
    where: str, is_known: bool, declared: Any, opset: int
) -> None:
    """It is an error where it is taken."""
    bad = graph([node("MatMul", "x w", "a")], (), [info("a", shape=declared)])
    good = graph([node("Relu", "x", "b")], (), [info("b", shape=declared)])
    other = "else_branch" if where == "then_branch" else "then_branch"
    numbers_ = [constant("w", numbers(8, 4))]
    inputs = [info("x", shape=(2, 5)), info("c", "i1", ())]
    x, takes_bad = numbers(2, 5), np.array(where == "then_branch")
    nodes = [node("If", "c", "z", **{where: bad, other: good})]
    if is_known:
        for c in (True, False):
            given = [*numbers_, constant("c", np.array(c))]
            proto = model(nodes, inputs[:1], opset, initializers=given)
            if c == takes_bad:
                with pytest.raises(InputError, match="contracted extents differ: 5 and 8"):
                    interpreted(proto, x)
            else:
                np.testing.assert_array_equal(interpreted(proto, x)[0], np.maximum(x, 0))
        return
    proto = model(nodes, inputs, opset, initializers=numbers_)
    np.testing.assert_array_equal(interpreted(proto, x, ~takes_bad)[0], np.maximum(x, 0))
    match = f"{where} cannot be taken: node 0.{where}.0 .MatMul.*5 and 8"
    with pytest.raises(ArgumentError, match=match):
        interpreted(proto, x, takes_bad)


def test_a_branch_that_cannot_be_taken_in_c() -> None:
    bad = graph([node("MatMul", "x w", "a")], (), [info("a", shape=None)])
    good = graph([node("Relu", "x", "b")], (), [info("b", shape=None)])
    proto = model(
        node("If", "c", "z", then_branch=bad, else_branch=good),
        [info("x", shape=(2, 5)), info("c", "i1", ())],
        16,
        initializers=[constant("w", numbers(8, 4))],
    )
    found, x = function(proto), numbers(2, 5)
    np.testing.assert_array_equal(found(x, np.array(False)), np.maximum(x, 0))
    with pytest.raises(ArgumentError, match=r"then_branch cannot be taken: .*: 5 and 8$"):
        found(x, np.array(True))
    both = model(
        node("If", "c", "z", then_branch=bad, else_branch=bad),
        [info("x", shape=(2, 5)), info("c", "i1", ())],
        16,
        initializers=[constant("w", numbers(8, 4))],
    )
    with pytest.raises(InputError, match="contracted extents differ"):
        function(both)


def test_what_a_branch_requires_is_checked_where_it_is_taken() -> None:
    """Extents need fit only in the branch that runs, also in a branch of a branch and a loop."""
    inner = {
        "then_branch": graph([node("MatMul", "x w", "p")], (), [info("p", shape=None)]),
        "else_branch": graph([node("MatMul", "x v", "q")], (), [info("q", shape=None)]),
    }
    body = graph(
        [
            node("If", "c", "m", **inner),
            node("ReduceSum", "m", "n", keepdims=0),
            node("Add", "a n", "b"),
            node("Identity", "go", "on"),
        ],
        [info("i", "i64", ()), info("go", "i1", ()), info("a", shape=())],
        [info("on", "i1", ()), info("b", shape=())],
    )
    inputs = [info("c", "i1", ()), info("x", shape=(2, "k"))]
    inputs += [info("w", shape=("a", 3)), info("v", shape=("b", 3))]
    given = [constant("two", np.int64(2)), constant("zero", np.float32(0))]
    proto = model(node("Loop", "two _ zero", "r", body=body), inputs, 16, initializers=given)
    found = function(proto)
    x, w, v = numbers(2, 4), numbers(4, 3), numbers(7, 3)
    for c, first, second in ((True, w, v), (False, v, w)):
        wanted = 2 * (x.astype(np.float64) @ w).sum()
        np.testing.assert_allclose(found(np.array(c), x, first, second), wanted, 1e-5, 1e-5)
        with pytest.raises(ArgumentError, match="contracted extents differ"):
            found(np.array(not c), x, first, second)


def test_no_memory_is_short_where_a_branch_is_not_taken() -> None:
    """Extents of the branch that is not taken may be below zero."""
    w = constant("w", numbers(4, 1, 60))
    arms = {
        "then_branch": graph(
            [
                node("Conv", "x w", "a"),
                node("Exp", "a", "e"),
                node("Add", "a e", "s"),
                node("ReduceMax", "s", "m", keepdims=0),
            ],
            (),
            [info("m", shape=None)],
        ),
        "else_branch": graph(
            [
                node("Softmax", "x", "a", axis=-1),
                node("MatMul", "y a", "p"),
                node("ReduceMax", "p", "n", keepdims=0),
            ],
            (),
            [info("n", shape=None)],
        ),
    }
    inputs = [info("c", "i1", ()), info("x", shape=(1, 1, "n")), info("y", shape=(1, 300, 1))]
    proto = model(node("If", "c", "r", **arms), inputs, 16, initializers=[w])
    found, y = function(proto), numbers(1, 300, 1)
    for n in (1, 3, 59, 60, 100):
        x = numbers(1, 1, n)
        for c in (True, False):
            if c and n < 60:
                with pytest.raises(ArgumentError):
                    found(np.array(c), x, y)
                continue
            wanted = expected(proto, np.array(c), x, y)[0]
            np.testing.assert_allclose(found(np.array(c), x, y), wanted, 1e-5, 1e-5)


def test_an_output_whose_rank_a_run_decides() -> None:
    """It is refused in a line, with extents that take long to say by what they depend on."""
    nodes = [*head(2), *squeezed(2, 16), node("Relu", "z", "r")]
    proto = model(nodes, [info("x", shape=(2, 8, "t"))], 16)
    with pytest.raises(UnsupportedError, match="nothing decides the rank") as error:
        function(proto)
    assert len(str(error.value)) < 200


def test_an_input_of_a_body_hides_an_initializer() -> None:
    body = graph(
        [node("Identity", "go", "on"), node("Add", "s one", "t")],
        [info("i", "i64", ()), info("go", "i1", ()), info("s", shape=(2,))],
        [info("on", "i1", ()), info("t", shape=(2,))],
        [constant("one", np.float32(1)), constant("s", np.zeros(2, np.float32))],
    )
    proto = model(
        node("Loop", "n _ x", "y", body=body), [info("n", "i64", ()), info("x", shape=(2,))], 16
    )
    (found,) = interpreted(proto, np.int64(3), np.float32([5, 6]))
    assert found.tolist() == [8, 9]
