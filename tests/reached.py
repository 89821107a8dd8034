"""Which operators of opc the nodes of models become: ``python -m tests.reached`` writes it down.

The smallest cases of ONNX's own suite are legalized, as nodes and, converted by OpenVINO, as
layers; besides, layers that no such case has.  What comes out is ``compiler/tools/reached.py``.
"""

from __future__ import annotations

import tempfile
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from opc import pipeline
from opc.dialects.opc import OPERATORS
from opc.dialects.opc.base import OpcOp
from opc.driver import load, source_of
from opc.errors import OpcError
from opc.registry import context

CASES = 3
"""Cases of an operator that are tried, of the smallest models."""
FILE = Path(__file__).parents[1] / "compiler/tools/reached.py"


def operators_of(graph: Any) -> set[str]:
    """The operators that a model becomes; none where opc refuses it."""
    try:
        module = source_of(load(graph), None)
        pipeline.run(module, context(), ("legalize-onnx", "legalize-openvino"))
    except OpcError:
        return set()
    return {op.name for op in module.walk() if isinstance(op, OpcOp)}


def cases() -> Iterator[tuple[str, Any]]:
    """Models of one node, with its operator."""
    from onnx.backend.test.case import node

    found = defaultdict[str, list[Any]](list)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for case in node.collect_testcases(None):
            if len(case.model.graph.node) == 1:
                found[case.model.graph.node[0].op_type].append(case.model)
    for operator, models in sorted(found.items()):
        for model in sorted(models, key=lambda m: m.ByteSize())[:CASES]:
            yield operator, model


def layers() -> Iterator[tuple[str, Any]]:
    """OpenVINO models of layers that its converter of ONNX models does not write."""
    import openvino as ov
    from openvino import opset1, opset4, opset6, opset14, opset15

    x = opset1.parameter([2, 4], np.float32)
    n = opset1.parameter([2, 4], np.int32)
    one = opset1.constant(np.int64(1))
    for built in (
        opset4.softplus(x),
        opset15.bitwise_left_shift(n, n),
        opset15.bitwise_right_shift(n, n),
        opset1.logical_xor(opset1.convert(x, "boolean"), opset1.convert(x, "boolean")),
        opset1.floor_mod(x, x),
        opset1.squared_difference(x, x),
        opset6.gather_elements(n, n, 1),
        opset14.convert_promote_types(x, n)[0]
        if hasattr(opset14, "convert_promote_types")
        else opset1.relu(x),
        opset1.reduce_logical_and(opset1.convert(x, "boolean"), one, False),
    ):
        node = getattr(built, "get_node", lambda b=built: b)()
        used = [p for p in (x, n) if p.output(0).get_target_inputs()]
        yield node.get_type_name(), ov.Model([built], used)


def from_onnx() -> dict[str, str]:
    """For each operator that a node becomes one such node."""
    found: dict[str, str] = {}
    for operator, model in cases():
        found |= dict.fromkeys(operators_of(model) - found.keys(), operator)
    return found


def from_openvino() -> dict[str, str]:
    """For each operator that a layer becomes one such layer."""
    import onnx
    import openvino as ov

    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def take(operator: str, model: Any) -> None:
            ov.save_model(model, folder / "model.xml", compress_to_fp16=False)
            new = operators_of(folder / "model.xml") - found.keys()
            found.update(dict.fromkeys(new, operator))

        for operator, proto in cases():
            onnx.save(proto, folder / "model.onnx")
            try:
                model = ov.convert_model(folder / "model.onnx")
            except Exception:  # noqa: S112 # it has many for what it does not know
                continue
            kinds = [op.get_type_name() for op in model.get_ordered_ops()]
            kinds = [kind for kind in kinds if kind not in ("Parameter", "Result", "Constant")]
            take(kinds[-1] if kinds else operator, model)
        for operator, model in layers():
            take(operator, model)
    return found


def text(reached: dict[str, dict[str, str]]) -> str:
    """The file."""
    lines = ['"""The operators that nodes of models become, with one node each that does.\n\n']
    lines += ['Written by ``python -m tests.reached``; do not edit.\n"""\n\n']
    lines += ["REACHED: dict[str, dict[str, str]] = {\n"]
    for form, operators in reached.items():
        lines += [f'    "{form}": {{\n']
        lines += [f'        "{op}": "{node}",\n' for op, node in sorted(operators.items())]
        lines += ["    },\n"]
    return "".join([*lines, "}\n"])


if __name__ == "__main__":
    reached = {"onnx": from_onnx(), "openvino": from_openvino()}
    FILE.write_text(text(reached))
    for form, operators in reached.items():
        print(form, "reaches none of", sorted({op.name for op in OPERATORS} - operators.keys()))
