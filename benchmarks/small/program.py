"""A program that calls a network once, and prints what the call took."""

from __future__ import annotations

_COMMON = """\
#include <stdint.h>
#include <stdio.h>
#include <string.h>
{declared}
static float input[{inputs}] __attribute__((aligned(64)));
static float output[{outputs}] __attribute__((aligned(64)));
#ifdef BARE
/* A timer of the board that counts down from 2^32 - 1, every 40 instructions under -icount. */
static volatile uint32_t *const timer = (volatile uint32_t *)0x40000000;
/* The stack below this function, which is filled with a word: {stack} bytes are looked at. */
static uint32_t *bottom;
#define MARK 0xa5a5a5a5u
#endif

int main(void) {{
  uint32_t state = 1;
  for (int k = 0; k < {inputs}; ++k) {{
    state = state * 1664525u + 1013904223u;
    input[k] = (float)(int32_t)(state >> 8) * 0x1p-23f - 1.0f;
  }}
#ifdef BARE
  uint32_t *top = (uint32_t *)__builtin_frame_address(0) - 64;
  bottom = top - {stack} / 4;
  for (volatile uint32_t *word = bottom; word < top; ++word) {{
    *word = MARK;
  }}
  timer[2] = UINT32_MAX;
  timer[1] = UINT32_MAX;
  timer[0] = 1;
  const uint32_t before = timer[1];
#endif
  const int code = {call};
#ifdef BARE
  const uint32_t ticks = before - timer[1];
  uint32_t *word = bottom;
  while (word < top && *word == MARK) {{
    ++word;
  }}
  printf("ticks %lu stack %lu ", (unsigned long)ticks, (unsigned long)((top - word) * 4 + 256));
#endif
  uint32_t hash = 2166136261u;
  for (int k = 0; k < {outputs}; ++k) {{
    uint32_t bits;
    memcpy(&bits, &output[k], 4);
    hash = (hash ^ bits) * 16777619u;
  }}
  printf("code %d first %.6g bits %08lx\\n", code, (double)output[0], (unsigned long)hash);
  return 0;
}}
"""
STACK = 1 << 21
"""Bytes of the stack that are looked at."""
TICK = 40
"""Instructions of a tick: of 25 MHz, where an instruction takes a nanosecond."""


def of_opc(prefix: str, inputs: int, outputs: int, workspace: int, has_weights: bool) -> str:
    """The program for the C of opc."""
    declared = f'#include "{prefix}.h"\n'
    # Memory that is left as it is, so that it need not be in the flash.
    declared += f"static uint64_t workspace[{max(1, workspace // 8)}] __attribute__((aligned(64)));"
    weights = f"{prefix}_weights(), " if has_weights else ""
    call = f"{prefix}_run(input, {weights}output, workspace)"
    return _filled(declared, inputs, outputs, call)


def of_peer(function: str, inputs: int, outputs: int) -> str:
    """The program for the C of a peer."""
    declared = f"void {function}(const void *, void *);"
    return _filled(declared, inputs, outputs, f"({function}(input, output), 0)")


def _filled(declared: str, inputs: int, outputs: int, call: str) -> str:
    return _COMMON.format(declared=declared, inputs=inputs, outputs=outputs, call=call, stack=STACK)
