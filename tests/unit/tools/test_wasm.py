"""``opc compile --emit wasm``: a module that node runs, with the bits of this processor."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.__main__ import main

GRAPH = """
func.func @main(%x: tensor<5x300xf32>, %n: tensor<5x20xi64>)
    -> (tensor<5x20xf32>, tensor<5x20xi64>) {{
  %w = opc.constant dense<{weights}> : tensor<300x20xf32>
  %p = opc.matmul %x, %w
  %y = opc.tanh %p
  %m = opc.add %n, %n
  func.return %y, %m : tensor<5x20xf32>, tensor<5x20xi64>
}}"""
SCRIPT = """
import { readFile } from "node:fs/promises";
import { load } from "./net.mjs";
const { x, n } = JSON.parse(await readFile("inputs.json"));
const run = await load(readFile("net.wasm"));
const hex = (y) => Buffer.from(y.buffer).toString("hex");
const bits = (inputs) => Object.values(run(inputs)).map(hex);
console.log(JSON.stringify([bits({ x, n: n.map(BigInt) }), bits({ x, n: n.map(BigInt) })]));
try {
  run({ x: [1], n });
} catch (error) {
  console.log(error.message);
}
"""
LACKS = [name for name in ("clang", "wasm-ld", "node") if shutil.which(name) is None]
LIBRARY = Path("/usr/lib/wasm32-wasi/libc.a")
needs = pytest.mark.skipif(
    bool(LACKS) or not LIBRARY.exists(), reason=f"not installed: {LACKS or LIBRARY}"
)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    weights = np.random.default_rng(0).standard_normal((300, 20)).round(3).tolist()
    path = tmp_path / "net.mlir"
    path.write_text(GRAPH.format(weights=weights))
    return path


@needs
@pytest.mark.parametrize("target", ["wasm32", "wasm32-simd"])
@pytest.mark.parametrize("products", ["fused", "rounded"])
def test_bits_in_node(
    graph: Path, target: str, products: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = graph.parent
    words = ["--target", target, "--products", products, "--emit", "wasm", "-o", str(folder)]
    assert main(["compile", str(graph), *words]) == 0, capfd.readouterr().err
    assert {p.name for p in folder.iterdir()} >= {"net.wasm", "net.mjs", "net.d.mts", "net.json"}
    assert not (folder / "net.bin").exists()
    rng = np.random.default_rng(1)
    x = rng.standard_normal((5, 300)).astype(np.float32)
    x[0, :3] = 1e-40, -1e-42, 3e38
    n = rng.integers(-(2**40), 2**40, (5, 20))
    inputs = {"x": x.ravel().tolist(), "n": n.ravel().tolist()}
    (folder / "inputs.json").write_text(json.dumps(inputs))
    (folder / "run.mjs").write_text(SCRIPT)
    done = subprocess.run(
        ["node", "run.mjs"], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    bits, message = done.stdout.splitlines() if done.returncode == 0 else (done.stderr, "")
    wanted = [y.tobytes().hex() for y in opc.compile(graph, products=products)(x, n)]
    assert json.loads(bits) == [wanted, wanted]
    assert message == "x: found 1 elements, expected 1500"


ARGUMENTS = """
func.func @main(%h: tensor<2xf16>, %x: tensor<3xf32>, %n: tensor<2xi64>)
    -> (tensor<2xf16>, tensor<3xf32>, tensor<2xi64>) {
  %a = opc.add %h, %h
  %b = opc.add %x, %x
  %c = opc.add %n, %n
  func.return %a, %b, %c : tensor<2xf16>, tensor<3xf32>, tensor<2xi64>
}"""
TRIED = """
import { readFile } from "node:fs/promises";
import { load } from "./net.mjs";
const run = await load(readFile("net.wasm"));
const good = { h: new Uint16Array([0x3c00, 0x4000]), x: [1, 2, 3], n: [1n, 2n] };
const typed = { x: new Float32Array([1, 2, 3]), n: new BigInt64Array([1n, 2n]) };
const text = (outputs) => Object.values(outputs).map(String).join(" ");
for (const given of [good, { ...good, ...typed }]) console.log(text(run(given)));
const tried = [
  [], [null], ["abc"], [{}], [{ ...good, h: [0x3c00, 0x4000] }],
  [{ ...good, h: new Float32Array(2) }], [{ ...good, h: new Int16Array(2) }],
  [{ ...good, x: "123" }], [{ ...good, x: new Float64Array(3) }], [{ ...good, x: Array(3) }],
  [{ ...good, x: [1, "2", 3] }], [{ ...good, n: [1n, 2] }], [{ ...good, n: [1n] }],
];
for (const given of tried) {
  try {
    console.log(text(run(...given)));
  } catch (error) {
    console.log(error instanceof TypeError ? error.message : error);
  }
}
"""
FOUND = """\
16384,17408 2,4,6 2,4
16384,17408 2,4,6 2,4
found Undefined, expected an object with h, x, n
found Null, expected an object with h, x, n
found String, expected an object with h, x, n
h: found Undefined, expected Uint16Array of float16 bits
h: found Array, expected Uint16Array of float16 bits
h: found Float32Array, expected Uint16Array of float16 bits
h: found Int16Array, expected Uint16Array of float16 bits
x: found String, expected Float32Array or Array of number
x: found Float64Array, expected Float32Array or Array of number
x[0]: found Undefined, expected number
x[1]: found String, expected number
n[1]: found Number, expected bigint
n: found 1 elements, expected 2
"""
DECLARED = """\
export interface Inputs {
  /** The float16 bits of each element. */
  "h": Uint16Array;
  "x": Float32Array | number[];
  "n": BigInt64Array | bigint[];
}
"""


@needs
def test_arguments_of_other_kinds_are_refused(tmp_path: Path) -> None:
    """Values that would be converted to bits, or to numbers, without a word."""
    (tmp_path / "net.mlir").write_text(ARGUMENTS)
    words = ["--target", "wasm32-simd", "--emit", "wasm", "-o", str(tmp_path)]
    assert main(["compile", str(tmp_path / "net.mlir"), *words]) == 0
    assert DECLARED in (tmp_path / "net.d.mts").read_text()
    (tmp_path / "tried.mjs").write_text(TRIED)
    done = subprocess.run(
        ["node", "tried.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == FOUND


HOSTS = {
    "without the instructions": ((), "net.wasm"),
    "that rounds twice": (("--experimental-wasm-relaxed-simd", "--no-enable-fma3"), "net.wasm"),
    "that rounds once": (("--experimental-wasm-relaxed-simd",), "net.relaxed.wasm"),
}
"""What node 20 is told, and the module that it loads: on x86-64 with FMA3."""
FUSED = """
func.func @main(%x: tensor<5x300xf32>, %d: tensor<5x30xf64>)
    -> (tensor<5x20xf32>, tensor<5x7xf64>) {{
  %w = opc.constant dense<{weights}> : tensor<300x20xf32>
  %v = opc.constant dense<{doubles}> : tensor<30x7xf64>
  %p = opc.matmul %x, %w
  %y = opc.matmul %d, %v
  func.return %p, %y : tensor<5x20xf32>, tensor<5x7xf64>
}}"""
LOADED = """
import { readFile } from "node:fs/promises";
import { file, load } from "./net.mjs";
const run = await load(readFile(file));
const outputs = Object.values(run(JSON.parse(await readFile("inputs.json"))));
console.log(JSON.stringify([file, ...outputs.map((y) => Buffer.from(y.buffer).toString("hex"))]));
"""


def with_clang(name: str) -> str:
    """The command of a clang for WebAssembly."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    return f"{name} --target=wasm32-wasi --sysroot=/usr"


@needs
def test_products_are_fused_where_the_host_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A host loads relaxed multiply-adds if a probe finds them rounded once; bits are the same."""
    rng = np.random.default_rng(1)
    w, v = rng.standard_normal((300, 20)).round(3), rng.standard_normal((30, 7)).round(3)
    path = tmp_path / "net.mlir"
    path.write_text(FUSED.format(weights=w.tolist(), doubles=v.tolist()))
    words = ["--target", "wasm32-simd", "--cc", with_clang("clang-19"), "--emit", "wasm"]
    assert main(["compile", str(path), *words, "-o", str(tmp_path)]) == 0, capsys.readouterr().err
    x, d = rng.standard_normal((5, 300)).astype(np.float32), rng.standard_normal((5, 30))
    x[0, :3] = 1e-40, -1e-42, 3e38
    inputs = {"x": x.ravel().tolist(), "d": d.ravel().tolist()}
    (tmp_path / "inputs.json").write_text(json.dumps(inputs))
    (tmp_path / "loaded.mjs").write_text(LOADED)
    wanted = [y.tobytes().hex() for y in opc.compile(path)(x, d)]
    known = subprocess.run(["node", "--v8-options"], capture_output=True, text=True, check=True)
    for host, (flags, file) in HOSTS.items():
        if not all(flag.replace("--no-", "--") in known.stdout for flag in flags):
            pytest.skip(f"node cannot be a host {host}: {flags}")
        done = subprocess.run(
            ["node", *flags, "loaded.mjs"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{host}: {done.stderr}"
        assert json.loads(done.stdout) == [file, *wanted], host


@needs
@pytest.mark.parametrize("name, products", [("clang-14", "fused"), ("clang-19", "rounded")])
def test_one_module_where_nothing_can_be_fused(
    name: str, products: str, graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """clang 14 encodes a draft of the instructions."""
    words = ["--target", "wasm32-simd", "--cc", with_clang(name), "--products", products]
    command = ["compile", str(graph), *words, "--emit", "wasm", "-o", str(graph.parent)]
    assert main(command) == 0, capsys.readouterr().err
    assert [p.name for p in graph.parent.glob("*.wasm")] == ["net.wasm"]
    assert 'export const file = "net.wasm";' in (graph.parent / "net.mjs").read_text()


@pytest.mark.parametrize(
    "words, message",
    [
        (["--target", "wasm32-simd", "--emit", "wasm"], "extents are unknown: N; fix them with"),
        (["--target", "wasm32", "--emit", "so"], "target wasm32 has no shared libraries"),
        (["--target", "cortex-m4", "--emit", "c,so"], "target cortex-m4 has no shared libraries"),
        (["--target", "cortex-m4", "--cc", "gcc", "--emit", "a"], "is for arm, but"),
        (["--target", "baseline", "--emit", "wasm", "--dim", "N=4"], "use --target wasm32-simd"),
    ],
)
def test_what_is_refused(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = Path(__file__).parents[3] / "examples" / "centre.onnxtxt"
    assert main(["compile", str(graph), *words, "-o", str(tmp_path)]) != 0
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not list(tmp_path.iterdir())


BYTES = """
func.func @main(%x: tensor<9x70x{x}>) -> tensor<9x24xi32> {{
  %w = opc.constant dense<{weights}> : tensor<70x24x{w}>
  %a = opc.cast %x : tensor<9x70x{x}> -> tensor<9x70xi32>
  %b = opc.cast %w : tensor<70x24x{w}> -> tensor<70x24xi32>
  %y = opc.matmul %a, %b
  func.return %y : tensor<9x24xi32>
}}"""
PRODUCT = """
import { readFile } from "node:fs/promises";
import { load } from "./net.mjs";
const run = await load(readFile("net.wasm"));
const [y] = Object.values(run({ x: JSON.parse(await readFile("x.json")) }));
console.log(JSON.stringify(Array.from(y)));
"""
RANGES = {"i8": (-128, 128), "ui8": (0, 256)}


@needs
@pytest.mark.parametrize("x_type", RANGES)
@pytest.mark.parametrize("w_type", RANGES)
def test_products_of_bytes(x_type: str, w_type: str, tmp_path: Path) -> None:
    """Pairs go through ``i32x4.dot_i16x8_s``, lowest and highest values included."""
    rng = np.random.default_rng(1)
    x, w = rng.integers(*RANGES[x_type], (9, 70)), rng.integers(*RANGES[w_type], (70, 24))
    x[0], x[1] = RANGES[x_type][0], RANGES[x_type][1] - 1
    w[:, 0], w[:, 1] = RANGES[w_type][0], RANGES[w_type][1] - 1
    text = BYTES.format(x=x_type, w=w_type, weights=w.tolist())
    (tmp_path / "net.mlir").write_text(text)
    words = ["--target", "wasm32-simd", "--emit", "wasm,asm", "-o", str(tmp_path)]
    assert main(["compile", str(tmp_path / "net.mlir"), *words]) == 0
    assert "i32x4.dot_i16x8_s" in (tmp_path / "net.s").read_text()
    (tmp_path / "x.json").write_text(json.dumps(x.reshape(-1).tolist()))
    (tmp_path / "product.mjs").write_text(PRODUCT)
    done = subprocess.run(
        ["node", "product.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == (x @ w).reshape(-1).tolist()
