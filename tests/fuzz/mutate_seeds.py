"""What is mutated: small sound graphs of every format, and the words that occur in them."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import onnx.parser

ROOT = Path(__file__).parents[2]

Files: TypeAlias = "Mapping[str, bytes]"
"""Contents by name; the first one is the graph, the others lie beside it."""

ONNX = (
    """
    <ir_version: 8, opset_import: ["" : 18, "own" : 1]>
    main (float[N, 4, M] x, bool[4, M] c, int64[2] s) => (float[N, 4, M] y, float[a, b] z)
    <float[4, 1] w = {0.5, 1, -2, 1e30}, int64[1] axes = {-1}> {
      m = ReduceMean <keepdims = 1> (x, axes)
      d = Sub (x, m)
      q = own.scaled <factor = 2.5> (d, w)
      k = Constant <value = float[2] {0.5, 2}> ()
      e = Sum (k, k)
      h = Where (c, q, x)
      y = Softmax <axis = -1> (h)
      z = Reshape <allowzero = 0> (h, s)
    }
    <domain: "own", opset_import: ["" : 18]>
    scaled <factor: float> (a, b) => (r) {
      f = Constant <value_float: float = @factor> ()
      t = Mul (a, b)
      u = Erf (t)
      r = Mul (u, f)
    }
    """,
    """
    <ir_version: 4, opset_import: ["" : 7]>
    main (float16[2, 3, 1] x, float16[3, 5] b) => (float16[n, 3, 5] y, int64[2, 3] i)
    <float16[3] v = {1, 2, 3}> {
      e = Add (x, b)
      g = BatchNormalization <epsilon = 0.001> (e, v, v, v, v)
      y = Elu <alpha = 0.5> (g)
      t = Transpose <perm = [2, 0, 1]> (y)
      r = ReduceSum <axes = [0, 2], keepdims = 0> (t)
      f = Cast <to = 1> (r)
      i = ArgMax <axis = 0, keepdims = 0> (t)
    }
    """,
    """
    <ir_version: 9, opset_import: ["" : 21]>
    main (float[B, T] x) => (float[B, u, v] y, float[B] l)
    <float[2] s = {1, 0.5}> {
      shape = Shape (x)
      two = Constant <value_int = 2> ()
      z = Constant <value_ints = [0]> ()
      n = Gather <axis = 0> (shape, z)
      one = Constant <value_ints = [1]> ()
      rest = Constant <value_ints = [-1]> ()
      to = Concat <axis = 0> (n, one, rest)
      r = Reshape (x, to)
      p = Pow (r, r)
      y = LayerNormalization <axis = -1, epsilon = 1e-5> (p, s)
      l = ReduceLogSumExp <keepdims = 0> (x, one)
    }
    """,
)


@functools.cache
def seeds() -> dict[str, Files]:
    """Every seed by a name."""
    found: dict[str, Files] = {}
    for path in sorted((ROOT / "tests" / "lit").rglob("*.mlir")):
        for k, piece in enumerate(_pieces(path)):
            found[f"{path.parent.name}/{path.stem}.{k}"] = {"g.mlir": piece.encode()}
    for path in sorted((ROOT / "examples").glob("*.mlir")):
        found[f"examples/{path.name}"] = {"g.mlir": path.read_bytes()}
    return found | _models() | _networks()


def _pieces(path: Path) -> list[str]:
    """The functions of a test, without its comments; long ones take too much time."""
    text = re.sub(r"^\s*//(?! -----).*\n", "", path.read_text(), flags=re.M)
    pieces = (piece.strip() + "\n" for piece in text.split("// -----"))
    return [piece for piece in pieces if 40 < len(piece) < 1500]


def _models() -> dict[str, Files]:
    found: dict[str, Files] = {}
    for k, text in enumerate(ONNX):
        model = onnx.parser.parse_model(text)
        found[f"onnx/{k}"] = {"g.onnx": model.SerializeToString()}
        found[f"onnxtxt/{k}"] = {"g.onnxtxt": text.encode()}
    outside = model.graph.initializer[0]
    outside.ClearField("float_data")
    outside.data_location = onnx.TensorProto.EXTERNAL
    for key, value in (("location", "w.bin"), ("offset", "4"), ("length", "8")):
        outside.external_data.add(key=key, value=value)
    found["onnx/external"] = {"g.onnx": model.SerializeToString(), "w.bin": bytes(16)}
    return found


def _networks() -> dict[str, Files]:
    """OpenVINO models: one that is an example, and one of more layers."""
    example = ROOT / "examples" / "reduce_sum"
    layers, edges = [_layer(0, "Parameter", {"shape": "?,3", "element_type": "f32"}, [], [2])], []
    constants = [(1, "1,3", "f32", 0, 12), (2, "1", "i64", 16, 8), (3, "", "f32", 24, 4)]
    for id, shape, type, offset, size in constants:
        data = {"element_type": type, "shape": shape, "offset": str(offset), "size": str(size)}
        layers.append(_layer(id, "Const", data, [], [len(shape.split(",")) if shape else 0]))
    inner = (
        ("Add", {"auto_broadcast": "numpy"}, [0, 1]),
        ("Swish", {}, [4, 3]),
        ("ReduceMean", {"keep_dims": "true"}, [5, 2]),
        ("Subtract", {"auto_broadcast": "numpy"}, [5, 6]),
        ("SoftMax", {"axis": "1"}, [7]),
        ("ConvertLike", {}, [8, 1]),
        ("Clamp", {"min": "0", "max": "0.5"}, [9]),
        ("Result", {}, [10]),
    )
    for id, (type, data, sources) in enumerate(inner, 4):
        layers.append(_layer(id, type, data, [2] * len(sources), [] if type == "Result" else [2]))
        edges += [
            f'<edge from-layer="{s}" from-port="9" to-layer="{id}" to-port="{k}"/>'
            for k, s in enumerate(sources)
        ]
    text = (
        f'<?xml version="1.0"?>\n<net name="n" version="11">\n<layers>\n{"".join(layers)}'
        f"</layers>\n<edges>\n{chr(10).join(edges)}\n</edges>\n</net>\n"
    )
    weights = bytes(12) + bytes(4) + (1).to_bytes(8, "little") + b"\0\0\x80?"
    return {
        "openvino/example": {
            "g.xml": example.with_suffix(".xml").read_bytes(),
            "g.bin": example.with_suffix(".bin").read_bytes(),
        },
        "openvino/layers": {"g.xml": text.encode(), "g.bin": weights},
    }


def _layer(id: int, type: str, data: Mapping[str, str], ins: list[int], outs: list[int]) -> str:
    version = "opset8" if type == "SoftMax" else "opset4" if type == "Swish" else "opset1"
    attributes = "".join(f' {key}="{value}"' for key, value in data.items())
    precision = "I64" if data.get("element_type") == "i64" else "FP32"
    inputs = "".join(f'<port id="{k}">{"<dim>-1</dim>" * r}</port>' for k, r in enumerate(ins))
    outputs = "".join(
        f'<port id="9" precision="{precision}">{"<dim>-1</dim>" * r}</port>' for r in outs
    )
    return (
        f'<layer id="{id}" name="l{id}" type="{type}" version="{version}">\n'
        + (f"<data{attributes}/>" if data else "")
        + (f"<input>{inputs}</input>" if inputs else "")
        + (f"<output>{outputs}</output>" if outputs else "")
        + "</layer>\n"
    )
