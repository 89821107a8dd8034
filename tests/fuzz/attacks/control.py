"""Attacks by control flow: bodies, and graphs among the attributes of ONNX nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from onnx import AttributeProto, GraphProto, ModelProto, TensorProto, helper, numpy_helper

from . import INPUT, LOWERED, UNSUPPORTED, Attack
from .onnx_protos import calling, changed, model, node

F, B, I64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64


def _info(name: str, kind: int = F, shape: Any = (4,)) -> Any:
    return helper.make_tensor_value_info(name, kind, shape)


def _body(nodes: list[Any], inputs: list[Any], outputs: list[str]) -> GraphProto:
    return helper.make_graph(nodes, "b", inputs, [_info(n, F, None) for n in outputs])


ARM = _body([node("Exp", "x", "t")], [], ["t"])
STEP = _body([node("Add", "s e", "t"), node("Exp", "t", "o")], [_info("s"), _info("e")], ["t", "o"])


def _if(**attributes: Any) -> ModelProto:
    both = {"then_branch": ARM, "else_branch": ARM} | attributes
    given = {k: v for k, v in both.items() if v is not None}
    return model(node("If", "c", **given), inputs=[_info("c", B, []), _info("x")])


def _scan(**attributes: Any) -> ModelProto:
    given = {"num_scan_inputs": 1, "body": STEP} | attributes
    both = {k: v for k, v in given.items() if v is not None}
    return model(node("Scan", "x z", "y ys", **both), inputs=[_info("x"), _info("z", F, ["T", 4])])


def _loop(trips: int, *nodes: Any, stacked: bool = False, depth: int = 1) -> ModelProto:
    """Loops in loops, so deep, of which each goes round so often."""
    inner = list(nodes)
    for k in range(depth):
        ins = [_info(f"i{k}", I64, []), _info(f"go{k}", B, []), _info(f"s{k}", F, None)]
        rounds = [*inner, node("Identity", f"go{k}", f"on{k}")]
        outs = [f"on{k}", f"t{k}", *([f"t{k}"] if stacked else [])]
        body = helper.make_graph(rounds, "b", ins, [_info(n, F, None) for n in outs])
        body.output[0].type.tensor_type.elem_type = B
        source, found = (f"s{k + 1}", f"t{k + 1}") if k + 1 < depth else ("x", "y")
        inner = [node("Loop", f"m _ {source}", f"{found} ys" if stacked else found, body=body)]
        if not stacked:
            inner[0].input[1] = ""
    for n in inner:
        n.input[1] = ""
    return model(*inner, tensors=[numpy_helper.from_array(np.int64(trips), "m")], opset=16)


def _given(name: str, kind: int, **fields: Any) -> Callable[[Any], None]:
    """One more attribute at the first node."""

    def change(proto: Any) -> None:
        proto.graph.node[0].attribute.add(name=name, type=kind, **fields)

    return change


def _reference() -> ModelProto:
    """A function whose branches are attributes of its calls."""
    inner = node("If", "n")
    for name in ("then_branch", "else_branch"):
        inner.attribute.add(name=name, type=AttributeProto.GRAPH, ref_attr_name=name)
    proto = calling(("f", [node("IsNaN", "x", "n"), inner]))
    for name in ("then_branch", "else_branch"):
        proto.graph.node[0].attribute.append(helper.make_attribute(name, ARM))
        proto.functions[0].attribute.append(name)
    return proto


def _doubling(levels: int) -> ModelProto:
    """Choices both of whose bodies have a choice, and so on."""
    body = ARM
    for k in range(levels):
        arms = {"then_branch": body, "else_branch": body}
        body = _body([node("If", "c", f"t{k}", **arms)], [], [f"t{k}"])
    return _if(then_branch=body)


def _lstm(**attributes: Any) -> ModelProto:
    inputs = [_info("x", F, ["T", 1, 2]), _info("w", F, [1, 12, 2]), _info("r", F, [1, 12, 3])]
    given = {"hidden_size": 3} | attributes
    return model(node("LSTM", "x w r", **given), inputs=inputs, opset=14)


def _wrong_inside() -> ModelProto:
    """A body uses a value whose node is refused, so that nothing says its type."""
    proto = _if(else_branch=_body([node("Flatten", "x", "t")], [], ["t"]))
    proto.graph.node[0].output[0] = "f"
    ins = [_info("i", I64, []), _info("go", B, []), _info("s")]
    step = helper.make_graph(
        [node("Add", "s f", "u"), node("Identity", "go", "on")],
        "b",
        ins,
        [_info("on", B, []), _info("u", F, None)],
    )
    proto.graph.node.append(node("Loop", "n c x", "y", body=step))
    proto.graph.input.append(_info("n", I64, []))
    return proto


GRAPH = AttributeProto.GRAPH
MODELS: dict[str, tuple[Any, str, str]] = {
    "graph in place of a number": (
        changed(_given("value_int", GRAPH, i=2), model(node("Constant", ""))),
        INPUT,
        "attribute value_int is of kind graph, expected int",
    ),
    "graph in place of names": (
        changed(_given("activations", GRAPH, g=ARM), _lstm()),
        INPUT,
        "attribute activations is of kind graph, expected strings",
    ),
    "graph of no name": (
        changed(_given("evil", GRAPH, g=ARM), model(node("Exp"))),
        INPUT,
        "attribute 'evil' is not in this version",
    ),
    "graph twice": (changed(_given("then_branch", GRAPH, g=ARM), _if()), INPUT, "given twice"),
    "graph and number": (changed(_given("then_branch", 2, i=1), _if()), INPUT, "given twice"),
    "number in place of a graph": (
        changed(_given("then_branch", 2, i=1), _if(then_branch=None)),
        INPUT,
        "attribute then_branch is of kind int, expected graph",
    ),
    "graph of nothing": (_if(then_branch=GraphProto()), INPUT, "then_branch gives 0 values"),
    "graph given by a call": (_reference(), UNSUPPORTED, "a graph that a call gives"),
    "branch that takes values": (_if(then_branch=STEP), INPUT, "has 2 inputs, expected 0"),
    "branch of itself": (
        _if(then_branch=_body([node("Exp", "y", "t")], [], ["t"])),
        INPUT,
        "'y'",
    ),
    "branches that double 7 times": (_doubling(7), LOWERED, ""),
    "value of a wrong node in a graph": (_wrong_inside(), UNSUPPORTED, "a carried value is"),
    "body that is missing": (_scan(body=None), INPUT, "attribute body is missing"),
    "scan of -1 inputs": (_scan(num_scan_inputs=-1), INPUT, "num_scan_inputs"),
    "scan of 2^62 inputs": (_scan(num_scan_inputs=2**62), INPUT, "num_scan_inputs"),
    "scan along an axis that is not there": (_scan(scan_input_axes=[2**40]), INPUT, "axis"),
    "scan along too many axes": (_scan(scan_input_axes=[0] * 9), INPUT, "scan_input_axes"),
    "scan in direction 7": (_scan(scan_input_directions=[7]), INPUT, "scan_input_directions"),
    "scan of results along axis 9": (_scan(scan_output_axes=[9]), INPUT, "axis"),
    "loop of 2^62 rounds": (_loop(2**62, node("Exp", "s0", "t0")), LOWERED, ""),
    "loop of 2^62 rounds that grows": (
        _loop(2**62, node("Concat", "s0 s0", "t0", axis=0)),
        UNSUPPORTED,
        "",
    ),
    "loop of 40 rounds that doubles": (
        _loop(40, node("Concat", "s0 s0", "t0", axis=0)),
        LOWERED,
        "",
    ),
    "loop of 2^62 rounds that stacks": (
        _loop(2**62, node("Exp", "s0", "t0"), stacked=True),
        INPUT,
        "needs more than 2^48 bytes",
    ),
    "loops 12 deep that grow": (
        _loop(9, node("Concat", "s0 s0", "t0", axis=0), depth=12),
        INPUT,
        "needs more than 2^48 bytes",
    ),
    "loops 12 deep": (_loop(9, node("Exp", "s0", "t0"), depth=12), LOWERED, ""),
    "hidden size of 2^62": (_lstm(hidden_size=2**62), INPUT, "hidden_size"),
    "activation that is none": (_lstm(activations=["*/ evil"] * 3), INPUT, "evil"),
    "direction that is none": (_lstm(direction="*/ evil"), INPUT, "evil"),
    "clip of NaN": (_lstm(clip=float("nan")), INPUT, "clip is nan"),
    "clip of -1": (_lstm(clip=-1.0), INPUT, "clip is -1"),
}

HEAD = "%x: tensor<4xf32>, %c: tensor<i1>, %n: tensor<i64>, %z: tensor<?x4xf32, #opc.dims<T, 4>>"
STEPS = """
func.func private @step(%s: tensor<4xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %t = opc.add %s, %e
  return %t, %t : tensor<4xf32>, tensor<4xf32>
}
func.func private @one(%s: tensor<4xf32>) -> tensor<4xf32> {
  %t = opc.exp %s
  return %t : tensor<4xf32>
}
"""
FOUR = "tensor<4xf32>"
OVER = "(tensor<4xf32>, tensor<?x4xf32, #opc.dims<T, 4>>)"
STACKED = "(tensor<4xf32>, tensor<?x4xf32, #opc.dims<T, 4>>)"


def _text(*lines: str, result: str = FOUR, more: str = STEPS) -> str:
    inside = "\n  ".join(lines)
    return f"func.func @main({HEAD}) -> {result} {{\n  {inside}\n  return %y : {result}\n}}\n{more}"


def _over(words: str, body: str = "step", extent: str = "T") -> str:
    line = f"%y, %ys = opc.scan @{body} <{extent}> carry (%x) over (%z) {words}"
    return _text(f"{line} : {OVER} -> {STACKED}")


def _deep(levels: int, calls: int) -> str:
    """Bodies that run the next one so often each."""
    parts = [_once("f0", "x")]
    for k in range(levels):
        lines = [_once(f"f{k + 1}", f"s{j}" if j else "s", f"s{j + 1}") for j in range(calls)]
        inside = "\n  ".join(lines)
        parts.append(
            f"func.func private @f{k}(%s: {FOUR}) -> {FOUR} {{\n  {inside}\n"
            f"  return %s{calls} : {FOUR}\n}}"
        )
    parts.append(STEPS.replace("@one", f"@f{levels}"))
    return _text(parts[0], more="\n".join(parts[1:]))


def _once(body: str, value: str, result: str = "y") -> str:
    return f"%{result} = opc.scan @{body} <2> carry (%{value}) : ({FOUR}) -> ({FOUR})"


def _body_text(inside: str, arguments: str = f"%s: {FOUR}", result: str = FOUR) -> str:
    body = f"func.func private @b({arguments}) -> {result} {{\n  {inside}\n}}"
    return _text(_once("b", "x"), more=body)


TEXTS: dict[str, tuple[str, str, str]] = {
    "scan": (_over(""), LOWERED, ""),
    "body that is not there": (_over("", "evil"), INPUT, "there is no function @evil"),
    "body that is the function itself": (_text(_once("main", "x")), INPUT, "takes 4, found 1"),
    "body that takes more": (_text(_once("step", "x")), INPUT, "takes 2, found 1"),
    "body of itself": (
        _body_text(f"{_once('b', 's')}\n  return %y : {FOUR}"),
        INPUT,
        "needs itself",
    ),
    "bodies in a circle": (
        _text(
            _once("a", "x"),
            more="\n".join(
                f"func.func private @{a}(%s: {FOUR}) -> {FOUR} {{\n"
                f"  {_once(b, 's')}\n  return %y : {FOUR}\n}}"
                for a, b in ("ab", "ba")
            ),
        ),
        INPUT,
        "needs itself",
    ),
    "scan over 2^62": (_over("", extent=str(2**62)), INPUT, "needs more than 2^48 bytes"),
    "scan over -1": (_over("", extent="-1"), INPUT, "-1 iterations"),
    "scan over an extent that nothing has": (_over("", extent="evil"), INPUT, "evil"),
    "scan over d0": (_over("", extent="d0"), INPUT, "d0"),
    "scan over a product without end": (
        _over("", extent="*".join(["T"] * 1000)),
        UNSUPPORTED,
        "",
    ),
    "scan backwards over what is not there": (
        _over("reversed [10000000000] []"),
        INPUT,
        "there is no tensor 10000000000",
    ),
    "scan backwards over 2^64": (_over(f"reversed [{2**64}] []"), INPUT, ""),
    "scan backwards twice": (_over("reversed [0, 0] []"), LOWERED, ""),
    "scan over a scalar": (
        _text(f"%y = opc.scan @one <T> over (%n) : (tensor<i64>) -> ({FOUR})"),
        INPUT,
        "found tensor<i64>, expected tensor<4xf32>",
    ),
    "trip of another type": (
        _text(f"%y = opc.scan @one <0> carry (%x) trip (%c) : ({FOUR}, tensor<i1>) -> ({FOUR})"),
        INPUT,
        "expected i64 of rank 0",
    ),
    "two trips": (
        _text(
            "%y = opc.scan @one <0> carry (%x) trip (%n, %n)"
            f" : ({FOUR}, tensor<i64>, tensor<i64>) -> ({FOUR})"
        ),
        INPUT,
        "",
    ),
    "condition that is a float": (
        _text(f"%y = opc.scan @one <0> carry (%x) while : ({FOUR}) -> ({FOUR})"),
        INPUT,
        "expected i1 of rank 0",
    ),
    "condition that is not carried": (
        _text(f"%y = opc.scan @one <0> over (%z) while : {OVER[:1] + OVER[16:]} -> ({FOUR})"),
        INPUT,
        "",
    ),
    "choice by a float": (
        _text(
            f"%y = opc.if %x then @one (%x) else @one (%x) : ({FOUR}, {FOUR}, {FOUR}) -> ({FOUR})"
        ),
        INPUT,
        "the condition is tensor<4xf32>",
    ),
    "choice of one body twice": (
        _text(
            "%y = opc.if %c then @one (%x) else @one (%x)"
            f" : (tensor<i1>, {FOUR}, {FOUR}) -> ({FOUR})"
        ),
        LOWERED,
        "",
    ),
    "bodies 64 deep": (_deep(63, 1), LOWERED, ""),
    "bodies 65 deep": (_deep(64, 1), INPUT, "more than 64 deep"),
    "bodies 500 deep": (_deep(500, 1), INPUT, "more than 64 deep"),
    "bodies 30 deep that double": (_deep(30, 2), LOWERED, ""),
    "body that changes a type": (
        _body_text(
            "%t = opc.cast %s : tensor<4xf32> -> tensor<4xf64>\n  return %t : tensor<4xf64>",
            result="tensor<4xf64>",
        ),
        INPUT,
        "found tensor<4xf64>",
    ),
    "body that changes a shape": (
        _body_text(
            "%t = opc.concat %s, %s {axis = 0} : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>\n"
            "  return %t : tensor<8xf32>",
            result="tensor<8xf32>",
        ),
        INPUT,
        "extents differ",
    ),
    "body without a return": (_body_text("%t = opc.exp %s"), INPUT, ""),
    "body that is only declared": (
        _text(_once("b", "x"), more=f"func.func private @b({FOUR}) -> {FOUR}"),
        UNSUPPORTED,
        "has no body",
    ),
    "body with a name of C": (
        _text(_once("int", "x"), more=STEPS.replace("@one", "@int")),
        LOWERED,
        "",
    ),
    "body with a name that ends a comment": (
        _text(_once('"*/ evil(); /*"', "x"), more=STEPS.replace("@one", '@"*/ evil(); /*"')),
        LOWERED,
        "",
    ),
    "extents that no function computes": (
        _text(
            'opc.read_extents plain @evil gives 1 %x -> ["s0"] : tensor<4xf32>',
            "%y = opc.exp %x",
        ),
        INPUT,
        "there is no function",
    ),
    "two bodies of one name": (_text(_once("one", "x"), more=STEPS + STEPS), INPUT, ""),
}

ATTACKS = {
    **{n: Attack({"g.onnx": m.SerializeToString()}, k, part) for n, (m, k, part) in MODELS.items()},
    **{f"text: {n}": Attack({"g.mlir": t}, k, part) for n, (t, k, part) in TEXTS.items()},
}
