"""Schedules of contractions whose loops stand in the wrong place are refused."""

from __future__ import annotations

import pytest

import opc

from .test_illegal_schedules import schedule

pytestmark = pytest.mark.sample(4)

ALONE = "found {1}; expected the same loops over points from {0} to finish: the chain along"
AROUND = {
    "c15 rows around a chain": (
        "product", "[d2] by 1 serial", "[d0] by 2 serial",
        ALONE.format("init", r"\[d0\] by 2 serial around step and not around init"),
    ),
    "c15 columns around a chain": (
        "product", "[d2] by 1 serial", "[d1] by 32 serial",
        ALONE.format("init", r"\[d1\] by 32 serial around step and not around init"),
    ),
    "c15 rows in a chain": (
        "product", "[d0] by 1 unroll", "[d0] by 1 parallel",
        ALONE.format("init", r"\[d0\] by 1 parallel around step and not around init"),
    ),
    "c15 rows around blocks": (
        "blocks", "[d2] by 512 serial", "[d0] by 7 parallel",
        ALONE.format("start", r"\[d0\] by 7 parallel around init and not around start"),
    ),
    "c15 rows around a part": (
        "blocks", "[d2] by 1 serial", "[d0] by 7 serial",
        ALONE.format("start", r"\[d0\] by 7 serial around step and not around start"),
    ),
    "c15 rows around start": (
        "blocks", "run start", "[d0] by 7 serial",
        ALONE.format("start", r"\[d0\] by 7 serial around start and not around init"),
    ),
    "c15 rows in one of two versions": (
        "unknown products", "[d2] by 1 serial", "[d0] by 1 serial",
        ALONE.format("init", r"\[d0\] by 1 serial around step and not around init"),
    ),
    "c15 images around a chain": (
        "images", "[d3] by 1 serial", "[d0] by 1 serial",
        ALONE.format("init", r"\[d0\] by 1 serial around step and not around init"),
    ),
    "c4 rows around init": (
        "product", "run init", "[d0] by 2 serial",
        r"found .* around finish, expected .*\[d0\] by 2 serial, as around init",
    ),
    "c4 rows around finish": (
        "blocks", "run finish", "[d0] by 2 serial",
        r"found .*\[d0\] by 2 serial around finish, expected .*, as around init",
    ),
    "c4 start in a block": (
        "blocks", "run start", "[d2] by 512 serial",
        r"\[d2\] by 512 serial around start and out; expected .*, start in front",
    ),
    "c16 parts of a tile": (
        "product", "[d1] by 1 vector", "[d1] by 8 serial",
        r"found \[d0\] by 1 serial \[d1\] by 8 .*, expected loops by 1",
    ),
}  # fmt: skip
"""A graph, what stands in another loop then, that loop, and what is said about it."""


@pytest.mark.parametrize("name", AROUND)
def test_a_loop_in_the_wrong_place_is_refused(name: str) -> None:
    graph, line, loop, message = AROUND[name]
    lines = schedule(graph).splitlines()
    first = next(k for k, text in enumerate(lines) if line in text)
    end = first
    if lines[first].endswith("{"):
        close = lines[first].split("schedule")[0] + "}"
        end = next(k for k, text in enumerate(lines) if k > first and text == close)
    lines[end] += "\n}"
    lines[first] = f"schedule.for {loop} {{\n{lines[first]}"
    with pytest.raises(opc.OpcError, match=message):
        opc.lower("\n".join(lines), cache=None)


def test_sums_are_not_taken_behind_their_tile() -> None:
    """Loops over the sums of a tile behind the loops over tiles read what is there no more."""
    text = schedule("product")
    old = "schedule.run finish\n"
    edited = text.replace(old, f"{old} }} schedule.for [d0] by 6 serial {{\n")
    with pytest.raises(opc.OpcError, match="expected out to take the sums of the tile in which"):
        opc.lower(edited, cache=None)


def test_what_is_no_loop_of_a_contraction_is_refused() -> None:
    """Nothing lowers it in a contraction: what stood in it was left out."""
    text = schedule("product")
    old = "schedule.for [d1] by 64 parallel {"
    start, end = text.index(old), text.index("      }\n    }\n    func.return")
    edited = f"{text[:start]}schedule.non_temporal stores [0] {{ {text[start:end]} }}{text[end:]}"
    with pytest.raises(opc.OpcError, match=r"found schedule\.non_temporal, expected loops, stages"):
        opc.lower(edited, cache=None)
