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
-ffp-contract=fast overrides the pragma, and no macro tells of it.
"""

from __future__ import annotations

import re
import sys

OPENING = """\
#include <float.h>

/* Results have the same bits with every compiler and instruction set as long as arithmetic is that
   of IEEE 754 and a * b + c is not contracted to one operation.  Flags that break this are refused
   where compilers tell of them; clang must not get -ffp-contract=fast or parts of -ffast-math. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "this file must not be compiled with -ffast-math or parts of it"
#elif defined(_M_FP_FAST)
#error "this file must not be compiled with /fp:fast"
#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "this file must not be compiled with flags under which arithmetic is not that of IEEE 754"
#elif (defined(__x86_64__) || defined(__i386__)) && defined(__GCC_IEC_559) && __GCC_IEC_559 == 0
#error "this file must not be compiled with flags under which arithmetic is not that of IEEE 754"
#elif FLT_RADIX != 2 || FLT_MANT_DIG != 24 || DBL_MANT_DIG != 53
#error "float and double must be those of IEEE 754, of 32 and 64 bits"
#elif FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 && defined(__s390__)
#error "float and double must not be computed in wider types: use -fexcess-precision=fast"
#elif FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "float and double must not be computed in wider types: on x86 use -msse2 -mfpmath=sse"
#elif defined(__clang__) && defined(__arm__) && defined(__ARM_NEON)
#error "clang computes with NEON here, which flushes subnormal numbers: use -mfpu=vfpv4-d16 or gcc"
#elif defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2) != 0
#error "MVE flushes subnormal numbers: use +nomve, as in -mcpu=cortex-m55+nomve"
#elif defined(__ALTIVEC__) && !defined(__VSX__)
#error "AltiVec flushes subnormal numbers: use -mvsx, or -mno-altivec"
#endif
extern char OPC_constants_are_double[sizeof(1.0) == 8 ? 1 : -1];

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#pragma clang fp contract(off)
#pragma clang diagnostic push
/* The instruction set decides which functions are used. */
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined(__GNUC__)
#pragma GCC push_options
/* gcc 12 deletes stores to arrays that string instructions then copy (-fdse), and exchanges loops
   of serial accumulation (-floop-interchange). */
#pragma GCC optimize("fp-contract=off", "no-dse", "no-loop-interchange")
#pragma GCC diagnostic push
/* A loop without iterations leaves an array uninitialized, which is passed on but not read. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#else
#pragma STDC FP_CONTRACT OFF
#endif

#if defined(__cplusplus) || defined(_MSC_VER)
#define OPC_RESTRICT __restrict
#else
#define OPC_RESTRICT restrict
#endif
"""

VECTORS = """\
/* Vectors are those of GNU C.  Where a compiler has none, or under -DOPC_PLAIN, a vector of lanes
   is one number, and a register with sums an array: that is C99, with the same bits, and slow. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__) && !defined(OPC_PLAIN)
#define OPC_HAS_VECTORS 1
#define OPC_LANES(bytes) __attribute__((vector_size(bytes)))
#define OPC_SUMS(lanes, bytes) __attribute__((vector_size(bytes)))
typedef float opc_four_numbers OPC_LANES(16);
extern char opc_vectors_are_there[sizeof(opc_four_numbers) == 16 ? 1 : -1];
#else
#define OPC_LANES(bytes)
#define OPC_SUMS(lanes, bytes) [lanes]
#endif
"""
"""Defines the types of vectors, with ``OPC_HAS_VECTORS`` where they are those of GNU C."""

BYTE_ORDER = f"""\
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_{sys.byteorder.upper()}_ENDIAN__
#ifndef @PREFIX@_WEIGHTS_IN_C
#error "the weights are in a file for {sys.byteorder}-endian processors: use --emit c,h,weights-c"
#endif
#endif
"""
"""The guard of files with weights beside them, which are in the byte order of this machine unless
they are C."""

CLOSING = """\
#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif
"""

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
