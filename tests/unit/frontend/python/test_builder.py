"""Tracing: input types, names, locations, errors."""

# Annotations are input types here, which ruff reads as expressions.
# ruff: noqa: F722, F821

import inspect
import re
from typing import Annotated, Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import opc.numpy as onp
from opc.dialects.opc.base import OpcOp
from opc.errors import InputError, UnsupportedError, UsageError
from opc.frontend.python.builder import trace
from opc.frontend.python.spec import spec
from opc.interpret.graph import evaluate
from opc.support.locations import location_of


def graph(fn: Any, *specs: str) -> FuncOp:
    module = trace(fn, specs or None)
    module.verify()
    return next(op for op in module.ops if isinstance(op, FuncOp))


def sample(*shape: int) -> np.ndarray:
    return np.random.default_rng(7).normal(0, 3, shape).astype(np.float32)


def test_constants_are_shared_and_unused_operators_dropped() -> None:
    def fn(x: Any) -> Any:
        _ = x * 17
        return x + 2 - 2 + 2

    names = [op.name for op in graph(fn, "f32[3]").body.block.ops]
    assert names == ["opc.constant", "opc.add", "opc.sub", "opc.add", "func.return"]


def test_symbols() -> None:
    def fn(x: "f32[N, 4]", y: "f32[N, ?]", n: "f32[?, ?]") -> Any:
        assert str(x.shape[0]) == "N" and x.shape[1] == 4 and x.shape[0] == y.shape[0]
        assert str(x.size) == "N*4"
        assert str(y.shape[1]) == "y_1"
        scaled = x / np.sqrt(x.shape[0]) + x.shape[0] * 2 // 2
        return scaled, x.sum(0) / x.shape[0], x.reshape(x.shape[0] * 2, -1), x.var(axis=0), n

    x, y, n = sample(3, 4), sample(3, 2), sample(1, 1)
    func = graph(fn)
    assert "#opc.dims<N, 4>" in str(func) and "#opc.dims<n_0, n_1>" in str(func)
    scaled, mean, reshaped, var, _ = evaluate(func, [x, y, n])
    np.testing.assert_allclose(scaled, x / np.sqrt(3) + 3)
    assert scaled.dtype == np.float64
    assert mean.dtype == np.float32
    np.testing.assert_allclose(mean, x.mean(0), rtol=1e-6)
    assert reshaped.shape == (6, 2)
    np.testing.assert_allclose(var, x.var(0), rtol=1e-5)


def test_arithmetic_of_extents_is_weak() -> None:
    def fn(x: "f16[N]") -> Any:
        n = x.shape[0]
        return x / n**0.5, x * (n / 2), x + (1 - n), onp.asarray(x.size)

    x = np.array([1, 2, 4, 8], np.float16)
    root, half, shifted, size = evaluate(graph(fn), [x])
    assert (root.dtype, half.dtype, shifted.dtype) == (np.float16,) * 3
    np.testing.assert_array_equal(root, x / 2)
    np.testing.assert_array_equal(shifted, x - 3)
    np.testing.assert_array_equal(half, x * 2)
    assert size == 4 and size.dtype == np.int64


def test_names_of_inputs_and_results() -> None:
    def fn(x_1: "f32[2]", ä: "f32[2]", *, k: "f32[2]") -> Any:
        return {"sum": x_1 + ä, "k": k * 1.0}

    func = graph(fn)
    assert func.sym_name.data == "fn"
    assert func.arg_attrs is not None and func.res_attrs is not None
    names = [d.data["opc.name"].data for d in func.arg_attrs if d.data]  # pyright: ignore
    assert names == ["x_1", "ä"]
    assert [d.data["opc.name"].data for d in func.res_attrs] == ["sum", "k"]  # pyright: ignore
    assert graph(lambda x: x * 2, "f32").sym_name.data == "main"


def test_operators_and_errors_know_their_line() -> None:
    def fn(x: Any) -> Any:
        return np.exp(x) + x.mean()

    line = inspect.getsourcelines(fn)[1] + 1
    for op in graph(fn, "f32[3]").body.block.ops:
        if isinstance(op, OpcOp):
            assert location_of(op).startswith(f"{__file__}:{line}:")
    with pytest.raises(InputError, match="extents 3 and 4 differ") as caught:
        trace(lambda x, y: x + y, ["f32[3]", "f32[4]"])
    assert caught.value.location.startswith(f"{__file__}:")
    assert "opc.add" in str(caught.value)


CANNOT = [
    (lambda x: x if x.sum() > 0 else -x, UnsupportedError, "truth of <i1>"),
    (lambda x: [v for v in x], UnsupportedError, "iterating"),
    (lambda x: x * float(x.max()), UnsupportedError, "float"),
    (lambda x: np.asarray(x) + 1, UnsupportedError, "converting"),
    (lambda x: x[0, [1, 2]], UnsupportedError, "what can be traced are"),
    (lambda x: x[x], UnsupportedError, "what can be traced are"),
    (lambda x: x[:, ::0], InputError, "the step is 0"),
    (lambda x: x[-3], InputError, "index -3 is outside axis 0 of <f32[2, 3]>"),
    (lambda x: x[5], InputError, "index 5 is outside axis 0 of <f32[2, 3]>"),
    (lambda x: x[0, 0, 0], InputError, "has no index (0, 0, 0)"),
    (lambda x: x[..., ...], InputError, "has no index"),
    (lambda x: np.concatenate([x, x.T]), InputError, "extents of arrays differ: 3 and 2"),
    (lambda x: onp.concatenate([x, x[None]], -1), InputError, "differ in rank"),
    (lambda x: onp.concatenate([x, x.sum(1, keepdims=True)], 0), InputError, "extents of arrays"),
    (lambda x: onp.concatenate([x.sum(), x.sum()]), InputError, "no axes; use stack"),
    (lambda x: onp.concatenate([]), InputError, "at least one"),
    (lambda x: np.stack([x, x.T]), InputError, "stack: extents of arrays differ: 2 and 3"),
    (lambda x: onp.stack([x, x], 3), InputError, "axis 3 is outside"),
    (lambda x: onp.array([x, x]), InputError, "use opc.numpy.stack"),
    (lambda x: onp.sort(x), UnsupportedError, "numpy.sort cannot be traced: there is no opera"),
    (lambda x: np.sort(x), UnsupportedError, "numpy.sort cannot be traced"),
    (lambda x: onp.median(x), UnsupportedError, "opc.numpy.__all__"),
    (lambda x: onp.arctan2(x, x), UnsupportedError, "near to it are arctan"),
    (lambda x: onp.linalg.norm(x), UnsupportedError, "numpy.linalg"),
    (lambda x: onp.nothing(x), AttributeError, "no attribute 'nothing'"),
    (lambda x: onp.sofmax(x), AttributeError, "no attribute 'sofmax'; near to it are softmax"),
    (lambda x: setattr(x, "shape", (3, 2)), UnsupportedError, "assigning to shape of <f32[2, 3]>"),
    (lambda x: f"{x.sum():.2f}", UnsupportedError, "formatting <f32> as '.2f'"),
    (lambda x: np.repeat(x, [1, 2], 0), UnsupportedError, "one count"),
    (lambda x: onp.arange(x), UnsupportedError, "arange of <f32[2, 3]>"),
    (lambda x: onp.arange(3j), InputError, "complex128"),
    (lambda x: np.einsum("ij,jk", x), InputError, "2 terms for 1 operands"),
    (lambda x: np.einsum("ijk->k", x), InputError, "'ijk' has 3 axes"),
    (lambda x: np.einsum("ij->ik", x), InputError, "'ik' is not an order of the axes"),
    (lambda x: np.einsum("ij->ii", x), InputError, "'ii' is not an order of the axes"),
    (lambda x: np.einsum("i...->i", x), InputError, "the axes of '...'"),
    (lambda x: np.einsum("i1->i", x), InputError, "other labels than letters"),
    (lambda x: np.einsum(x, [0, 1]), UnsupportedError, "as text"),
    (lambda x: np.einsum("ij,ij", x, x.T), InputError, "of axis 'i' differ: 2 and 3"),
    (lambda x: np.tensordot(x, x, 1), InputError, "contracted extents of axis 'b' differ: 3 and 2"),
    (lambda x: np.tensordot(x, x, 3), InputError, "do not share 3 axes"),
    (lambda x: np.tensordot(x, x, ([0], [0, 1])), InputError, "1 axes cannot meet 2"),
    (lambda x: np.linalg.norm(x), UnsupportedError, "norm"),
    (lambda x: np.add.accumulate(x), UnsupportedError, "numpy.add.accumulate cannot be traced"),
    (lambda x: onp.divide.reduce(x), UnsupportedError, "numpy.divide.reduce cannot be traced"),
    (lambda x: np.add.at(x, 0, 1), UnsupportedError, "numpy.add.at cannot be traced"),
    (lambda x: x.item(), UnsupportedError, "numpy.ndarray.item cannot be traced: a symbolic"),
    (lambda x: x.tolist(), UnsupportedError, "numpy.ndarray.tolist cannot be traced"),
    (lambda x: x.sort(), UnsupportedError, "(it has T, all, any, argmax, argmin, astype, clip"),
    (lambda x: x.unsqueeze(0), UnsupportedError, "no such attribute; near to it are squeeze"),
    (lambda x: x._data, AttributeError, "'Array' object has no attribute '_data'"),
    (lambda x: x.__setitem__(0, 1), UnsupportedError, "assigning to elements of <f32[2, 3]>"),
    (lambda x: x.sum().mT, InputError, "axis"),
    (lambda x: x.sum(where=x > 0), UsageError, "sum() got an unexpected keyword argument 'where'"),
    (lambda x: onp.std(x, mean=0), UsageError, "opc.numpy.std() got an unexpected keyword"),
    (lambda x: onp.exp(), UsageError, "opc.numpy.exp() missing 1 required positional argument"),
    (lambda x: np.sum(x, initial=1), UnsupportedError, "initial"),
    (lambda x: np.arctan2(x, x), UnsupportedError, "arctan2"),
    (lambda x: x + 1j, InputError, "complex128"),
    (lambda x: x + "a", InputError, "<U1"),
    (lambda x: x + None, InputError, "NoneType"),
    (lambda x: np.float32(1) * x + [x, x], InputError, "use opc.numpy.stack"),
    (lambda x: x.astype("i8") + 300, InputError, "300 is outside the range of i8"),
    (lambda x: x + 10**400, InputError, "outside the range of f32"),
    (lambda x: x.sum(axis=2), InputError, "axis 2 is outside"),
    (lambda x: x.sum(axis=(0, -2)), InputError, "twice"),
    (lambda x: x.sum(axis="a"), InputError, "'a' is not an axis"),
    (lambda x: x.cumsum(2), InputError, "axis 2 is outside [-2, 1] for rank 2"),
    (lambda x: np.cumprod(x, -3), InputError, "axis -3 is outside [-2, 1] for rank 2"),
    (lambda x: x.cumsum((0, 1)), InputError, "opc.cum_sum: expected one axis, found (0, 1)"),
    (lambda x: x.cumprod(keepdims=True), UsageError, "cumprod() got an unexpected keyword"),
    (lambda x: np.cumsum(x, 0, out=x), UnsupportedError, "numpy.cumsum(out=...)"),
    (lambda x: x.cumsum(0, dtype=bool), InputError, "opc.cum_sum"),
    (lambda x: x.reshape(5, -1), InputError, "do not fill"),
    (lambda x: x.reshape(-1, -1), InputError, "more than one"),
    (lambda x: x.squeeze(0), InputError, "cannot be squeezed"),
    (lambda x: x @ x, InputError, "contracted extents differ"),
    (lambda x: x.astype("f33"), UsageError, "'f33' is not an element type"),
    (lambda x: onp.elu(x, beta=2), UsageError, "alpha"),
    (lambda x: onp.gelu(x, "none?"), UsageError, "approximate"),
    (lambda x: onp.exp(np.ones(3)), UsageError, "no operand is a symbolic"),
    (lambda x: None, UsageError, "must return"),
    (lambda x: (), UsageError, "must return"),
    (lambda x: x.astype(bool) - x.astype(bool), InputError, "opc.sub"),
]


@pytest.mark.parametrize(("fn", "error", "message"), CANNOT, ids=[c[2] for c in CANNOT])
def test_what_cannot_be_traced(fn: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        trace(fn, ["f32[2, 3]"])


# The names that NumPy has, and what is said to be near to them: slips of the pen, no more.
NEAR = {
    **{"pad": "", "sort": "", "sinc": "", "log2": "", "log10": "", "median": "", "nancumsum": ""},
    **{"nansum": "", "flip": "", "choose": "", "exp2": "", "fmax": "", "isneginf": ""},
    **{"arctan2": "arctan, arctanh", "vstack": "stack", "hstack": "stack", "dstack": "stack"},
}


@pytest.mark.parametrize("name", NEAR)
def test_near_names(name: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        getattr(onp, name)
    _, is_named, listed = caught.value.message.partition("; near to it are ")
    assert listed.partition(" (")[0] == NEAR[name] and bool(is_named) == bool(NEAR[name])


def test_arrays_have_what_there_are_functions_for() -> None:
    shared = set(onp.__all__) & {name for name in dir(np.ndarray) if name[0] != "_"}
    with pytest.raises(UnsupportedError, match="no values while the function is traced") as caught:
        trace(lambda x: x.partition(1), ["f32[3]"])
    assert shared <= set(caught.value.message.partition("(it has ")[2].rstrip(")").split(", "))


def test_undecided_extents_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="N == 4 is only known"):
        trace(lambda x: x if x.shape[0] == 4 else -x, ["f32[N]"])
    with pytest.raises(UnsupportedError, match="value of N"):
        trace(lambda x: sum(x * k for k in range(x.shape[0])), ["f32[N]"])


def test_arrays_do_not_outlive_their_trace() -> None:
    kept: list[Any] = []
    trace(lambda x: kept.append(x) or x + 1, ["f32[2]"])
    with pytest.raises(UsageError, match="outside the function"):
        _ = kept[0] + 1
    with pytest.raises(UsageError, match="outside the function"):
        trace(lambda x: x + kept[0], ["f32[2]"])


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("f32[4096, N]", (4096, "N")),
        (" i64 ", ()),
        ("bf16[?]", ("?",)),
        ("i1[]", ()),
        ("float32[2,3]", (2, 3)),
    ],
)
def test_specs(text: str, shape: tuple[Any, ...]) -> None:
    assert spec(text).shape == shape
    assert spec(str(spec(text))) == spec(text)
    assert spec(np.float32, (4, None, np.int64(2))).shape == (4, "?", 2)
    assert spec("f32", "N").shape == ("N",)


@pytest.mark.parametrize(
    "text",
    [
        "f33[4]",
        "f32[",
        "f32[4]]",
        "f32[-1]",
        "f32[4.5]",
        "f32[d0]",
        "f32[bcast]",
        "f32[N*2]",
        "f32[,]",
        "",
        "f32[" + "9" * 5000 + "]",
        "f32[" + "1," * 16 + "1]",
        "c64[3]",
        "f32[2 3]",
    ],
)
def test_bad_specs(text: str) -> None:
    with pytest.raises(UsageError):
        spec(text)


def test_signatures() -> None:
    def constant(x: "f32[3]", scale=2.0, *, k: "f32[3]" = None):
        return x * scale + k

    assert len(graph(constant).body.block.args) == 2
    with pytest.raises(UsageError, match="fixed number"):
        trace(lambda *xs: xs[0], ["f32"])
    with pytest.raises(UsageError, match="types of y are not known"):
        trace(lambda x, y: x + y, ["f32"])
    with pytest.raises(UsageError, match="2 specs given for 1"):
        trace(lambda x: x, ["f32", "f32"])
    with pytest.raises(UsageError, match="parameter x: 'f32\\[4'"):
        exec("def bad(x: 'f32[4'): return x\ntrace(bad)", {"trace": trace})

    def other(x: np.ndarray, y: spec("f32", (2, "N"))):
        return x + y

    assert str(trace(other, {"x": "f32"})) == str(trace(other, ["f32", "f32[2, N]"]))

    def noted(x: Annotated[np.ndarray, "f32[2]"], y: Annotated[Any, spec("f32")]):
        return x + y

    postponed: dict[str, Any] = {"spec": spec}
    exec(
        "from __future__ import annotations\nfrom typing import Any\n"
        "def fn(x: 'f32[2]', y: spec('f32'), z: Any = 0): return x + y",
        postponed,
    )
    for fn in (noted, postponed["fn"]):
        assert [str(a.type) for a in graph(fn).body.block.args] == ["tensor<2xf32>", "tensor<f32>"]
