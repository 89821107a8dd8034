"""``opc.function``: versions for what calls give, defaults, and what a traced function has."""

# Annotations are input types here, which ruff reads as expressions.

import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Annotated, Any

import ml_dtypes
import numpy as np
import pytest

import opc
import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.element import ML_DTYPES
from opc.dialects.shape import Requirement
from opc.errors import ArgumentError, DTypeError, InputError, UnsupportedError, UsageError
from opc.frontend.python.extent import Meetings
from opc.frontend.python.spec import Spec
from tests.unit.common import ROOT

pytestmark = [pytest.mark.level("-O0"), pytest.mark.sample(2)]

Array = np.ndarray[Any, np.dtype[Any]]


def sample(*shape: int, dtype: Any = np.float32) -> Array:
    return np.random.default_rng(sum(shape)).normal(0, 3, shape).astype(dtype)


def shapes(function: Any) -> list[list[str]]:
    """What the versions of a function take."""
    return [[str(Spec(s.dtype, s.shape)) for s in v.inputs] for v in function.versions]


def centre(x: Any) -> Any:
    return x - x.mean(axis=-1, keepdims=True)


def test_one_version_takes_every_length() -> None:
    f = opc.function(centre)
    for n in range(2, 42):
        x = sample(3, n)
        np.testing.assert_allclose(f(x), centre(x), atol=1e-5)
    assert shapes(f) == [["float32[x_0, x_1]"]]
    assert f(sample(0, 5)).shape == (0, 5)
    assert len(f.versions) == 1


def test_versions_differ_in_type_rank_and_extents_of_one() -> None:
    f = opc.function(centre)
    cases = [sample(4, 3), sample(4, 3, dtype=np.float64), sample(5), sample(1, 3), sample(4, 1)]
    for x in cases + [c.copy() for c in cases] + [np.zeros((9, 8), ">f4"), sample(1, 7)]:
        np.testing.assert_allclose(f(x), centre(x), atol=1e-5)
    assert sorted(shapes(f)) == [
        ["float32[1, x_1]"],
        ["float32[x_0, 1]"],
        ["float32[x_0, x_1]"],
        ["float32[x_0]"],
        ["float64[x_0, x_1]"],
    ]


def test_python_scalars_are_weak() -> None:
    f = opc.function(lambda x, k: x * k)
    x = sample(3)
    assert f(x, 2.0).dtype == np.float32
    assert f(x, k=3.0).dtype == np.float32
    assert len(f.versions) == 1
    assert f(x, np.float64(2)).dtype == np.float64
    assert f(x.astype(np.int8), 2).dtype == np.int8
    assert f([1.0, 2.0], 2).dtype == np.float64
    assert len(f.versions) == 4


MEETINGS: list[tuple[Callable[..., Any], list[tuple[int, ...]], list[str]]] = [
    (lambda x, y: x + y, [(4, 5), (4, 5)], ["[x_0, x_1]", "[x_0, x_1]"]),
    (lambda x, y: x + y, [(4, 5), (5,)], ["[x_0, x_1]", "[x_1]"]),
    (lambda x, y: x + y, [(4, 5), (1, 5)], ["[x_0, x_1]", "[1, x_1]"]),
    (lambda x, y: x + y, [(1, 5), (4, 1)], ["[1, x_1]", "[y_0, 1]"]),
    (lambda x, y: x @ y, [(4, 5), (5, 6)], ["[x_0, x_1]", "[x_1, y_1]"]),
    (lambda x, y: x @ y, [(2, 4, 5), (2, 5, 4)], ["[x_0, x_1, x_2]", "[x_0, x_2, y_2]"]),
    (lambda x, y: x @ x.T + y, [(4, 5), (4, 4)], ["[x_0, x_1]", "[x_0, x_0]"]),
    (lambda x, y: x + np.ones(5, np.float32) + y, [(4, 5), (4, 5)], ["[x_0, 5]", "[x_0, 5]"]),
    (lambda x, y: x.sum(0) + y.sum(0), [(2, 5), (3, 5)], ["[x_0, x_1]", "[y_0, x_1]"]),
    (
        lambda x, y: np.where(x.reshape(-1) > 0, y, -y),
        [(2, 3), (6,)],
        ["[x_0, x_1]", "[y_0]"],
    ),
]


@pytest.mark.parametrize(("fn", "given", "expected"), MEETINGS, ids=range(len(MEETINGS)))
def test_extents_that_meet_are_one_symbol(
    fn: Callable[..., Any], given: list[tuple[int, ...]], expected: list[str]
) -> None:
    arrays = [sample(*shape) for shape in given]
    f = opc.function(fn)
    np.testing.assert_allclose(f(*arrays), fn(*arrays), rtol=1e-4)
    assert [text.removeprefix("float32") for text in shapes(f)[0]] == expected


def test_numbers_that_must_be_equal_are_refused_when_tracing() -> None:
    def fn(x: Any) -> Any:
        return x + np.ones(5, np.float32), x + np.ones(4, np.float32)

    with pytest.raises(InputError, match=r"opc.add: .* extents 5 and 4 differ"):
        opc.function(fn)(sample(5))


def test_extents_that_differ_are_refused_by_the_call() -> None:
    f = opc.function(lambda x, y: x + y)
    f(sample(3), sample(3))
    with pytest.raises(ArgumentError, match=r"input 'y' axis 0: found 4, expected 3 \(x_0"):
        f(sample(3), sample(4))
    assert len(f.versions) == 1


def test_it_is_known_which_extents_are_one() -> None:
    def fn(x: Any) -> Any:
        return x.squeeze() if x.shape[0] == 1 else x.sum(axis=0)

    f = opc.function(fn)
    for x in (sample(1, 4), sample(3, 4), sample(1, 4)):
        np.testing.assert_allclose(f(x), fn(x), rtol=1e-6)
    with pytest.raises(InputError, match=r"axis 0 of .* cannot be squeezed"):
        opc.function(lambda x: x.squeeze(0))(sample(3, 4))


def test_specialize_compiles_for_each_shape() -> None:
    def fn(x: Any) -> Any:
        return sum(x.sum() * k for k in range(x.shape[0]))

    with pytest.raises(UnsupportedError, match="specialize=True"):
        opc.function(fn)(sample(3))
    f = opc.function(fn, specialize=True)
    for n in (3, 4, 3):
        np.testing.assert_allclose(f(sample(n)), fn(sample(n)), rtol=1e-5)
    assert shapes(f) == [["float32[4]"], ["float32[3]"]]
    with pytest.raises(UsageError, match="nothing to specialize"):
        opc.function(fn, "f32[N]", specialize=True)


def test_versions_that_were_used_last_are_kept() -> None:
    f = opc.function(lambda x: x * 2, specialize=True, max_versions=2)
    for n in (2, 3, 2, 4):
        f(sample(n))
    assert shapes(f) == [["float32[2]"], ["float32[4]"]]
    again = f.bind(sample(2))
    f(sample(5)), f(sample(6))
    assert shapes(f) == [["float32[5]"], ["float32[6]"]]
    np.testing.assert_array_equal(again(), sample(2) * 2)  # what was dropped is still usable
    for wrong in (0, 2.0, True):
        with pytest.raises(UsageError, match="max_versions"):
            opc.function(lambda x: x, max_versions=wrong)


def test_what_a_compiled_function_has() -> None:
    f = opc.function(centre)
    for name in ("c_source", "inputs", "outputs", "header", "library", "interface", "threads"):
        with pytest.raises(UsageError, match=r"centre\(\): the types of x are not known before"):
            getattr(f, name)
    assert not hasattr(f, "other") and f.versions == ()
    x = sample(3, 4)
    np.testing.assert_allclose(f.bind(x)(), centre(x), atol=1e-5)
    assert "float *OPC_RESTRICT in0" in f.c_source and "centre_run" in f.header
    assert f.ir("source").count("opc.reduce_mean") == 1
    f(x.astype(np.float64))
    assert "double *OPC_RESTRICT in0" in f.c_source
    f(x)
    assert f.inputs[0].dtype == np.float32 and f.outputs[0].shape == ("x_0", "x_1")
    assert f.interface is f.compiled.interface and f.library.exists() and f.threads == 1


def test_bound_calls_write_to_out() -> None:
    f = opc.function(centre, threads=2)
    x, y = sample(3, 4), np.empty((3, 4), np.float32)
    again = f.bind(x, out=y)
    x += 1
    assert again() is y
    np.testing.assert_allclose(y, centre(x), atol=1e-5)
    assert f(x, out=y) is y and f(x=x, out=y) is y
    with pytest.raises(ArgumentError, match="in place"):
        f.bind(x.T)


def test_a_typed_function_is_compiled_once_and_lazily() -> None:
    @opc.function(threads=2)
    def rows(x: Annotated[Array, "f32[N, 3]"]) -> Any:
        """Rows without their means."""
        return x - x.mean(axis=1, keepdims=True)

    assert rows.versions == ()
    assert rows.__name__ == "rows" and "Rows" in (rows.__doc__ or "")
    for n in (1, 2, 1):
        np.testing.assert_allclose(rows(sample(n, 3)), centre(sample(n, 3)), atol=1e-5)
    np.testing.assert_array_equal(rows(x=sample(2, 3)), rows(sample(2, 3)))
    assert len(rows.versions) == 1 and rows.inputs[0].shape == ("N", 3) and rows.threads == 2
    fresh = opc.function(centre, "f32[N, 3]")
    assert "centre_run" in fresh.c_source


def test_defaults_can_be_overridden() -> None:
    def fn(x: Any, scale: Any = 2.0, *, add: Any = None) -> Any:
        return x * scale if add is None else x * scale + add

    x = sample(3)
    for f in (opc.function(fn), opc.function(fn, "f32[N]")):
        for _ in range(2):
            np.testing.assert_array_equal(f(x), x * 2)
            np.testing.assert_array_equal(f(x, 3.0), x * 3)
            np.testing.assert_array_equal(f(x, scale=3.0), x * 3)
            np.testing.assert_array_equal(f(scale=3.0, x=x), x * 3)
            np.testing.assert_array_equal(f(x, add=np.float32([1, 2, 3])), x * 2 + [1, 2, 3])
            np.testing.assert_array_equal(f.bind(x, 3.0)(), x * 3)
        assert len(f.versions) == 3
        with pytest.raises(ArgumentError, match="found 4 arguments, expected 3"):
            f(x, 1.0, None, None)  # pyright: ignore
        with pytest.raises(ArgumentError, match="scale: dict cannot be given"):
            f(x, {"a": 1})


def test_constants_that_are_only_equal_are_told_apart() -> None:
    f = opc.function(lambda x, k=0: x * k)
    x = np.arange(3, dtype=np.int32)
    assert [f(x, k).dtype.name for k in (1, 1.0, True)] == ["int32", "float64", "int32"]
    y = np.ones(1, np.float32)
    assert [np.signbit(f(y, k)).item() for k in (0.0, -0.0, 0.0)] == [False, True, False]
    changing = np.ones(1, np.float32)
    assert f(y, changing) == 1
    changing += 1
    assert f(y, changing) == 2
    before = len(f.versions)
    f(y, float("nan")), f(y, float("nan")), f(y, (1.0,)), f(y, (1.0,))
    assert len(f.versions) == before + 2


def test_typed_parameters_may_have_defaults() -> None:
    def fn(x: Annotated[Array, "f32[N]"], k: Annotated[float, "f32"] = 2.0, y: Any = None) -> Any:
        return x * k

    f = opc.function(fn)
    np.testing.assert_array_equal(f(sample(3)), sample(3) * 2)
    np.testing.assert_array_equal(f(sample(3), 4.0), sample(3) * 4)
    assert len(f.versions) == 1


def test_arguments_that_do_not_fit() -> None:
    f = opc.function(lambda x, k: x * k)
    x = sample(3)
    for args, named, error, message in [
        ((x, 1.0, 2.0), {}, ArgumentError, r"main\(x, k\): found 3 arguments, expected 2"),
        ((x,), {}, ArgumentError, "k missing"),
        ((x, 1.0), {"z": 2}, ArgumentError, "no parameter z"),
        ((x, 1.0), {"x": x}, ArgumentError, "x given twice"),
        ((x, 1j), {}, DTypeError, "input 'k': .*complex"),
        ((x, "a"), {}, DTypeError, "input 'k'"),
        ((x, [[1], [2, 3]]), {}, ArgumentError, "input 'k': list cannot be read"),
    ]:
        with pytest.raises(error, match=message):
            f(*args, **named)
    assert f.versions == ()


def test_functions_compose() -> None:
    @opc.function
    def scaled(x: Annotated[Array, "f32[N]"], by: float = 2.0) -> Any:
        return x * by

    @opc.function
    def outer(x: Annotated[Array, "f32[M]"]) -> Any:
        return scaled(x) + scaled(x, 10.0) + 1

    np.testing.assert_array_equal(outer(np.ones(3, np.float32)), np.full(3, 13))
    assert scaled.versions == ()
    with pytest.raises(InputError, match=r"input x is <f64\[3\]>, expected f32\[N\]"):
        opc.trace(lambda x: scaled(x), ["f64[3]"])
    with pytest.raises(UsageError, match="an extent is no array"):
        opc.trace(lambda x: opc.function(centre)(x.shape[0]), ["f64[N]"])


def test_threads_compile_a_version_once() -> None:
    traced: list[int] = []

    def fn(x: Any) -> Any:
        traced.append(1)
        return x + 1

    f = opc.function(fn)
    found: list[Array] = []
    workers = [threading.Thread(target=lambda: found.append(f(sample(4)))) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert len(found) == 4 and traced == [1]


def test_options_are_those_of_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    fake = SimpleNamespace(compile=lambda _, **options: given.append(options) or (lambda *a: 7))
    monkeypatch.setitem(sys.modules, "opc.api.driver", fake)
    f = opc.function(centre, "f32[N, 3]", threads=2, target="avx2")
    assert f(sample(2, 3)) == 7 and f(sample(2, 3)) == 7
    assert given == [{"threads": 2, "target": "avx2"}]


def test_lower_takes_what_compile_takes() -> None:
    path = ROOT / "examples/centre.mlir"
    text = opc.lower(path).c_source
    assert "centre_run" in text
    assert opc.lower(str(path), prefix="other").header.count("int other_run(") == 1
    assert opc.lower(path.read_text(encoding="utf-8")).c_source == text
    assert opc.lower(opc.trace(centre, ["f32[N, 3]"])).interface.dims == ("N",)
    with pytest.raises(UsageError, match="unknown option prefx"):
        opc.lower(path, prefx="other")


def need(relation: str, left: ex.Expr, right: ex.Expr) -> Requirement:
    return Requirement(relation, left, right, "")


def test_meetings() -> None:
    x, y, z = map(ex.sym, "xyz")
    seen = Meetings(["x", "y"])
    seen.see([need("broadcast", x, z), need("divides", x, y)])
    assert not seen.found()
    seen.see([need("broadcast", y, x)])
    assert {name: str(e) for name, e in seen.found().items()} == {"y": "x"}
    assert seen.is_one(x) is False and seen.is_one(z) is None and seen.is_one(x * y) is None


def test_small_floats_are_converted_and_not_computed_with() -> None:
    @opc.function
    def widened(x: Annotated[np.ndarray, "f8E4M3FN[N]"]) -> np.ndarray:
        return x.astype(np.float32)

    @opc.function
    def narrowed(x: Annotated[np.ndarray, "f32[N]"]) -> np.ndarray:
        return x.astype("f8E4M3FN")

    @opc.function
    def added(x: Annotated[np.ndarray, "f8E4M3FN[N]"]) -> np.ndarray:
        return x + 1

    x = np.float32([1, 2.5])
    small = narrowed(x)
    assert small.dtype.name == "float8_e4m3fn" and widened(small).tolist() == [1, 2.5]
    with pytest.raises(InputError, match=r"opc\.add: element type f8E4M3FN is not one of"):
        added(small)


SMALL_FLOATS = [name for name in ML_DTYPES.values() if name.startswith("float8")]


@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_untyped_functions_take_small_floats(name: str) -> None:
    f = opc.function(lambda x: (x.astype("float32"), x))
    x = np.float32([0.5, 1, 2, 4]).astype(getattr(ml_dtypes, name))
    wide, same = f(x)
    assert wide.tolist() == [0.5, 1, 2, 4] and same.dtype == x.dtype
    assert same.tobytes() == x.tobytes()


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2"])
def test_untyped_functions_take_small_floats_of_torch(name: str) -> None:
    torch = pytest.importorskip("torch")
    x = torch.tensor([0.5, 1, 2]).to(getattr(torch, name))
    assert opc.function(lambda x: x.astype("float32"))(x).tolist() == [0.5, 1, 2]


WITHOUT_ARITHMETIC: list[Callable[[Any], Any]] = [
    *(onp.floor, onp.round, abs, onp.exp, onp.sum, onp.prod, onp.mean, onp.var, onp.max),
    *(onp.square, onp.softmax, onp.isfinite, lambda x: x / 2, lambda x: x // 2, lambda x: x == x),
]


@pytest.mark.parametrize("fn", WITHOUT_ARITHMETIC)
def test_nothing_is_computed_in_small_floats(fn: Callable[[Any], Any]) -> None:
    """Values are neither truncated to integers nor left as they are."""
    with pytest.raises(InputError, match="element type f8E5M2 is not one of"):
        opc.function(lambda x: fn(x))(np.float32([1.5]).astype(ml_dtypes.float8_e5m2))


INDICES = [
    lambda x: x[1:],
    lambda x: x[-1],
    lambda x: x[::-2, None, 1],
    lambda x: x[..., 1:-1],
    lambda x: x[0, 2],
    lambda x: x[3:1, ::3],
    lambda x: x[None, ..., -2],
    lambda x: x[x.shape[0] - 2 :, : x.shape[1] - 1],
    lambda x: x[: x.shape[0] // 2],
    lambda x: np.concatenate([x[2:], x, x[:1]]),
    lambda x: np.concatenate([x, x[:, :1]], axis=-1),
    lambda x: np.concatenate([x, x[1:]], axis=None),
    lambda x: np.stack([x[0], x[1], x[-1]], axis=-1),
]


@pytest.mark.parametrize("chosen", range(len(INDICES)))
@pytest.mark.parametrize("type", ["f32[5, 4]", "f32[N, M]", "f32[N, 4]"])
def test_parts_of_arrays_are_those_of_numpy(chosen: int, type: str) -> None:
    x = np.arange(20, dtype=np.float32).reshape(5, 4)

    def part(x):  # type: ignore[no-untyped-def]
        return INDICES[chosen](x)

    part.__annotations__ = {"x": type}
    found = opc.function(part)(x)
    assert np.array_equal(found, INDICES[chosen](x))


def test_an_index_outside_is_an_error_when_it_runs() -> None:
    @opc.function
    def third(x):  # type: ignore[no-untyped-def]
        return x[2] + x[-3]

    assert third(np.float32([1, 2, 3, 4])).item() == 5
    with pytest.raises(opc.OpcError, match="index 2 is outside axis 0"):
        third(np.float32([1, 2]))
