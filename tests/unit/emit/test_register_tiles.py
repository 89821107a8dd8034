"""Sums of a tile stay in registers: what gcc and clang make of tiles of every width."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import opc
from opc.api.driver import Options, load, lower
from opc.support.target import ROLLED_SUMS
from opc.support.targets import target as target_of
from tests.unit.common.assembly import assembly, longest_run, on_the_stack

pytestmark = [pytest.mark.sample(16), pytest.mark.level("-O3")]

REGISTERS = {"avx2": "ymm", "avx512": "zmm"}
TYPES = {"f32": 4, "f64": 8}
GRAPH = """
func.func @main(%a: tensor<{rows}x96x{type}>, %b: tensor<96x{columns}x{type}>)
    -> tensor<{rows}x{columns}x{type}> {{
  %c = opc.matmul %a, %b
  func.return %c : tensor<{rows}x{columns}x{type}>
}}"""
BYTES = """
func.func @main(%a: tensor<96x256xui8>, %b: tensor<256x512xi8>) -> tensor<96x512xi32> {
  %x = opc.cast %a -> tensor<96x256xi32>
  %y = opc.cast %b -> tensor<256x512xi32>
  %c = opc.matmul %x, %y
  func.return %c : tensor<96x512xi32>
}"""
TREE = """schedule.tree {{
  schedule.pack right by {columns}
  schedule.for [d0] by {rows} parallel {{
    schedule.for [d1] by {columns} serial {{
      schedule.run init
      schedule.for [d2] by 1 serial {{
        schedule.for [d0] by 1 unroll {{
          schedule.for [d1] by {lanes} vector {{
            schedule.run step
          }}
        }}
      }}
      schedule.run finish
      schedule.for [d0] by 1 serial {{
        schedule.for [d1] by 1 vector {{
          schedule.run out
        }}
      }}
    }}
  }}
}} }} func.return }} }}"""


SPILLS = {"gcc": 0.2, "clang": 0.0}
"""Accesses to the stack for each multiply-add, at most.  gcc 12 mixes up to eight steps of the
chain of small tiles, for which some leave too few registers; none of those that are not mixed."""
MOVES = {"gcc": 0.4, "clang": 0.0}
"""Moves from register to register for each multiply-add, at most: processors rename them."""


def tiles(target: str) -> list[tuple[int, int]]:
    """Rows and vectors of columns: the tallest tiles that registers hold, and some lower ones."""
    machine = target_of(target)
    found: list[tuple[int, int]] = []
    for vectors in range(1, machine.sums_in_flight + 1):
        tallest = (machine.registers - 1 - vectors) // vectors
        found += [(rows, vectors) for rows in sorted({1, tallest // 2, tallest}) if rows > 0]
    return found


CASES = [
    pytest.param(
        *(compiler, target, type, rows, vectors),
        marks=[] if type == "f32" and rows > 1 and vectors in (1, 2, 4) else [pytest.mark.long],
    )
    for compiler in ("gcc", "clang")
    for target in REGISTERS
    for type in TYPES
    for rows, vectors in tiles(target)
]


def steps_of(compiler: str, target: str, type: str, rows: int, vectors: int, tmp_path: Path) -> str:
    """The assembly of a step of the chain, or of several."""
    lanes = target_of(target).vector_bytes // TYPES[type]
    columns = vectors * lanes
    graph = GRAPH.format(rows=4 * rows, columns=4 * columns, type=type)
    nest = lower(load(graph), Options(target=target)).ir("schedule").partition("schedule.tree {")[0]
    tree = TREE.format(rows=rows, columns=columns, lanes=lanes)
    c = opc.lower(nest + tree, target=target, cache=None).c_source
    return longest_run(assembly(c, target, tmp_path, compiler))


@pytest.mark.parametrize("rows", [2, 3, 4])
@pytest.mark.parametrize("target", REGISTERS)
def test_a_step_of_few_rows_reads_columns_once(target: str, rows: int, tmp_path: Path) -> None:
    """Of 8 steps that gcc mixed, each row read the columns again."""
    main = steps_of("gcc", target, "f32", rows, 2, tmp_path)
    products = re.findall(r"vfmadd.*", main)
    reads = [line for line in main.splitlines() if REGISTERS[target] in line and "(" in line]
    columns = [line for line in reads if "broadcast" not in line and "1to16" not in line]
    assert products and len(columns) <= 2 * len(products) // (2 * rows), main


def test_sums_of_bytes_stay_in_sixteen_registers(tmp_path: Path) -> None:
    """gcc began the products of all rows before it added them to the sums."""
    made = lower(load(BYTES), Options(target="avx2"))
    main = longest_run(assembly(made.c_source, "avx2", tmp_path), "vpmaddwd")
    assert main.count("vpmaddwd") >= 8
    assert not on_the_stack(main, "ymm")


@pytest.mark.parametrize(("compiler", "target", "type", "rows", "vectors"), CASES)
def test_sums_stay_in_registers(
    compiler: str, target: str, type: str, rows: int, vectors: int, tmp_path: Path
) -> None:
    """A step of the chain is a multiply-add for each vector of the tile, and hardly any traffic."""
    main = steps_of(compiler, target, type, rows, vectors, tmp_path)
    products = re.findall(r"vfmadd\w+[ps][sd].*", main)
    assert all(REGISTERS[target] in line for line in products)
    assert products and len(products) % (rows * vectors) == 0
    wide = [line for line in main.splitlines() if REGISTERS[target] in line]
    spilled = on_the_stack(main, REGISTERS[target])
    is_full = rows * vectors >= ROLLED_SUMS
    assert len(spilled) <= len(products) * (0 if is_full else SPILLS[compiler])
    # All other vector instructions load columns and values of rows; gcc moves some sums about.
    loads = len(products) // (rows * vectors) * (rows + vectors)
    assert len(wide) - len(products) - len(spilled) <= loads + len(products) * MOVES[compiler]
