"""A C program that calls every graph on inputs which it makes, and prints a digest of the bits.

Inputs are ordinary numbers, then subnormal ones, then some that are infinite, zeros or no numbers.
The digest takes numbers, not bytes, so it does not depend on their order; all NaNs count as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from opc.emit.source import Emitted
from opc.support.interface import TensorSpec

EXTENT = 2
"""What every unknown extent is."""

OPENING = r"""
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS_OF_INPUTS = 3 };
static uint64_t memory[@WORDS@];
static size_t taken;
static uint32_t state;

static void *take(size_t bytes) {
  char *const start = (char *)memory + taken;
  char *const aligned = start + (64 - (uintptr_t)start % 64) % 64;
  taken = (size_t)(aligned - (char *)memory) + bytes;
  if (taken > sizeof memory) exit(3);
  memset(aligned, 0xA5, bytes);
  return aligned;
}

static uint32_t draw(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static double number(int kind, double least) {
  const uint32_t u = draw();
  const double x = ((double)(u >> 8) - 8388608.0) / 4194304.0;
  if (kind == 1) return x * (least * 8388608.0);
  if (kind == 2 && u % 61 == 3) {
    const double zero = x * 0.0;
    return u & 1 ? zero : u & 2 ? 1e300 * 1e300 : 1e300 * 1e300 - 1e300 * 1e300;
  }
  return x;
}

static void fill(void *to, size_t count, int bytes, char type, int kind) {
  for (size_t k = 0; k < count; ++k) {
    if (type == 'f' && bytes == 4) {
      ((float *)to)[k] = (float)number(kind, 1.401298464324817e-45);
    } else if (type == 'f' && bytes == 8) {
      ((double *)to)[k] = number(kind, 4.9406564584124654e-324);
    } else if (bytes == 8) {
      ((uint64_t *)to)[k] = (uint64_t)draw() << 32 | draw();
    } else if (bytes == 4) {
      ((uint32_t *)to)[k] = draw();
    } else if (bytes == 2) {
      ((uint16_t *)to)[k] = (uint16_t)(draw() & 0xbfff);
    } else {
      ((uint8_t *)to)[k] = (uint8_t)(draw() & (type == 'b' ? 1 : 255));
    }
  }
}

static uint32_t digest(uint32_t h, const void *from, size_t count, int bytes, uint64_t infinity) {
  for (size_t k = 0; k < count; ++k) {
    uint64_t v = bytes == 8   ? ((const uint64_t *)from)[k]
                 : bytes == 4 ? ((const uint32_t *)from)[k]
                 : bytes == 2 ? ((const uint16_t *)from)[k]
                              : ((const uint8_t *)from)[k];
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    if (infinity != 0 && (v & (sign - 1)) > infinity) v = infinity + 1;
    for (int b = 0; b < bytes; ++b) h = (h ^ (uint32_t)(v >> (8 * b) & 255)) * 16777619u;
  }
  return h;
}
"""

INFINITIES = {
    "float64": "0x7ff0000000000000u",
    "float32": "0x7f800000u",
    "float16": "0x7c00u",
    "bfloat16": "0x7f80u",
}


def program(graphs: Iterable[Emitted]) -> str:
    """The text, in C99; it includes the headers of the graphs and prints a line for each call."""
    graphs = list(graphs)
    functions = [_function(graph) for graph in graphs]
    words = 1024 + max(map(_words, graphs))
    includes = [f'#include "{g.interface.prefix}.h"' for g in graphs]
    main = ["int main(void) {"]
    main += [f"  call_{g.interface.prefix}(kind);" for g in graphs]
    main.insert(1, "  for (int kind = 0; kind < KINDS_OF_INPUTS; ++kind) {")
    main += ["  }", "  return 0;", "}", ""]
    return "\n".join([OPENING.replace("@WORDS@", str(words)), *includes, *functions, *main])


def _count(spec: TensorSpec) -> int:
    return prod(extent if isinstance(extent, int) else EXTENT for extent in spec.shape)


def _words(graph: Emitted) -> int:
    specs = (*graph.interface.inputs, *graph.interface.outputs)
    sizes = [_count(spec) * spec.dtype.itemsize + 64 for spec in specs]
    workspace = graph.interface.workspace
    return (sum(sizes) + (16384 if workspace is None else workspace)) // 8


def _function(graph: Emitted) -> str:
    interface, prefix = graph.interface, graph.interface.prefix
    lines: list[str] = []
    lines += [
        f"static void call_{prefix}(int kind) {{",
        "  uint32_t h = 2166136261u;",
        f"  size_t bytes = {interface.workspace or 0};",
        "  taken = 0;",
        f"  state = {sum(prefix.encode())}u + (uint32_t)kind;",
    ]
    names = [str(EXTENT)] * len(interface.dims)
    for k, spec in enumerate(interface.inputs):
        size, kind = spec.dtype.itemsize, spec.dtype.name[0]
        lines.append(f"  void *const in{k} = take({_count(spec) * size});")
        lines.append(f"  fill(in{k}, {_count(spec)}, {size}, '{kind}', kind);")
        names.append(f"in{k}")
    if interface.needs_plan:
        lines.append(f"  int64_t shapes[{prefix.upper()}_SHAPES];")
        lines.append(f"  int code = {prefix}_plan({', '.join([*names, 'shapes', '&bytes'])});")
    else:
        lines.append("  int code = 0;")
    names += ["weights"] if interface.has_weights else []
    for k, spec in enumerate(interface.outputs):
        lines.append(f"  void *const out{k} = take({_count(spec) * spec.dtype.itemsize});")
        names.append(f"out{k}")
    call = ", ".join([*names, "take(bytes)"]).replace("weights", f"{prefix}_weights()")
    lines.append(f"  code |= {prefix}_run({call});")
    for k, spec in enumerate(interface.outputs):
        infinity = INFINITIES.get(spec.dtype.name, "0")
        lines.append(f"  h = digest(h, out{k}, {_count(spec)}, {spec.dtype.itemsize}, {infinity});")
    lines.append(f'  printf("{prefix} %d %d %08lx\\n", kind, code, (unsigned long)h);')
    return "\n".join([*lines, "}", ""])
