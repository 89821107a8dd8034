"""A graph from two numbers: the seed of a run and the number of the graph in it."""

from __future__ import annotations

import numpy as np

from opc.dialects.opc.extent import ExtentOp

from . import control, lengths
from .graph import Graph, Value
from .maker import Maker, Unfit
from .motifs import MOTIFS
from .operators import draw

LIMITS = (300, 2500, 2500, 5000, 5000, 20_000, 70_000)
"""Most elements of a value; one graph of 40 has up to 300,000, one of 400 up to five million."""

CONTROL = 0.15
"""How many graphs may have control flow."""


def generate(seed: int, number: int) -> Graph:
    """The graph of this number, with its inputs: the same ones every time."""
    rng = np.random.default_rng([seed, number])
    m = Maker(rng, limit(rng), symbolic=bool(rng.random() < 0.3))
    aimed = m.chance(0.6)
    # Numbers of their own, so that graphs without control flow stay the same.
    flow = np.random.default_rng([seed, number, 1])
    share = 0.3 if flow.random() < CONTROL else 0
    measured = np.random.default_rng([seed, number, 2])
    has_lengths = measured.random() < lengths.SHARE
    wanted = int(min(1 + rng.geometric(0.13), 30))
    misses = 0
    while len(m.uses) < 1 or ((has_lengths or _count(m) < wanted) and misses < 60):
        try:
            if has_lengths and len(m.uses) > 0:
                has_lengths = False
                lengths.draw(m)
            elif flow.random() < share:
                control.draw(m)
            elif aimed and m.chance(0.25):
                m.one(MOTIFS)(m)
            else:
                draw(m)
        except Unfit:
            misses += 1
    return m.finish(f"seed {seed} graph {number}", _results(m))


def limit(rng: np.random.Generator) -> int:
    """Most elements of a value of a graph, which is the first number drawn for it."""
    way = rng.random()
    if way < 0.0025:
        return 5_000_000
    return 300_000 if way < 0.025 else int(rng.choice(LIMITS))


def _count(m: Maker) -> int:
    return len(m.values) - len(m.inputs)


def _results(m: Maker) -> list[Value]:
    """What nothing uses, and some of the rest; now and then an argument, or one value twice."""
    unused = [v for v in m.values if v.ssa not in m.uses and v not in m.inputs]
    chosen = [v for v in unused if not isinstance(v.ssa.owner, ExtentOp)]
    inner = [v for v in m.values if v.ssa in m.uses and v not in m.inputs]
    share = m.one((0.0, 0.1, 0.3, 0.6))
    chosen += [v for v in inner if m.chance(share)]
    if m.chance(0.03):
        chosen.append(m.one(m.values))
    if not chosen:
        chosen = [m.values[-1]]
    order = m.rng.permutation(len(chosen))[:14]
    return [chosen[int(k)] for k in order]
