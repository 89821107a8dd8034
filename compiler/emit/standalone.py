"""A C program around an emitted function: it reads arrays from files and writes the results.

It serves to try the C without Python, and tools that watch memory, such as sanitizers: every array
is an allocation of exactly its size, and results hold only what the function writes.
"""

from __future__ import annotations

import math

from opc.support.interface import Interface, TensorSpec

from .texts import c_text


def program(interface: Interface, weight_bytes: int, has_weights_in_c: bool = False) -> str:
    """The text of a program in C99, and POSIX or Windows, that includes the header ``PREFIX.h``.

    It reads weights from a file, or calls ``PREFIX_weights()`` where they are in C.
    """
    prefix = interface.prefix
    dims = [f"n{k}" for k in range(len(interface.dims))]
    ins = [f"in{k}" for k in range(len(interface.inputs))]
    outs = [f"out{k}" for k in range(len(interface.outputs))]
    weights = ["weights"] if interface.has_weights else []
    read = [] if has_weights_in_c else weights
    words = [*dims, *ins, *read, *outs]
    at = {word: f"argv[{1 + k}]" for k, word in enumerate(words)}
    named = dict(zip(interface.dims, dims, strict=True))
    lines = [
        f"  if (argc != {1 + len(words)}) {{",
        f'    fail(2, "usage: {prefix}", "{_usage(words)}");',
        "  }",
        *(f"  const int64_t {n} = extent({at[n]});" for n in dims),
    ]
    for name, spec in zip(ins, interface.inputs, strict=True):
        lines.append(f"  const size_t {name}_bytes = {_bytes(spec, named)};")
        lines.append(
            f"  void *const {name} = read_into(allocate({name}_bytes), {at[name]}, {name}_bytes);"
        )
    if read:
        room = f"allocate_aligned({weight_bytes})"
        lines.append(f"  void *const weights = read_into({room}, {at['weights']}, {weight_bytes});")
    elif weights:
        lines.append(f"  const void *const weights = {prefix}_weights();")
    start = 0
    if interface.needs_plan:
        ranks = sum(len(spec.shape) for spec in interface.outputs)
        call = ", ".join([*dims, *ins, "shapes", "&workspace_bytes"])
        lines += [
            f"  int64_t shapes[{max(ranks, 1)}];",
            "  size_t workspace_bytes;",
            f'  check({prefix}_plan({call}), "{prefix}_plan");',
        ]
    else:
        lines.append(f"  const size_t workspace_bytes = {interface.workspace};")
    for name, spec in zip(outs, interface.outputs, strict=True):
        rank = len(spec.shape)
        size = _bytes(spec, named)
        if interface.needs_plan and rank:
            size = f"bytes({spec.dtype.itemsize}, {rank}, shapes + {start})"
        start += rank
        lines.append(f"  const size_t {name}_bytes = {size};")
        lines.append(f"  void *const {name} = allocate({name}_bytes);")
    shapes = ["shapes"] if interface.finds_shapes else []
    call = ", ".join([*dims, *ins, *weights, *outs, "workspace", *shapes])
    lines += [
        "  void *const workspace =",
        "      workspace_bytes == 0 ? NULL : allocate_aligned(workspace_bytes);",
        "  OPC_BEFORE_CALL(workspace, workspace_bytes);",
        f'  check({prefix}_run({call}), "{prefix}_run");',
        *_written(interface, outs, at),
        *(f"  free({word});" for word in [*ins, *outs]),
        *(f"  free_aligned({word});" for word in [*read, "workspace"]),
        "  return 0;",
    ]
    opening = c_text("standalone.opening", prefix=prefix, usage=_usage(words))
    main = "\nint main(int argc, char **argv) {\n" + "\n".join(lines) + "\n}\n"
    helpers = [c_text("standalone.extent")] if dims else []
    if " bytes(" in main:
        helpers.append(c_text("standalone.bytes"))
    return "".join(
        [opening, *helpers, c_text("standalone.arrays"), c_text("standalone.aligned"), main]
    )


def _written(interface: Interface, outs: list[str], at: dict[str, str]) -> list[str]:
    """The statements that write the results, in the shapes that the call found."""
    lines: list[str] = []
    start = 0
    for name, spec in zip(outs, interface.outputs, strict=True):
        size, rank = f"{name}_bytes", len(spec.shape)
        if interface.finds_shapes and rank:
            size = f"bytes({spec.dtype.itemsize}, {rank}, shapes + {start})"
        start += rank
        lines.append(f"  write_array({at[name]}, {name}, {size});")
    return lines


def _usage(words: list[str]) -> str:
    """All arguments by name; of very many, the first and the last ones."""
    return " ".join(words if len(words) <= 16 else [*words[:8], "...", *words[-4:]])


def _bytes(spec: TensorSpec, named: dict[str, str]) -> str:
    """The size of an array, as C."""
    if spec.is_static:
        return str(math.prod(n for n in spec.shape if isinstance(n, int)) * spec.dtype.itemsize)
    extents = ", ".join(str(named.get(n, n)) if isinstance(n, str) else str(n) for n in spec.shape)
    rank = len(spec.shape)
    return f"bytes({spec.dtype.itemsize}, {rank}, (const int64_t[]){{{extents}}})"
