"""The same C for 64-bit Arm, in an executable that an emulator runs."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from opc.interpret.extents import ITERATIONS
from opc.runtime.arguments import bind_symbols

from .build import Program, compile_to
from .compare import Difference
from .graph import Array

COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"
MISSING = [name for name in (COMPILER, EMULATOR) if shutil.which(name) is None]
"""What has to be installed before any of this can run."""

MAIN = """\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *aligned_alloc(size_t, size_t); /* of C11 */

static void *space(size_t size, int is_input) {
  void *memory = aligned_alloc(64, (size + 127) / 64 * 64);
  memset(memory, 0x55, size);
  if (is_input && fread(memory, 1, size, stdin) != size) exit(2);
  return memory;
}

"""


def results(
    programs: Sequence[Program],
    inputs: Sequence[Sequence[Array]],
    wanted: Sequence[Sequence[Array]],
) -> list[list[Array] | None]:
    """The results of each program, of the same shapes as those wanted; None where it fails."""
    lines, declared = list[str](), list[str]()
    for program, given, expected in zip(programs, inputs, wanted, strict=True):
        lines += _calls(program, given, expected, declared)
    main = [*declared, "int main(void) {", *lines, "  return 0;", "}", ""]
    arrays = [x for given in inputs for x in given]
    with tempfile.TemporaryDirectory(prefix="opc-fuzz-") as name:
        folder = Path(name)
        (folder / "main.c").write_text(MAIN + "\n".join(main))
        compile_to(folder, programs, [COMPILER, "-O2", "-static"])
        done = subprocess.run(
            [EMULATOR, str(folder / "out")],
            input=b"".join(np.ascontiguousarray(x).tobytes() for x in arrays),
            capture_output=True,
            check=False,
        )
    if done.returncode:
        raise Difference(f"{EMULATOR}: ended with {done.returncode}")
    return _read(done.stdout, wanted)


def _calls(
    program: Program, given: Sequence[Array], expected: Sequence[Array], declared: list[str]
) -> list[str]:
    """One call: its arrays from standard input, its return value and results to standard output."""
    interface = program.interface
    symbols = bind_symbols(interface, program.origins, given)
    symbols |= dict.fromkeys(interface.capacities, ITERATIONS)
    dims = [f"INT64_C({symbols[n]})" for n in interface.dims]
    declared.append(f"int {interface.prefix}_run();")
    declared.append(f"int {interface.prefix}_plan();")
    weights = program.weights
    names = [f"in[{k}]" for k in range(len(given))]
    sources = [*dims, *names]
    lines = [f"  {{ void *in[{len(given) + 1}], *out[{len(expected) + 1}];"]
    lines += [f"  in[{k}] = space({x.nbytes}, 1);" for k, x in enumerate(given)]
    lines += [f"  out[{k}] = space({x.nbytes}, 0);" for k, x in enumerate(expected)]
    lines.append(f"  size_t size = {interface.workspace or 0};")
    if interface.needs_plan:
        count = 1 + sum(len(s.shape) for s in interface.outputs)
        lines.append(f"  int64_t shapes[{count}];")
        lines.append(f"  {interface.prefix}_plan({', '.join([*sources, 'shapes', '&size'])});")
    if weights is not None:
        listed = ", ".join(map(str, np.frombuffer(weights.tobytes(), np.uint8).tolist()))
        declared.append(
            f"static const _Alignas(64) uint8_t {interface.prefix}_weights[] = {{{listed}}};"
        )
        sources.append(f"{interface.prefix}_weights")
    outs = [f"out[{k}]" for k in range(len(expected))]
    found = ["shapes"] if interface.finds_shapes else []
    call = ", ".join([*sources, *outs, "space(size, 0)", *found])
    lines.append(f"  putchar({interface.prefix}_run({call}));")
    lines += [f"  fwrite({o}, 1, {x.nbytes}, stdout);" for o, x in zip(outs, expected, strict=True)]
    return [*lines, "  }"]


def _read(data: bytes, wanted: Sequence[Sequence[Array]]) -> list[list[Array] | None]:
    found: list[list[Array] | None] = []
    at = 0
    for expected in wanted:
        code, at = data[at], at + 1
        arrays = list[Array]()
        for x in expected:
            arrays.append(np.frombuffer(data[at : at + x.nbytes], x.dtype).reshape(x.shape))
            at += x.nbytes
        found.append(None if code else arrays)
    return found
