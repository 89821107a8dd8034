"""How walks through tables of decisions are drawn."""

from __future__ import annotations

import numpy as np

from opc.dialects import element as el
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.walk import FEATURE, LEFT, SPLIT, WIDTHS

from .graph import Value
from .maker import Maker, Unfit
from .moving import is_known


def walk(m: Maker, op: type[OpcOp]) -> Value:
    """Trees of drawn nodes, each of which leads to later ones or to a value."""

    def fits(v: Value) -> bool:
        columns = v.extents[1][1].constant if len(v.shape) == 2 and is_known(v) else None
        return columns is not None and columns > 0

    x = m.pick((el.F32, el.F64), fits)
    if not fits(x):
        raise Unfit("no matrix of known width")
    kind, columns = WIDTHS[x.type], x.shape[1]
    count, leaves = m.one((0, 1, 3, 20, 60)), m.one((1, 2, 9))
    trees = m.one((1, 2, 5, 16, 19, 33))
    width = m.one(((), (), (3,)))
    if x.shape[0] * trees * 3 > m.limit:
        raise Unfit("too many walks")
    nodes = np.zeros((count, 4), kind.dtype)
    features = m.rng.integers(0, columns, count)
    nodes[:, FEATURE] = np.where(m.rng.random(count) < m.one((0, 0.5, 1)), ~features, features)
    splits = m.rng.choice([-1.0, -0.0, 0.5, 2.0, np.inf, np.nan], count).astype(x.type.dtype)
    nodes[:, SPLIT] = splits.view(kind.dtype)
    for k in range(count):
        for side in (0, 1):
            is_leaf = k + 1 >= count or m.chance(0.3)
            nodes[k, LEFT + side] = (
                -int(m.rng.integers(leaves)) - 1 if is_leaf else m.rng.integers(k + 1, count)
            )
    roots = m.rng.integers(-leaves, count, trees).astype(kind.dtype)
    values = m.data(m.one((el.F32, el.F64, el.I64, el.I1)), (leaves, *width))
    type = el.BY_NAME[next(e.name for e in el.ELEMENTS if e.dtype == values.dtype)]
    tables = [m.put(ConstantOp.of(a, t)) for a, t in ((nodes, kind), (roots, kind), (values, type))]
    return m.add(op, x, *tables)
