"""Keeps some outputs of a graph; drops the others and what only they need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from opc.dialects.named import INPUT_NAMES, RESULT_KEYS, RESULT_LABELS, RESULT_NAMES
from opc.dialects.stages import printed_stage
from opc.dialects.walking import walk
from opc.errors import UsageError
from opc.frontend.requested_outputs import check_names


def keep_only(module: ModuleOp, names: Sequence[str]) -> None:
    """Leave the named outputs of the only public function of a module.

    Raises UsageError as :func:`keep_outputs` does, if there are several functions, and for a module
    that some passes have changed.
    """
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    public = [f for f in functions if f.sym_visibility is None]
    stage = printed_stage(module)
    if len(public) != 1:
        raise UsageError(f"outputs: found {len(public)} functions, expected one")
    if stage is not None:
        raise UsageError(f"outputs: the module is at the stage {stage}, which has all of them")
    keep_names(public[0])
    keep_outputs(public[0], names)


def keep_names(function: FuncOp) -> None:
    """Record the names of inputs and results as attributes; passes may lose the hints."""
    end = function.body.block.last_op
    assert end is not None
    for key, values, attributes, stem in (
        (INPUT_NAMES, function.args, function.arg_attrs, "arg"),
        (RESULT_NAMES, end.operands, function.res_attrs, "out"),
    ):
        if key in function.attributes:
            continue
        names: dict[str, None] = {}
        for k, value in enumerate(values):
            # A name that is no identifier cannot be a hint, so it may be given as an attribute.
            attr = attributes.data[k].data.get("opc.name") if attributes is not None else None
            name = attr.data if isinstance(attr, StringAttr) else value.name_hint or f"{stem}{k}"
            names[name if name not in names else f"{name}_{k}"] = None
        function.attributes[key] = ArrayAttr([StringAttr(n) for n in names])


def keep_outputs(function: FuncOp, names: Sequence[str]) -> None:
    """Leave the named outputs, in that order, and what they need.

    Raises UsageError for a name that is no output, or given twice.
    """
    known = [n.data for n in cast("ArrayAttr[StringAttr]", function.attributes[RESULT_NAMES])]
    check_names(names, known)
    places = [known.index(name) for name in names]
    end = function.body.block.last_op
    assert end is not None
    end.operands = [end.operands[k] for k in places]
    function.attributes[RESULT_NAMES] = ArrayAttr(map(StringAttr, names))
    for key in (RESULT_LABELS, RESULT_KEYS):
        if key in function.attributes:
            tables = cast("ArrayAttr[Attribute]", function.attributes[key]).data
            function.attributes[key] = ArrayAttr([tables[k] for k in places])
    function.function_type = FunctionType.from_lists(
        [a.type for a in function.args], [v.type for v in end.operands]
    )
    if function.res_attrs is not None:
        kept: list[Attribute] = [function.res_attrs.data[k] for k in places]
        function.res_attrs = ArrayAttr(cast("list[DictionaryAttr]", kept))
    _drop_unused(function)


def _drop_unused(function: FuncOp) -> None:
    """Remove operations whose results are unused, and those used only by such."""
    waiting: list[Operation] = [op for op in function.body.block.ops if op.results]
    while waiting:
        op = waiting.pop()
        if op.parent is None or any(result.first_use is not None for result in op.results):
            continue
        needed = {v.owner for inner in walk(op) for v in inner.operands}
        op.detach()
        op.erase()
        waiting += [o for o in needed if isinstance(o, Operation) and o.results and o is not op]
