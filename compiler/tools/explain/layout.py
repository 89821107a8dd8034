"""Places for the nodes of a graph that goes from top to bottom, in layers.

The method is Sugiyama's: a layer for each node, dummies in the layers that an edge crosses, an
order in every layer that keeps neighbours together, and positions that are as close to the mean of
the neighbours as the order lets them be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

GAP = 16.0
"""Between the nodes of a layer."""
LAYER = 46.0
"""From one layer to the next."""
SWEEPS = 8
"""Down and up again, for the order and for the positions."""
BEND = 6.0
"""The width of an edge where it crosses a layer."""


@dataclass(frozen=True)
class Drawing:
    """The middle of each node, the points of each edge, and the size of all."""

    nodes: list[tuple[float, float]]
    edges: dict[tuple[int, int], list[tuple[float, float]]]
    width: float
    height: float


def layout(widths: Sequence[float], edges: Sequence[tuple[int, int]], height: float) -> Drawing:
    """Place nodes of these widths and of one height; edges go from lower numbers to higher ones."""
    ends = sorted({(a, b) for a, b in edges if a < b})
    layers = _layers(len(widths), ends)
    placed, chains = _with_dummies(layers, ends)
    sizes = [*widths, *[BEND] * (len(placed) - len(widths))]
    above: defaultdict[int, list[int]] = defaultdict(list)
    below: defaultdict[int, list[int]] = defaultdict(list)
    for chain in chains.values():
        for a, b in pairwise(chain):
            if a not in above[b]:
                above[b].append(a)
                below[a].append(b)
    rows: list[list[int]] = [[] for _ in range(max(placed, default=-1) + 1)]
    for v, layer in enumerate(placed):
        rows[layer].append(v)
    _order(rows, above, below)
    x = _positions(rows, sizes, above, below)
    left = min((x[v] - sizes[v] / 2 for v in range(len(x))), default=0.0)
    right = max((x[v] + sizes[v] / 2 for v in range(len(x))), default=0.0)

    def point(v: int) -> tuple[float, float]:
        return x[v] - left, placed[v] * LAYER + height / 2

    return Drawing(
        [point(v) for v in range(len(widths))],
        {edge: [point(v) for v in chain] for edge, chain in chains.items()},
        right - left,
        max(len(rows) - 1, 0) * LAYER + height,
    )


def _layers(count: int, ends: Sequence[tuple[int, int]]) -> list[int]:
    """Each node below what it uses; what uses nothing, right above what uses it."""
    layers = [0] * count
    has_input = [False] * count
    for a, b in sorted(ends, key=lambda end: end[1]):
        layers[b] = max(layers[b], layers[a] + 1)
        has_input[b] = True
    users: defaultdict[int, list[int]] = defaultdict(list)
    for a, b in ends:
        users[a].append(layers[b])
    for v in range(count):
        if not has_input[v] and users[v]:
            layers[v] = min(users[v]) - 1
    return layers


def _with_dummies(
    layers: Sequence[int], ends: Sequence[tuple[int, int]]
) -> tuple[list[int], dict[tuple[int, int], list[int]]]:
    """The layers of nodes and dummies, and the chain that each edge is; one source shares its."""
    placed = list(layers)
    dummies: dict[tuple[int, int], int] = {}
    chains: dict[tuple[int, int], list[int]] = {}
    for a, b in ends:
        chain = [a]
        for layer in range(layers[a] + 1, layers[b]):
            if (a, layer) not in dummies:
                dummies[a, layer] = len(placed)
                placed.append(layer)
            chain.append(dummies[a, layer])
        chains[a, b] = [*chain, b]
    return placed, chains


def _order(
    rows: list[list[int]], above: Mapping[int, list[int]], below: Mapping[int, list[int]]
) -> None:
    """Order every layer by the mean place of the neighbours in the one before, down and up."""
    for sweep in range(SWEEPS):
        is_down = sweep % 2 == 0
        neighbours = above if is_down else below
        place: dict[int, float] = {}
        for row in rows if is_down else rows[::-1]:
            own = {v: float(k) for k, v in enumerate(row)}
            for v in row:
                known = [place[u] for u in neighbours.get(v, ()) if u in place]
                own[v] = sum(known) / len(known) if known else own[v]
            row.sort(key=own.__getitem__)
            place |= {v: k - (len(row) - 1) / 2 for k, v in enumerate(row)}


def _positions(
    rows: list[list[int]],
    sizes: Sequence[float],
    above: Mapping[int, list[int]],
    below: Mapping[int, list[int]],
) -> list[float]:
    x = [0.0] * len(sizes)
    for row in rows:
        _spread(row, {v: 0.0 for v in row}, sizes, x)
    for sweep in range(2 * SWEEPS):
        is_down = sweep % 2 == 0
        for row in rows if is_down else rows[::-1]:
            wanted: dict[int, float] = {}
            for v in row:
                near = [*above.get(v, ()), *below.get(v, ())] if sweep >= SWEEPS else None
                near = near or (above if is_down else below).get(v, [])
                wanted[v] = sum(x[u] for u in near) / len(near) if near else x[v]
            _spread(row, wanted, sizes, x)
    return x


def _spread(
    row: Sequence[int], wanted: Mapping[int, float], sizes: Sequence[float], x: list[float]
) -> None:
    """Put a layer where it wants to be, in order and without overlaps, by least squares.

    With the room that the nodes before take subtracted, positions must not fall: neighbours that
    would are put together at their mean (pool adjacent violators).
    """
    offset, offsets = 0.0, list[float]()
    for k, v in enumerate(row):
        offset += (sizes[row[k - 1]] + sizes[v]) / 2 + GAP if k else 0.0
        offsets.append(offset)
    pools: list[tuple[float, int]] = []
    for v, start in zip(row, offsets, strict=True):
        total, number = wanted[v] - start, 1
        while pools and pools[-1][0] / pools[-1][1] > total / number:
            more, others = pools.pop()
            total, number = total + more, number + others
        pools.append((total, number))
    k = 0
    for total, number in pools:
        for _ in range(number):
            x[row[k]] = total / number + offsets[k]
            k += 1
