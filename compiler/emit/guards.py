"""What an emitted file demands of its compiler, to keep the arithmetic of the IR.

``OPENING`` refuses flags that change results, as far as compilers tell of them, and forbids
contraction to fused multiply-add.  ``CLOSING`` restores the flags for text that follows.

gcc 12 for AVX2 copies a local array of some hundred bytes, which vectors have filled, to a result
by ``rep movs``.  Its pass over dead stores overlooks that this reads memory (seed 20261601, graph
2717: a product of i64 along rows was what lay on the stack before).  ``no-dse`` turns it off.

gcc 12 exchanges two short loops of serial accumulation and so changes the order of sums (-O3 for
SSE2 and AVX2; seed 20261129, graph 4304: a convolution of 5 taps and 2 channels).
``no-loop-interchange`` forbids it.

gcc contracts by default on every processor that has the operation, except under -std=c99 and the
like.  Its pragma reaches inlined and vectorized code: the assembly is that of -ffp-contract=off
(gcc 11 and 12 for x86-64, 64-bit Arm and RISC-V, clang 14 and 19).  In clang an explicit
-ffp-contract=fast overrides the pragma, and no macro tells of it: products are fused behind the
optimizer, where no check of the file can see it.
"""

from __future__ import annotations

import re
import sys

from .texts import c_text

OPENING = c_text("guards.opening")

VECTORS = c_text("guards.vectors")
"""Defines the types of vectors, with ``OPC_HAS_VECTORS`` where they are those of GNU C."""

BYTE_ORDER = c_text(
    "guards.byte_order", ORDER=sys.byteorder.upper(), order=sys.byteorder, PREFIX="@PREFIX@"
)
"""The guard of files with weights beside them, which are in the byte order of this machine unless
they are C."""

CLOSING = c_text("guards.closing")

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_MACRO = re.compile(r"^ *# *define (OPC_\w+)", re.M)
_CONSTANT = re.compile(r"^static const \w+ (constant\d+)\[", re.M)


def own_names(code: str, prefix: str) -> tuple[list[str], list[str]]:
    """Macros that name the helpers and constants of a file after it, and that end this.

    So files whose helpers have the same names and other definitions can be one translation unit.
    Functions of the interface keep their names, also if the prefix is like a name of a helper.
    """
    plain = _COMMENT.sub("", code)
    kept = re.compile(rf"{re.escape(prefix)}_(run|plan|threads|loop\d+(_data|_iterations)?)\Z")
    names = sorted({n for n in re.findall(r"\bopc_\w+", plain) if not kept.match(n)})
    names += _CONSTANT.findall(plain)
    macros = ["OPC_RESTRICT", *dict.fromkeys(_MACRO.findall(code))]
    defined = [f"#define {name} {prefix}_{name}" for name in names]
    undefined = [f"#undef {name}" for name in (*names, *macros)]
    if not defined:
        return [], ["\n".join(undefined) + "\n"]
    return ["\n".join([_OWN, *defined]) + "\n"], ["\n".join(undefined) + "\n"]


_OWN = """\
/* Helpers are named after this file, so that several files can be compiled as one. */"""
