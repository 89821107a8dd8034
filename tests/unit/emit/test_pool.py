"""The threads of a C file: every round of a loop is computed once, whoever computes it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from opc.emit.texts import c_text
from opc.emit.threads import GNU, pool

PROGRAM = (
    GNU
    + """
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
"""
    + pool()
    + c_text("macros.limit", name="pool_threads")
    + """
enum { MOST = 1000, CALLERS = 3 };

typedef struct {
  int *seen;
  int64_t most, calls[OPC_MOST_THREADS];
} counts;

/* Each thread writes to its own place, as it does to its part of a workspace. */
static void count(const void *data, int64_t begin, int64_t end, int64_t thread) {
  counts *const given = *(counts *const *)data;
  assert(begin < end && thread >= 0 && thread < given->most);
  given->calls[thread] += 1;
#ifdef __linux__
  cpu_set_t own;
  assert(thread == 0 || opc_pool.avoided == 0 ||
         (pthread_getaffinity_np(pthread_self(), sizeof own, &own) == 0 &&
          !CPU_ISSET((size_t)opc_pool.avoided - 1, &own)));
#endif
  for (int64_t k = begin; k < end; ++k) {
    given->seen[k] += 1;
  }
}

static void share_all(int rounds) {
  static _Thread_local int seen[MOST];
  for (int round = 0; round < rounds; ++round) {
    const int64_t threads = 1 + round % 5, step = 1 + round % 3, extent = 1 + round * 7 % MOST;
    counts given = {seen, threads, {0}};
    const counts *const data = &given;
    memset(seen, 0, sizeof seen);
    pool_threads((int)threads);
    const int64_t most = round % 2 ? threads : OPC_MOST_THREADS;
    opc_share(count, &data, 0, extent, step, most, round % 7 ? OPC_FORK : OPC_JOIN);
    for (int64_t k = 0; k < MOST; ++k) {
      assert(seen[k] == (k < extent));
    }
    assert(pool_threads(0) == (int)threads);
  }
}

static void *caller(void *given) {
  (void)given;
  share_all(400);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t callers[CALLERS];
  share_all(2000);
  for (int k = 0; k < CALLERS; ++k) {
    assert(pthread_create(&callers[k], NULL, caller, NULL) == 0);
  }
  share_all(400);
  for (int k = 0; k < CALLERS; ++k) {
    pthread_join(callers[k], NULL);
  }
  (void)argv;
  if (argc > 1) {
    const pid_t child = fork();
    if (child == 0) {
      share_all(200);
      puts("child");
      return 0;
    }
    int status = 1;
    assert(waitpid(child, &status, 0) == child && status == 0);
  }
  puts("parent");
  return 0;
}
"""
)

BUILDS = {
    "gcc": ["gcc", "-O2"],
    "clang": ["clang", "-O2"],
    "gcc races": ["gcc", "-O1", "-g", "-fsanitize=thread"],
    "gcc addresses": ["gcc", "-O1", "-g", "-fsanitize=address,undefined"],
}


@pytest.mark.parametrize("name", BUILDS)
def test_every_round_once(name: str, tmp_path: Path) -> None:
    argv = BUILDS[name]
    if shutil.which(argv[0]) is None:
        pytest.skip(f"{argv[0]} is not installed")
    source, program = tmp_path / "pool.c", tmp_path / "pool"
    source.write_text(PROGRAM, encoding="utf-8")
    command = [*argv, "-std=gnu11", "-Wall", "-Wextra", "-pthread", str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    # Those who look for races know of no threads after a fork.
    forks = [] if "-fsanitize=thread" in argv else ["forks"]
    command = [str(program), *forks]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.split() == [*("child" for _ in forks), "parent"], done.stderr[-4000:]
