"""Attacks by ONNX models."""

from __future__ import annotations

from typing import Any

from onnx import ModelProto, TensorProto, helper

from . import (
    INPUT,
    LOWERED,
    UNSUPPORTED,
    Attack,
    Content,
    device,
    link,
    odd,
    pipe,
    second_name,
)
from .onnx_protos import (
    X,
    Y,
    call,
    calling,
    changed,
    doubling,
    known,
    mixed,
    model,
    named,
    nested,
    node,
    outside,
    referring,
    set_opset,
    shaped,
    sound,
    sparse_weights,
    tensor,
    typed,
    weights,
)

SOUND = sound().SerializeToString()
INT64 = TensorProto.INT64

MODELS: dict[str, tuple[Any, str, str]] = {
    # bytes
    "text": (b"func.func @main", INPUT, "not an ONNX model"),
    "cut in the middle": (SOUND[: len(SOUND) // 2], INPUT, "not an ONNX model"),
    "cut at the last byte": (SOUND[:-1], INPUT, "not an ONNX model"),
    "more behind the end": (SOUND + b"\xff" * 9, INPUT, "not an ONNX model"),
    "model twice": (SOUND * 2, INPUT, "is given 2 times"),
    "length of 2^63": (b"\x3a" + b"\xff" * 8 + b"\x7f", INPUT, "not an ONNX model"),
    "group without end": (b"\x3b" * 1000, INPUT, "not an ONNX model"),
    "graphs in graphs": (nested(20_000), INPUT, "not an ONNX model"),
    "graphs in some graphs": (
        nested(20),
        UNSUPPORTED,
        "1 kind of nodes is not supported",
    ),
    "no graph": (ModelProto(ir_version=8), INPUT, "it has no graph"),
    "zeros": (bytes(1 << 20), INPUT, "not an ONNX model"),
    "name that is no text": (SOUND.replace(b"Exp", b"\xff\xfe\xfd"), INPUT, "is not UTF-8 text"),
    # versions
    "IR version 0": (changed(lambda m: setattr(m, "ir_version", 0)), INPUT, "no IR version"),
    "IR version -1": (changed(lambda m: setattr(m, "ir_version", -1)), INPUT, "no IR version"),
    "opset 0": (changed(set_opset(0)), INPUT, "opset 0 is imported"),
    "opset -2^63": (changed(set_opset(-(2**63))), INPUT, "is imported, expected 1 or more"),
    "opset 2^63 - 1": (changed(set_opset(2**63 - 1)), UNSUPPORTED, "is newer than"),
    "two opsets": (
        changed(lambda m: m.opset_import.add(domain="ai.onnx", version=7)),
        INPUT,
        "two versions of opset",
    ),
    "no opset": (changed(lambda m: m.ClearField("opset_import")), INPUT, "imports no opset"),
    "unknown domain": (
        changed(lambda m: setattr(m.graph.node[0], "domain", "evil")),
        UNSUPPORTED,
        "what is needed: operators evil::",
    ),
    "unknown operator": (
        model(node("Evil")),
        UNSUPPORTED,
        "what is needed: operators Evil",
    ),
    # the graph
    "no nodes": (model(), INPUT, "'y'"),
    "no results": (changed(lambda m: m.graph.ClearField("output")), INPUT, "has no outputs"),
    "result twice": (changed(lambda m: m.graph.output.append(Y)), INPUT, "is given 2 times"),
    "result that is nowhere": (model(node("Exp", "x", "z")), INPUT, "'y'"),
    "value that is nowhere": (model(node("Exp", "z")), INPUT, "input 'z' is defined nowhere"),
    "value of itself": (
        model(node("Exp", "y")),
        INPUT,
        "is computed by a later node, or by itself",
    ),
    "circle": (
        model(node("Exp", "z"), node("Log", "y", "z")),
        INPUT,
        "is computed by a later node, or by itself",
    ),
    "value twice": (model(node("Exp"), node("Log")), INPUT, "is defined twice"),
    "input twice": (model(node("Exp"), inputs=[X, X]), INPUT, "is defined twice"),
    "tensor twice": (
        model(node("Add", "x w"), tensors=[tensor(float_data=[1] * 4)] * 2),
        INPUT,
        "is given twice",
    ),
    "tensor without a name": (
        changed(lambda m: m.graph.initializer.add(data_type=1)),
        INPUT,
        "has no name",
    ),
    "sparse tensor": (changed(sparse_weights), INPUT, "an initializer has no name"),
    "too many inputs": (model(node("Exp", "x x x")), INPUT, "inputs"),
    "no inputs": (model(node("Exp", "")), INPUT, "inputs"),
    "too many outputs": (model(node("Exp", "x", "y z")), UNSUPPORTED, "output 1 is not supported"),
    "100000 inputs of a node": (model(node("Exp", "x " * 100_000)), INPUT, "inputs"),
    "subgraph": (
        model(node("If", "x", then_branch=sound().graph, else_branch=sound().graph)),
        INPUT,
        "input cond has element type f32",
    ),
    # names
    **{
        f"names of {what}": (named(name), LOWERED, "")
        for what, name in {
            "C": "*/ evil(); /*",
            "lines": "\nint evil;\n",
            "an include": '#include "evil"',
            "a trigraph": "??/evil",
            "a NUL": "a\0evil",
            "an escape": "\x1b[2Jevil",
            "a format": "%s%n%evil",
            "a keyword": "int",
            "a megabyte": "a" * (1 << 20),
            "another direction": "\u202eevil",
            "a macro": "OPC_RESTRICT",
        }.items()
    },
    "no name of an input": (named(""), INPUT, "has no name"),
    # types and shapes
    **{
        f"elements of type {number}": (typed(number), UNSUPPORTED, "is not supported")
        for number in (TensorProto.STRING, TensorProto.COMPLEX64)
    },
    "elements of type 999": (typed(999), INPUT, "element type 999, which does not exist"),
    "elements of no type": (typed(0), INPUT, "element type 0, which does not exist"),
    "elements of type -1": (typed(-1), INPUT, "element type -1, which does not exist"),
    "negative extent": (shaped(-4), INPUT, "has extent -4"),
    "extent of 2^63 - 1": (shaped(2**63 - 1), UNSUPPORTED, "needs more than 2^48 bytes"),
    "product of extents that is 0 in 64 bits": (
        shaped(2**32, 2**32),
        UNSUPPORTED,
        "needs more than 2^48 bytes",
    ),
    "rank 100000": (shaped(*[1] * 100_000), UNSUPPORTED, "rank 100000 exceeds 16"),
    "extent called as C": (shaped("*/ evil /*"), LOWERED, ""),
    "extent called as a keyword": (shaped("int"), LOWERED, ""),
    "extent called nothing": (shaped(""), LOWERED, ""),
    # tensors
    "too few bytes": (weights(raw_data=b"123"), INPUT, "has 3 bytes, expected 16"),
    "too many bytes": (weights(raw_data=bytes(17)), INPUT, "has 17 bytes, expected 16"),
    "no elements": (weights(), INPUT, "has 0 elements"),
    "too many elements": (weights(float_data=[1] * 5), INPUT, "has 5 elements"),
    "elements of another type": (weights(int64_data=[1] * 4), INPUT, "has 0 elements"),
    "negative dims": (weights(dims=[-1], raw_data=b""), INPUT, "has shape [-1]"),
    "dims of 2^62": (
        weights(dims=[2**62, 4], raw_data=b""),
        UNSUPPORTED,
        "needs more than 2^48 bytes",
    ),
    "dims that are 0 in 64 bits": (
        weights(dims=[2**32, 2**32], raw_data=b""),
        UNSUPPORTED,
        "needs more than 2^48 bytes",
    ),
    "no elements of a huge shape": (
        weights(dims=[0, 2**62, 2**62], raw_data=b""),
        UNSUPPORTED,
        "needs more than 2^48 bytes",
    ),
    "100000 dims": (
        weights(dims=[1] * 100_000, raw_data=bytes(4)),
        UNSUPPORTED,
        "rank 100000 exceeds 16",
    ),
    "segments": (
        weights(raw_data=bytes(16), segment=TensorProto.Segment(begin=0)),
        INPUT,
        "segments",
    ),
    "tensor of text": (
        weights(data_type=8, string_data=[b"a"] * 4),
        UNSUPPORTED,
        "a tensor of strings",
    ),
    "tensor of no type": (
        weights(data_type=0, raw_data=bytes(16)),
        INPUT,
        "element type 0, which does not exist",
    ),
    "tensor of type 999": (
        weights(data_type=999, raw_data=bytes(16)),
        INPUT,
        "element type 999, which does not exist",
    ),
    "integers out of range": (
        weights(data_type=3, int32_data=[1 << 30] * 4),
        INPUT,
        "differ in element type",
    ),
    # attributes
    "axis out of range": (model(node("Softmax", axis=9)), INPUT, "axis 9"),
    "axis of -2^63": (model(node("Softmax", axis=-(2**63))), INPUT, "axis -9223372036854775808"),
    "attribute of another type": (model(node("Softmax", axis="0")), INPUT, "is of kind"),
    "tensor in place of a list": (
        model(node("Transpose", perm=helper.make_tensor("t", INT64, [2], [0, 1]))),
        INPUT,
        "attribute perm is of kind",
    ),
    "unknown attribute": (model(node("Exp", evil=1)), INPUT, "evil"),
    "attribute twice": (
        changed(
            lambda m: m.graph.node[0].attribute.extend([helper.make_attribute("axis", 0)] * 2),
            model(node("Softmax")),
        ),
        INPUT,
        "is given twice",
    ),
    "attribute of mixed types": (
        changed(mixed, model(node("ReduceMean"))),
        INPUT,
        "attribute 'axes' is not in this version",
    ),
    "attribute of no function": (changed(referring, model(node("Elu"))), LOWERED, ""),
    "100000 axes": (model(node("ReduceMean", axes=[0] * 100_000), opset=13), INPUT, "axes"),
    "permutation that is none": (model(node("Transpose", perm=[7])), INPUT, "perm"),
    "conversion to type 999": (model(node("Cast", to=999)), INPUT, "attribute to is 999"),
    # values known when compiling
    "expansion to 2^62": (known("Identity", a=[2**62]), INPUT, "do not broadcast"),
    "expansion to 2^40": (known("Identity", a=[2**20, 2**20, 4]), LOWERED, ""),
    "expansion to a negative extent": (known("Identity", a=[-7]), INPUT, "extent -7 is negative"),
    "product of known values": (known("Mul", a=[2**62], b=[4]), INPUT, "do not broadcast"),
    "division by zero": (known("Div", a=[4], b=[0]), INPUT, "do not broadcast"),
    "power without end": (
        known("Pow", a=[10**9], b=[10**9]),
        INPUT,
        "do not broadcast",
    ),
    "range without end": (
        known("Range", a=[0], b=[2**62], c=[1]),
        INPUT,
        "needs more than 2^48 bytes",
    ),
    "range with a step of 0": (
        known("Range", a=[0], b=[4], c=[0]),
        INPUT,
        "the delta is 0",
    ),
    "choice out of range": (known("Gather", a=[4], b=[7]), INPUT, "outside of axis 0"),
    "constant of 2^40 elements": (
        model(node("ConstantOfShape", "s"), tensors=[helper.make_tensor("s", INT64, [1], [2**40])]),
        LOWERED,
        "",
    ),
    # local functions
    "function of itself": (calling(("f", [call("f")])), INPUT, "function f calls itself"),
    "functions in a circle": (
        calling(("f", [call("g")]), ("g", [call("f")])),
        INPUT,
        "function f calls itself",
    ),
    "functions that double 9 times": (doubling(9), LOWERED, ""),
    "function without its result": (
        calling(("f", [node("Exp", "x", "z")])),
        INPUT,
        "is computed by no node",
    ),
    "function twice": (
        calling(("f", [node("Exp")]), ("f", [node("Log")])),
        INPUT,
        "is defined twice",
    ),
    "function with more inputs": (
        changed(lambda m: m.graph.node[0].input.extend(["x"] * 9), calling(("f", [node("Exp")]))),
        INPUT,
        "the function has 1 inputs",
    ),
    "function of nothing": (calling(("f", [])), INPUT, "is computed by no node"),
}

FLOATS = bytes(16)
EXTERNAL: dict[str, tuple[Any, Content, str]] = {
    "data above the folder": (outside("../w.bin"), FLOATS, "outside the folder"),
    "data below and above": (outside("a/../../w.bin"), FLOATS, "outside the folder"),
    "data by a whole path": (outside("/etc/passwd"), FLOATS, "not a relative path"),
    "data by a path of Windows": (outside("..\\w.bin"), FLOATS, "No such file"),
    "data by a name with a NUL": (outside("w.bin\0"), FLOATS, "not a relative path"),
    "data by a name of a megabyte": (outside("w" * (1 << 20)), FLOATS, "File name too long"),
    "data by the folder": (outside("."), FLOATS, "is no file"),
    "data by no name": (outside(""), FLOATS, "without a location"),
    "data without a place": (outside(None), FLOATS, "without a location"),
    "data that is not there": (outside("other.bin"), FLOATS, "No such file"),
    "data in the model, which is longer": (outside("g.onnx"), FLOATS, "bytes, expected 16"),
    "data behind a link": (outside(), link("/etc/passwd"), "symbolic link"),
    "data behind a link to nothing": (outside(), link("nothing"), "symbolic link"),
    "data with a second name": (outside(), second_name, "hard link"),
    "data from a pipe": (outside(), pipe, "is no file"),
    "data from a device": (outside(), device, "symbolic link"),
    "data that is cut": (outside(length="16"), bytes(15), "has 15 bytes"),
    "data that is empty": (outside(), b"", "has 0 bytes, expected 16"),
    "data that is longer": (outside(), bytes(17), "has 17 bytes, expected 16"),
    "data behind its end": (outside(offset="17"), FLOATS, "has 16 bytes"),
    "data at -1": (outside(offset="-1", length="16"), FLOATS, "expected a number"),
    "data at 1_0": (outside(offset="1_0", length="16"), FLOATS, "expected a number"),
    "data at other digits": (outside(offset="\u0661", length="16"), FLOATS, "expected a number"),
    "data at 2^64": (outside(offset=str(2**64), length="16"), FLOATS, "at most 18 digits"),
    "data at 10^18 - 1": (outside(offset="9" * 18, length="16"), FLOATS, "has 16 bytes"),
    "data of 10^17": (outside(length="1" + "0" * 17), FLOATS, "has 16 bytes"),
    "data at a million digits": (outside(offset="9" * 10**6), FLOATS, "at most 18 digits"),
}

TEXTS: dict[str, tuple[Content, str]] = {
    "string without end": ('<ir_version: 8, producer_name: "a', "not the text of an ONNX model"),
    "brackets": ("<" * 100_000, "not the text of an ONNX model"),
    "NUL": ("<ir_version: 8>\0", "not the text of an ONNX model"),
    "byte that is no UTF-8": (b"<ir_version\xff: 8>", "not the text of an ONNX model"),
    "number without end": (f"<ir_version: {'9' * 10**5}>", "not the text of an ONNX model"),
    "binary model": (SOUND, "not the text of an ONNX model"),
}


def _bytes(proto: Any) -> bytes:
    return proto if isinstance(proto, bytes) else proto.SerializeToString()


ATTACKS = {
    **odd("g.onnx", "it has no graph"),
    **odd("g.onnxtxt", "not the text of an ONNX model"),
    **{n: Attack({"g.onnx": _bytes(m)}, kind, part) for n, (m, kind, part) in MODELS.items()},
    **{
        n: Attack({"g.onnx": _bytes(m), "w.bin": content}, INPUT, part)
        for n, (m, content, part) in EXTERNAL.items()
    },
    "data": Attack({"g.onnx": _bytes(outside()), "w.bin": FLOATS}, LOWERED),
    **{f"text: {n}": Attack({"g.onnxtxt": t}, INPUT, part) for n, (t, part) in TEXTS.items()},
}
