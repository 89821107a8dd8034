"""Operators are IRDL definitions, with which the tools and passes of xDSL work."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import (
    Builtin,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
    f32,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.irdl import IRDL, DialectOp
from xdsl.dialects.irdl.irdl import AttributesOp, OperandsOp, OperationOp
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, operand_def, prop_def
from xdsl.parser import Parser
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.traits import MemoryEffect, get_effects, is_side_effect_free
from xdsl.transforms.common_subexpression_elimination import cse
from xdsl.utils.exceptions import VerifyException

from opc.api.driver import load
from opc.dialects import element as el
from opc.dialects.opc import OPERATORS
from opc.dialects.opc import binary as b
from opc.dialects.opc import reduction as r
from opc.dialects.opc import unary as u
from opc.dialects.opc.attributes import FALSE, boolean
from opc.dialects.opc.base import MANY, TENSOR, OpcOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.registry import DIALECTS, resolve
from opc.frontend.verify import verify
from opc.interpret.function import run
from opc.passes.registry import GENERIC_PASSES
from opc.tools import irdl
from tests.unit.common import ROOT

pytestmark = pytest.mark.smoke

OWN = [name for name, reference in DIALECTS.items() if reference.startswith("opc.")]
OPERATIONS = [op for name in OWN for op in resolve(DIALECTS[name]).operations]


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.name)
def test_definition(op: type[OpcOp]) -> None:
    """Each operator has one of its own, with its attributes by name and typed accessors."""
    definition = op.get_irdl_definition()
    assert definition.name == op.name
    assert [name for name, _ in definition.results] == ["result"]
    assert list(definition.properties) == [p.name for p in op.params]
    assert {name for name, _ in definition.accessor_names.values()} == set(definition.properties)
    assert (op.operand_count[1] == MANY) == any(
        kind.__class__.__name__ == "VarOperandDef" for _, kind in definition.operands
    )


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_effects_are_stated(op: type[Operation]) -> None:
    """Without a trait, xDSL takes an operation for one that may do anything."""
    assert issubclass(op, IRDLOperation) and op.get_irdl_definition().name == op.name
    assert op.get_traits_of_type(MemoryEffect)


def operand(*shape: int) -> ConstantOp:
    return ConstantOp.of(np.ones(shape, np.float32), el.F32)


def test_accessors() -> None:
    x, y = operand(2, 3), operand(2, 3)
    total = r.ReduceSumOp(x, axes=(1,), keepdims=True)
    assert total.operand is x.result and total.run_time_axes is None
    assert total.axes_attr == DenseArrayBase.from_list(IntegerAttr(0, 64).type, [1])
    assert total.keepdims == IntegerAttr(1, 1) and total.empty_axes.data == "identity"
    assert total.result.type == TensorType(f32, [2, 1])
    bounds = b.ClipOp(x, y, y)
    assert (bounds.operand, bounds.low, bounds.high) == (x.result, y.result, y.result)
    assert tuple(b.MaxOp(x, y, x).inputs) == (x.result, y.result, x.result)
    assert u.EluOp(x).alpha == FloatAttr(1.0, 64)
    elu = u.EluOp(x)
    elu.alpha = FloatAttr(0.5, 64)
    assert elu.values() == {"alpha": 0.5}


def test_defaults_are_stored() -> None:
    """So that an operator is the same, however it was written."""
    x = operand(2)
    assert r.ReduceSumOp(x).properties == r.ReduceSumOp(x, keepdims=False).properties
    assert "keepdims" not in str(r.ReduceSumOp(x, keepdims=False))


def test_properties_that_do_not_belong() -> None:
    x = operand(2)
    op = u.ExpOp(x)
    op.properties["alpha"] = FloatAttr(1.0, 64)
    with pytest.raises(VerifyException, match="alpha"):
        op.verify_()
    op = u.EluOp(x)
    op.properties["alpha"] = IntegerAttr(1, 1)
    with pytest.raises(VerifyException, match=r"opc\.elu: attribute alpha: expected a number"):
        op.verify_()


def test_a_new_operator() -> None:
    """A family declares; a class with a name is an operator, and its subclasses declare more."""

    class Family(OpcOp):
        data = operand_def(TENSOR)
        fast = prop_def(boolean("whether it hurries"), FALSE)

    class First(Family):
        name = "opc.first"

    class Second(Family):
        name = "opc.second"
        extra = operand_def(TENSOR)

    assert First.get_irdl_definition().name == "opc.first"
    assert First.operand_count == (1, 1) and Second.operand_count == (2, 2)
    assert [n for n, _ in Second.get_irdl_definition().operands] == ["data", "extra"]
    assert [p.name for p in Second.params] == ["fast"]


class NegOfSub(RewritePattern):
    """neg(a - b) --> b - a, as somebody else would write it."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: u.NegOp, rewriter: PatternRewriter) -> None:
        inner = op.operand.owner
        if isinstance(inner, b.SubOp):
            rewriter.replace(op, b.SubOp(inner.rhs, inner.lhs))


TEXT = """
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = opc.sub %x, %y
  %b = opc.sub %x, %y
  %c = opc.neg %a
  %d = opc.mul %c, %b
  return %d : tensor<4xf32>
}"""


def function_of(module: ModuleOp) -> FuncOp:
    (found,) = (op for op in module.walk() if isinstance(op, FuncOp))
    return found


def test_patterns_and_passes() -> None:
    """Rewritten and simplified, a function gives the same bits."""
    module = load(TEXT)
    inputs = [np.array(v, np.float32) for v in ([1, 2, 3, 4], [5, 5, 2, 0.5])]
    (before,) = run(function_of(module), inputs)
    cse(module)
    PatternRewriteWalker(NegOfSub()).rewrite_module(module)
    for reference in GENERIC_PASSES.values():
        resolve(reference)().apply(Context(), module)
    verify(module)
    names = [op.name for op in function_of(module).body.block.ops]
    assert names == ["opc.sub", "opc.sub", "opc.mul", "func.return"]
    (after,) = run(function_of(module), inputs)
    np.testing.assert_array_equal(before, after)


def test_pure_operators_are_pure() -> None:
    assert all(is_side_effect_free(op.create(operands=[], result_types=[])) for op in OPERATORS)
    assert get_effects(load(TEXT)) is None


def test_irdl_of_all_dialects() -> None:
    """What is printed is read again, and names every operation with operands and attributes."""
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(IRDL)
    module = Parser(context, irdl.text()).parse_module()
    module.verify()
    found = {op.sym_name.data: op for op in module.ops if isinstance(op, DialectOp)}
    assert list(found) == OWN
    for name, dialect in found.items():
        expected = {op.name.partition(".")[2]: op for op in resolve(DIALECTS[name]).operations}
        listed = {op.sym_name.data: op for op in dialect.walk() if isinstance(op, OperationOp)}
        assert list(listed) == list(expected)
        for key, made in listed.items():
            definition = expected[key].get_irdl_definition()
            operands = [o for o in made.walk() if isinstance(o, OperandsOp)]
            attributes = [o for o in made.walk() if isinstance(o, AttributesOp)]
            assert [n.data for o in operands for n in o.names] == [
                n for n, _ in definition.operands
            ]
            assert [n.data for o in attributes for n in o.attribute_value_names] == list(
                definition.properties
            )


def test_tools_of_xdsl(tmp_path: Path) -> None:
    """xdsl-opt finds our dialects and passes through the entry point that an installation has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    group = "xdsl.universe"
    lines = [f"{name} = {value}" for name, value in project["entry-points"][group].items()]
    folder = tmp_path / "opc_compiler-0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0\n"
    )
    (folder / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); "
        "from xdsl.tools.xdsl_opt import xDSLOptMain; "
        "xDSLOptMain(args=sys.argv[2:]).run()"
    )
    (tmp_path / "graph.mlir").write_text(TEXT)
    passes = "cse,infer-shapes,decompose,normalize-broadcast,dce,form-kernels"
    command = [sys.executable, "-c", program, str(tmp_path), "-p", passes]
    done = subprocess.run(
        [*command, str(tmp_path / "graph.mlir")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "kernel.nest" in done.stdout and "opc." not in done.stdout
