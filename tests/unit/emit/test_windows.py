"""C for 64-bit Windows, built by mingw and run in wine: threads, and a library that is unloaded."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from opc.api.driver import lower
from opc.api.options import Options
from tests.portable.machines import WINE

COMPILER = "x86_64-w64-mingw32-gcc"
FLAGS = ("-std=c99", "-O2", "-w", "-ffp-contract=off", "-pthread", "-D_REENTRANT")
pytestmark = pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"no {COMPILER}")
needs_wine = pytest.mark.skipif(WINE is None, reason="wine64 is not installed")

GRAPH = """\
func.func @g(%x: tensor<128x512xf32>, %w: tensor<512x384xf32>) -> tensor<128x384xf32> {
  %p = opc.matmul %x, %w
  return %p : tensor<128x384xf32>
}
"""
ARRAYS = """
static float x[128 * 512], w[512 * 384], alone[128 * 384], shared[128 * 384];
static void *workspace;
static void fill(void) {
  for (int k = 0; k < 128 * 512; ++k) x[k] = (float)(k * 7919 % 1000) / 500 - 1;
  for (int k = 0; k < 512 * 384; ++k) w[k] = (float)(k * 104729 % 1000) / 500 - 1;
  workspace = malloc(1 << 20);
}
"""
SHARED = f"""
#include "g.c"
#include <stdio.h>
#include <stdlib.h>
{ARRAYS}
int main(void) {{
  fill();
  g_threads(1);
  int code = g_run(x, w, alone, workspace);
  g_threads(3);
  /* A loop that loses time by sharing is computed alone for a while. */
  for (int k = 0; k < 50; ++k) code |= g_run(x, w, shared, workspace);
  printf("%d %d %d", code, memcmp(alone, shared, sizeof alone), (int)g_opc_pool.started);
}}
"""
UNLOADED = f"""
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
{ARRAYS}
typedef int (*run)(const float *, const float *, float *, void *);
typedef int (*threads)(int);
int main(void) {{
  fill();
  for (int k = 0; k < 3; ++k) {{
    HMODULE library = LoadLibraryA("g.dll");
    if (library == NULL) return 2;
    ((threads)(void *)GetProcAddress(library, "g_threads"))(3);
    if (((run)(void *)GetProcAddress(library, "g_run"))(x, w, alone, workspace) != 0) return 3;
    FreeLibrary(library);
  }}
  printf("unloaded");
}}
"""


def built(folder: Path, text: str, *words: str) -> None:
    """What a C text gives, with the C of the graph beside it."""
    lowered = lower(GRAPH, Options(target="baseline", threads=3, cache=None))
    assert "g_threads" in lowered.c_source
    (folder / "g.c").write_text(lowered.c_source)
    (folder / "program.c").write_text(text)
    done = subprocess.run(
        [COMPILER, *FLAGS, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def printed(folder: Path) -> str:
    """What the program prints in wine."""
    done = subprocess.run(
        ["env", "WINEDEBUG=-all", str(WINE), "program.exe"],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_wine
def test_threads_share_loops(tmp_path: Path) -> None:
    built(tmp_path, SHARED, "-static", "program.c", "-o", "program.exe")
    assert printed(tmp_path) == "0 0 2"


@needs_wine
def test_a_library_is_unloaded(tmp_path: Path) -> None:
    """Threads would wait for the lock of the loader, which waits for them."""
    built(tmp_path, UNLOADED, "-static", "-shared", "g.c", "-o", "g.dll")
    built(tmp_path, UNLOADED, "program.c", "-o", "program.exe")
    assert printed(tmp_path) == "unloaded"
