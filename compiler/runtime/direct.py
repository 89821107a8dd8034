"""The fast path into a compiled function, for arguments that need no conversion.

The checks of a call are known when the library is loaded, so they are generated as a Python
function without loops.  For ``f(x: f32[N,3], b: f32[N]) -> f32[N,3]`` with a workspace it is::

    def call(args, out):
        try:
            in0, in1, = args
        except ValueError:
            return None
        if (
            type(in0) is not ndarray
            or in0.dtype is not in0_dtype
            or not in0.flags.carray and in0.flags.num & 257 != 257
            or type(in1) is not ndarray
            or in1.dtype is not in1_dtype
            or not in1.flags.carray and in1.flags.num & 257 != 257
        ):
            return None
        n0, out0_shape, size, symbols, empty = sizes.get((in0.shape, in1.shape,)) or learn(args)
        in0_at = at(id(in0) + 16)
        in1_at = at(id(in1) + 16)
        if out is None:
            try:
                out0 = empty(out0_shape, out0_dtype)
            except (ValueError, MemoryError):
                return None
            out0_at = at(id(out0) + 16)
        elif (
            type(out) is not ndarray
            or out.dtype is not out0_dtype
            or out.shape != out0_shape
            or not out.flags.carray
        ):
            return None
        else:
            out0 = out
            out0_at = at(id(out0) + 16)
            start = out0_at.value or 0
            end = start + out0.nbytes
            first = in0_at.value or 0
            if first < end and start < first + in0.nbytes:
                return None
            first = in1_at.value or 0
            if first < end and start < first + in1.nbytes:
                return None
        space = workspace(size)
        code = run(n0, in0_at, in1_at, out0_at, space[0])
        if code:
            fail(code, symbols, (n0, in0_at, in1_at,))
        return out0

The text has ordinals and numbers only, never a name from a model.  With several outputs, ``out`` is
a tuple, and :func:`~opc.runtime.arguments.are_apart` tells whether they share memory.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

import numpy as np

from . import arguments, limits
from .arguments import IN_PLACE, Array, Shape, pointer, pointer_text
from .native import Native, Workspace, fixed_pointer, is_large, new_array

Direct = Callable[[Sequence[Any], Any], Any]


def direct_call(native: Native, workspace: Callable[[int], Workspace]) -> Direct:
    """A function that takes the fast path for ``args``, one for each input, and ``out``.

    It returns what the call returns, or None, having done nothing, if the general call must decide.
    It raises what the general call raises if shapes do not fit each other or a run-time check
    fails.
    """
    interface = native.interface
    if interface.finds_shapes or interface.capacities or interface.donated:
        return lambda args, out: None
    sizes: dict[tuple[Shape, ...], tuple[Any, ...]] = {}

    def maker(shapes: Sequence[Sequence[int | str]]) -> Callable[..., Array]:
        """The function that makes arrays of these shapes; for small ones NumPy's is faster."""
        types = (spec.dtype for spec in interface.outputs)
        return new_array if any(map(is_large, shapes, types)) else np.empty

    def learn(args: Sequence[Array]) -> tuple[Any, ...]:
        """The dims, shapes of outputs, size of workspace, symbols, and maker of outputs."""
        symbols, dims = native.bind(args)
        shapes, size = native.measure([*dims, *map(pointer, args)], symbols)
        known = (*map(ctypes.c_int64, dims), *shapes, size, symbols, maker(shapes))
        if not interface.reads_sizes:
            if len(sizes) >= limits.REMEMBERED:
                sizes.clear()
            sizes[tuple(array.shape for array in args)] = known
        return known

    names: dict[str, Any] = {
        "are_apart": arguments.are_apart,
        "at": arguments.at,
        "empty": maker([spec.shape for spec in interface.outputs]),
        "fail": native.fail,
        "learn": learn,
        "ndarray": np.ndarray,
        "pointer": pointer,
        "run": native.run,
        "sizes": sizes,
        "size": interface.workspace or 0,
        "symbols": {},
        "workspace": workspace,
    }
    for letters, specs in (("in", interface.inputs), ("out", interface.outputs)):
        for k, spec in enumerate(specs):
            names[f"{letters}{k}_dtype"] = spec.dtype
            names[f"{letters}{k}_shape"] = spec.shape
    if native.weights is not None:
        names["weights"] = native.weights
        names["weights_at"] = fixed_pointer(native.weights)
    exec(_compiled("\n".join(_text(native))), names)
    return names["call"]


@functools.cache
def _compiled(text: str) -> CodeType:
    # The text depends on little but the number of arrays, so many functions share it.
    return compile(text, "<opc call>", "exec")


def _text(native: Native) -> list[str]:
    """The lines of the function ``call``."""
    interface = native.interface
    inputs = [f"in{k}" for k in range(len(interface.inputs))]
    outputs = [f"out{k}" for k in range(len(interface.outputs))]
    dims = [f"n{k}" for k in range(len(interface.dims))]
    constants = ["weights"] if native.weights is not None else []
    is_static = not interface.needs_plan and not native.origins
    lines = ["def call(args, out):"]
    if inputs:
        lines += [
            "    try:",
            f"        {', '.join(inputs)}, = args",
            "    except ValueError:",
            "        return None",
        ]
        lines += _unless([check for name in inputs for check in _input_checks(name, is_static)])
    else:
        lines += ["    if args:", "        return None"]
    if not is_static:
        key = " ".join(f"{name}.shape," for name in inputs)
        memory = f"sizes.get(({key})) or " if not interface.reads_sizes else ""
        learned = [*dims, *(f"{name}_shape" for name in outputs), "size", "symbols", "empty"]
        lines.append(f"    {', '.join(learned)} = {memory}learn(args)")
    lines += [f"    {name}_at = {pointer_text(name)}" for name in inputs]
    lines += ["    if out is None:", *_allocation(outputs)]
    if len(outputs) == 1:
        lines += _single_output([*inputs, *constants])
    else:
        lines += _several_outputs(outputs, [*inputs, *constants])
    space = "None"
    if interface.workspace != 0:
        # The owner too, not the address alone, so that the memory stays alive.
        lines.append("    space = workspace(size)")
        space = "space[0]"
    addresses = [f"{name}_at" for name in (*inputs, *constants, *outputs)]
    shown = "".join(f"{name}, " for name in (*dims, *addresses[: len(inputs)]))
    result = outputs[0] if len(outputs) == 1 else "out"
    return [
        *lines,
        f"    code = run({', '.join([*dims, *addresses, space])})",
        "    if code:",
        f"        fail(code, symbols, ({shown.rstrip()}))",
        f"    return {result}",
    ]


def _input_checks(name: str, is_static: bool) -> list[str]:
    """The conditions under which an input does not fit."""
    return [
        f"type({name}) is not ndarray",
        f"{name}.dtype is not {name}_dtype",
        *([f"{name}.shape != {name}_shape"] if is_static else []),
        # The first is the usual case of the second and takes half as long.
        f"not {name}.flags.carray and {name}.flags.num & {IN_PLACE} != {IN_PLACE}",
    ]


def _unless(conditions: Sequence[str], word: str = "    if") -> list[str]:
    """Return None if one of ``conditions`` holds; ``word`` is indented."""
    indentation = word[: -len(word.strip())]
    first, *rest = conditions
    return [
        f"{word} (",
        f"{indentation}    {first}",
        *(f"{indentation}    or {condition}" for condition in rest),
        f"{indentation}):",
        f"{indentation}    return None",
    ]


def _single_output(read: Sequence[str]) -> list[str]:
    """A new output, or the caller's if it fits and shares no memory with what C reads."""
    overlaps = [
        line
        for name in read
        for line in (
            f"        first = {name}_at.value or 0",
            f"        if first < end and start < first + {name}.nbytes:",
            "            return None",
        )
    ]
    return [
        *_unless(_output_checks("out", "out0"), "    elif"),
        "    else:",
        "        out0 = out",
        f"        out0_at = {pointer_text('out0')}",
        "        start = out0_at.value or 0",
        "        end = start + out0.nbytes",
        *overlaps,
    ]


def _several_outputs(outputs: Sequence[str], read: Sequence[str]) -> list[str]:
    """The caller's tuple of outputs, if they fit and share no memory."""
    results, inputs = ("".join(f"{name}, " for name in names) for names in (outputs, read))
    checks = [check for name in outputs for check in _output_checks(name, name)]
    return [
        f"        out = ({results})",
        f"    elif type(out) is not tuple or len(out) != {len(outputs)}:",
        "        return None",
        "    else:",
        f"        ({results}) = out",
        *_unless([*checks, f"not are_apart(out, ({inputs}))"], "        if"),
        *(f"        {name}_at = {pointer_text(name)}" for name in outputs),
    ]


def _output_checks(name: str, output: str) -> list[str]:
    """The conditions under which an array of the caller does not fit an output."""
    return [
        f"type({name}) is not ndarray",
        f"{name}.dtype is not {output}_dtype",
        f"{name}.shape != {output}_shape",
        f"not {name}.flags.carray",
    ]


def _allocation(outputs: Sequence[str]) -> list[str]:
    """New outputs; if they cannot be allocated, the general call raises."""
    if not outputs:
        return ["        pass"]
    lines = [
        "try:",
        *(f"    {name} = empty({name}_shape, {name}_dtype)" for name in outputs),
        "except (ValueError, MemoryError):",
        "    return None",
        *(f"{name}_at = {pointer_text(name)}" for name in outputs),
    ]
    return ["        " + line for line in lines]
