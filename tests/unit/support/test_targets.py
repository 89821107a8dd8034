"""The targets by name: what the C for each is like, and who may call it."""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.api.driver import lower
from opc.errors import UsageError
from opc.runtime import processor
from opc.runtime.toolchain import command_of
from opc.schedule import plan_contraction
from opc.support import targets
from opc.support.targets import NAMED, target

SMALL = [name for name, named in NAMED.items() if named.machine and not named.machine.has_vectors]
CENTRE = Path(__file__).parents[3] / "examples" / "centre.mlir"


def graph(rows: int, inside: int, columns: int, signed: bool = False) -> str:
    """Bytes times constant bytes, on the right or, if there is one row, as one needs them."""
    weights = np.random.default_rng(3).integers(-127, 128, (inside, columns)).tolist()
    kind = "i8" if signed else "ui8"
    return f"""
func.func @main(%x: tensor<{rows}x{inside}x{kind}>) -> tensor<{rows}x{columns}xi32> {{
  %q = opc.constant dense<{weights}> : tensor<{inside}x{columns}xi8>
  %a = opc.cast %x : tensor<{rows}x{inside}x{kind}> -> tensor<{rows}x{inside}xi32>
  %b = opc.cast %q : tensor<{inside}x{columns}xi8> -> tensor<{inside}x{columns}xi32>
  %r = opc.matmul %a, %b
  func.return %r : tensor<{rows}x{columns}xi32>
}}"""


def test_small_targets_are_those_without_vectors() -> None:
    assert SMALL == ["cortex-m0", "cortex-m4", "cortex-m7", "riscv64", "wasm32"]
    assert target("neon") is target("aarch64")
    assert target("unknown") is target("baseline")


@pytest.mark.parametrize(("model", "loads"), [("106", 1), ("143", 2)])
def test_loads_of_a_processor_are_those_measured(
    model: str, loads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = {
        "flags": "avx512f avx512bw avx512dq avx512vl",
        "vendor_id": "GenuineIntel",
        "cpu family": "6",
        "model": model,
    }
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(targets, "_processor_line", lambda name: lines[name])
    targets._native.cache_clear()
    machine = target("native")
    targets._native.cache_clear()
    assert (machine.starts, machine.load_starts) == (2, loads)


@pytest.mark.parametrize(
    ("machine", "flags", "looks"),
    [
        ("x86_64", "avx512f avx512bw avx512dq avx512vl avx512_vnni", False),
        ("x86_64", "avx512f avx512bw avx512dq avx512vl avx512_vnni avx512vbmi", True),
        ("x86_64", "avx2 fma", False),
        ("aarch64", "asimd", True),
    ],
)
def test_a_processor_that_looks_bytes_up(
    machine: str, flags: str, looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes little for bytes, whether they are in memory or not, and as long as others else."""
    monkeypatch.setattr(platform, "machine", lambda: machine)
    lines = {"flags": flags, "Features": flags}
    monkeypatch.setattr(targets, "_processor_line", lambda name: lines.get(name, ""))
    targets._native.cache_clear()
    native = target("native")
    targets._native.cache_clear()
    assert native.looks_bytes_up == looks
    assert (native.looked_up(1, True) < native.looked_up(4, True)) == looks
    assert (native.looked_up(1, True) == native.looked_up(1, False)) == looks
    assert native.looked_up(4, True) < native.looked_up(4, False)


def test_targets_that_look_bytes_up() -> None:
    looking = [name for name, n in NAMED.items() if n.machine and n.machine.looks_bytes_up]
    assert looking == ["amx", "aarch64", "neon-dotprod", "neon"]


@pytest.mark.parametrize(("name", "counts"), [("cortex-m4", False), ("avx2", True)])
def test_costs_of_caches_count_where_there_are_some(
    name: str, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine with one level of memory no schedule waits for another one."""
    calls: list[object] = []
    monkeypatch.setattr(plan_contraction.Costs, "cycles", lambda *_: calls.append(1) or 1.0)
    monkeypatch.setattr(plan_contraction.Costs, "alone", lambda *_: 1.0)
    lower(products("f32"), target=name, cache=None)
    assert bool(calls) == counts


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("signed", [False, True])
def test_weights_of_8_bits_take_a_byte(name: str, signed: bool) -> None:
    weights = lower(graph(12, 96, 64, signed), target=name, cache=None).weights
    assert weights is not None and weights.nbytes <= 96 * 64 * 1.1


@pytest.mark.parametrize("name", ["baseline", "native"])
@pytest.mark.parametrize("shape", [(12, 96, 64), (1, 33, 70), (7, 40, 2)])
@pytest.mark.parametrize("signed", [False, True])
def test_products_of_bytes(name: str, shape: tuple[int, int, int], signed: bool) -> None:
    rows, inside, columns = shape
    x = np.random.default_rng(4).integers(0, 256, (rows, inside)).astype("u1")
    x = x.view("i1") if signed else x
    w = np.random.default_rng(3).integers(-127, 128, (inside, columns))
    f = opc.compile(graph(*shape, signed), target=name)
    np.testing.assert_array_equal(f(x), x.astype("i4") @ w.astype("i4"))


def products(type: str) -> str:
    """Products of few rows or columns with constants, and with values from either side."""
    sizes = [(rows, columns) for rows in (1, 2, 4) for columns in (1, 3, 5)]
    lines, results = list[str](), list[str]()
    for rows, columns in sizes:
        name, left, right = f"{rows}_{columns}", f"{rows}x20x{type}", f"{columns}x20x{type}"
        turned = f"tensor<20x{columns}x{type}>"
        lines += [
            f"  %x{name} = opc.slice %x {{starts = [0, 0], stops = [{rows}, 20], steps = [1, 1]}}"
            f" : tensor<4x20x{type}> -> tensor<{left}>",
            f"  %w{name} = opc.constant dense<0.5> : {turned}",
            f"  %p{name} = opc.matmul %x{name}, %w{name}",
            f"  %y{name} = opc.slice %y {{starts = [0, 0], stops = [{columns}, 20],"
            f" steps = [1, 1]}} : tensor<5x20x{type}> -> tensor<{right}>",
            f"  %t{name} = opc.transpose %y{name} {{permutation = [1, 0]}}"
            f" : tensor<{right}> -> {turned}",
            f"  %q{name} = opc.matmul %x{name}, %t{name}",
        ]
        results += [f"%p{name}", f"%q{name}"]
    types = ", ".join(f"tensor<{rows}x{columns}x{type}>" for rows, columns in sizes for _ in "pq")
    head = f"func.func @main(%x: tensor<4x20x{type}>, %y: tensor<5x20x{type}>) -> ({types}) {{"
    return "\n".join([head, *lines, f"  func.return {', '.join(results)} : {types}", "}"])


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("name", [name for name, named in NAMED.items() if named.machine])
def test_products_of_few_rows_have_a_plan(name: str, type: str) -> None:
    """A square of one value was transposed where vectors have one lane, which no check allows."""
    assert "main_run" in lower(products(type), target=name, cache=None).c_source


def test_sums_of_small_targets_are_unrolled() -> None:
    text = lower(graph(12, 96, 64), target="cortex-m4", cache=None).c_source
    assert text.count("OPC_UNROLL\n") >= 2 and "__smlad" in text
    assert "OPC_UNROLL\n" not in lower(CENTRE, target="cortex-m4", cache=None).c_source


def test_calls_need_the_processor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if processor.machine() != "x86_64":
        pytest.skip("the target is for x86-64")
    monkeypatch.setattr(processor, "features", lambda: frozenset({"sse2"}))
    f = opc.compile(CENTRE, target="avx2")
    x = np.zeros((2, 1024), np.float32)
    message = (
        r"main\(\) is compiled for target avx2, which needs of the processor what .*: abm, avx"
    )
    for call in (lambda: f(x), lambda: f(x=x), lambda: f.arrays(x), lambda: f.bind(x)()):
        with pytest.raises(UsageError, match=message.replace("main", f.interface.function)):
            call()
    f.save(tmp_path, name="centre")  # for another machine


def test_the_usual_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    assert command_of("cortex-m4", None) == "arm-none-eabi-gcc"
    assert command_of("cortex-m4", "my-gcc") == "my-gcc"
    assert command_of("avx2", None) is None
    monkeypatch.setenv("CC", "clang")
    assert command_of("cortex-m4", None) is None
