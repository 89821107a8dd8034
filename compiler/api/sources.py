"""The module of one function that is compiled."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr

from opc.dialects.named import forms_of
from opc.dialects.opc.control import bodies_below
from opc.dialects.stages import printed_stage
from opc.errors import UsageError
from opc.frontend import fixed_dims
from opc.frontend.mlir.reader import select_function
from opc.support.provenance import number_nodes

from .options import Options
from .outputs import keep_names, keep_outputs


def source_of(module: ModuleOp, function: str | None, options: Options | None = None) -> ModuleOp:
    """A module of one function, first, and the bodies of its control flow.

    It has the names of the function's values, the numbers of its nodes, the extents that ``dims``
    of the options fixes, and the forms that decide bits.  Of the ``outputs`` of a graph all but
    those named go, and what only they need.  Raises UsageError where these do not fit.
    """
    options = options or Options()
    dims, outputs = options.dims, options.outputs
    selected = select_function(module, function)
    copy = selected.clone()
    copies = [copy, *(body.clone() for body in bodies_below(selected))]
    stage = printed_stage(module)
    if stage is None:
        keep_names(copy)
        for copied in copies:
            number_nodes(copied)
    elif dims:
        raise UsageError(f"dims: the module is at the stage {stage}; fix extents of the graph")
    elif outputs is not None:
        raise UsageError(f"outputs: the module is at the stage {stage}, which has all of them")
    if outputs is not None:
        keep_outputs(copy, outputs)
    for name, chosen in forms_of(selected).items():
        word = getattr(options, name)
        if word is None:
            continue
        if stage is not None and word != chosen:
            raise UsageError(f"{name}: the module is at the stage {stage}, which has chosen")
        copy.attributes[f"opc.{name}"] = StringAttr(word)
    source = ModuleOp(copies)
    fixed_dims.fix(copy, dims)
    return source
