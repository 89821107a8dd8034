"""What is mutated: small sound graphs of every format, and the words that occur in them."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
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
    """
    <ir_version: 8, opset_import: ["" : 16]>
    main (bool c, int64 n, float[T, 3] x, float[3] h) => (float[3] y, float[T, 3] ys, float[3] z)
    <float w = {0.5}> {
      y, ys = Scan <num_scan_inputs = 1, scan_input_directions = [1], body = step
        (float[3] s, float[3] e) => (float[3] t, float[3] o) {
          u = Mul (e, w)
          t = Add (s, u)
          o = Tanh (t)
        }> (h, x)
      f = If (c) <
        then_branch = one () => (float[3] a) { a = Neg (y) },
        else_branch = other () => (float[3] a) { a = ReduceMax <axes = [0], keepdims = 0> (ys) }>
      z = Loop <body = round
        (int64 i, bool go, float[3] s) => (bool on, float[3] t) {
          t = Sub (s, f)
          m = ReduceMax <keepdims = 0> (t)
          on = Less (m, w)
        }> (n, c, h)
    }
    """,
    """
    <ir_version: 8, opset_import: ["" : 14]>
    main (float[T, B, 2] x, float[1, 12, 2] w, float[1, 12, 3] r, float[1, 24] b, float[2, 9, 2] v,
          float[2, 9, 3] u) => (float[T, 1, B, 3] y, float[1, B, 3] h, float[t, 2, B, 3] g) {
      y, h = LSTM <hidden_size = 3, activations = ["Sigmoid", "Tanh", "Elu"], clip = 2.5>
        (x, w, r, b)
      g = GRU <hidden_size = 3, direction = "bidirectional", linear_before_reset = 1> (x, v, u)
    }
    """,
    """
    <ir_version: 10, opset_import: ["" : 23]>
    main (float[B, 4, 6] q, int64[2, 3] i, int64 n, float[1, 2, 5, 5] x, float[1, 3, 3, 2] p)
      => (float[a, b, c, d] g, float[B, 4, 6] s, float[B, 4, 3] t, float[B, 4, 6] a, float[k] r,
          float[B, 4, 4] e, float[1, 2, h, w] z, float[1, 2, u, v] m, float[f] o)
    <float[4] scales = {1, 1, 1.5, 2}, int64[1] three = {3}, float zero = {0}, float one = {1},
     int64[2, 2] at = {0, -1, 0, 2}, float[2, 6] new = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
     int64[1] six = {6}, float[2] off_on = {0, 2}, int64[2] pads = {1, 2}, int64 last = {-1}> {
      g = Gather <axis = 1> (q, i)
      s = ScatterND <reduction = "add"> (q, at, new)
      t, places = TopK <largest = 0> (s, three)
      mixed = CumSum <exclusive = 1> (q, last)
      a = Attention <q_num_heads = 2, kv_num_heads = 2, is_causal = 1> (q, mixed, s)
      count = Cast <to = 1> (n)
      r = Range (zero, count, one)
      e = Einsum <equation = "bij,bkj->bik"> (a, q)
      z = Resize <mode = "cubic", coordinate_transformation_mode = "align_corners"> (x, , scales)
      wide = Pad <mode = "reflect"> (x, pads, , three)
      m = GridSample <padding_mode = "border"> (wide, p)
      hot = OneHot <axis = 0> (i, six, off_on)
      o = GatherND (hot, i)
    }
    """,
    """
    <ir_version: 10, opset_import: ["" : 21, "ai.onnx.ml" : 3]>
    main (uint8[M, 4] b, float[2, 3] x, float[2, 8, 1] y, float[1, 2, 7] w)
      => (uint8[M, 2] q, float[2, 1] s, float[2, 8, 2] f, float[1, p, r] v, float[2, 3] d)
    <float scale = {0.25}, uint8 zero = {3}, int8[4, 2] k = {1, -2, 3, -4, 5, -6, 7, -128},
     int8 none = {0}, float[2, 1, 3] filters = {1, 2, 3, 4, 5, 6}, int64 first = {0}> {
      q = QLinearMatMul (b, scale, zero, k, scale, none, scale, zero)
      s = ai.onnx.ml.LinearRegressor <coefficients = [0.5, 1.0, -2.0], intercepts = [1.0]> (x)
      f = DFT (y)
      t = ConvTranspose <strides = [2], group = 2, output_padding = [1]> (w, filters)
      v, places = MaxPool <kernel_shape = [3], ceil_mode = 1, pads = [1, 1]> (t)
      noise = RandomNormalLike <seed = 2.0> (x)
      listed = SequenceConstruct (x, noise)
      chosen = SequenceAt (listed, first)
      e = QuantizeLinear <axis = 1> (chosen, scale, zero)
      d = DequantizeLinear <axis = 1> (e, scale, zero)
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
    model = onnx.parser.parse_model(ONNX[2])
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
        edges += [_edge(s, id, k) for k, s in enumerate(sources)]
    weights = bytes(12) + bytes(4) + (1).to_bytes(8, "little") + b"\0\0\x80?"
    return {
        "openvino/example": {
            "g.xml": example.with_suffix(".xml").read_bytes(),
            "g.bin": example.with_suffix(".bin").read_bytes(),
        },
        "openvino/layers": {"g.xml": _network(layers, edges), "g.bin": weights},
        "openvino/recurrent": {"g.xml": _recurrent(), "g.bin": b""},
    }


def _network(layers: Sequence[str], edges: Sequence[str]) -> bytes:
    text = (
        f'<?xml version="1.0"?>\n<net name="n" version="11">\n<layers>\n{"".join(layers)}'
        f"</layers>\n<edges>\n{chr(10).join(edges)}\n</edges>\n</net>\n"
    )
    return text.encode()


def _recurrent() -> bytes:
    """A sequence of a network, over arguments."""
    shapes = ("?,?,2", "?,1,3", "?", "1,9,2", "1,9,3", "1,12")
    layers = [
        _layer(k, "Parameter", {"shape": s, "element_type": "i64" if s == "?" else "f32"}, [], [r])
        for k, s in enumerate(shapes)
        for r in (len(s.split(",")),)
    ]
    data = {"hidden_size": "3", "direction": "reverse", "linear_before_reset": "true"}
    data |= {"activations": "sigmoid,relu", "clip": "1.5"}
    layers.append(_layer(6, "GRUSequence", data, [3, 3, 1, 3, 3, 2], [4, 3]))
    layers += [_layer(7 + k, "Result", {}, [rank], []) for k, rank in enumerate((4, 3))]
    edges = [_edge(k, 6, k) for k in range(6)] + [_edge(6, 7 + k, 0, 9 + k) for k in range(2)]
    return _network(layers, edges)


def _edge(source: int, layer: int, port: int, out: int = 9) -> str:
    return f'<edge from-layer="{source}" from-port="{out}" to-layer="{layer}" to-port="{port}"/>'


def _layer(id: int, type: str, data: Mapping[str, str], ins: list[int], outs: list[int]) -> str:
    version = {"SoftMax": "opset8", "Swish": "opset4", "GRUSequence": "opset5"}.get(type, "opset1")
    attributes = "".join(f' {key}="{value}"' for key, value in data.items())
    precision = "I64" if data.get("element_type") == "i64" else "FP32"
    inputs = "".join(f'<port id="{k}">{"<dim>-1</dim>" * r}</port>' for k, r in enumerate(ins))
    outputs = "".join(
        f'<port id="{k}" precision="{precision}">{"<dim>-1</dim>" * r}</port>'
        for k, r in enumerate(outs, 9)
    )
    return (
        f'<layer id="{id}" name="l{id}" type="{type}" version="{version}">\n'
        + (f"<data{attributes}/>" if data else "")
        + (f"<input>{inputs}</input>" if inputs else "")
        + (f"<output>{outputs}</output>" if outputs else "")
        + "</layer>\n"
    )
