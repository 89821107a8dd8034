"""Ensembles of decision trees: all trees go down one level at a time, by gathers from tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.shape import type_text
from opc.frontend.models.op_builder import Result

from .learned import ML, NUMBERS, computed, transformed
from .node import Node
from .row import FLOAT, add
from .traced import value

MOST_LEVELS = 64
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")
MEMBER = len(MODES)
SUM, MIN, MAX = 1, 2, 3
AGGREGATES = {"AVERAGE": 0, "SUM": SUM, "MIN": MIN, "MAX": MAX}


@dataclass
class Forest:
    """The nodes of all trees in one numbering; a leaf is its own successor."""

    modes: list[int] = field(default_factory=list[int])
    features: list[int] = field(default_factory=list[int])
    splits: list[float] = field(default_factory=list[float])
    tracks: list[bool] = field(default_factory=list[bool])
    """Whether NaN goes where the comparison holds."""
    yes: list[int] = field(default_factory=list[int])
    no: list[int] = field(default_factory=list[int])
    weights: dict[int, list[tuple[int, float]]] = field(
        default_factory=dict[int, list[tuple[int, float]]]
    )
    """What a leaf gives to each target."""
    roots: list[int] = field(default_factory=list[int])

    def add(self, mode: int, feature: int, split: float, tracks: bool, yes: int, no: int) -> int:
        """Add a node; its number."""
        self.modes.append(mode)
        self.features.append(feature)
        self.splits.append(split)
        self.tracks.append(tracks)
        self.yes.append(yes)
        self.no.append(no)
        return len(self.modes) - 1

    def leaf(self, weights: Sequence[tuple[int, float]]) -> int:
        """Add a leaf; its number."""
        number = len(self.modes)
        self.weights[number] = list(weights)
        return self.add(0, 0, 0.0, False, number, number)

    def levels(self, node: Node) -> int:
        """The comparisons on the longest way down; an error where there is a circle."""
        depth, waiting, most = 0, set(self.roots), len(self.modes)
        while True:
            if any(not 0 <= k < most for k in waiting):
                raise node.error("a node does not exist")
            waiting = {
                k for w in waiting if w not in self.weights for k in (self.yes[w], self.no[w])
            }
            if not waiting - set(self.weights):
                return depth + bool(waiting)
            depth += 1
            if depth > MOST_LEVELS:
                raise node.unsupported(f"a tree of more than {MOST_LEVELS} levels, or a circle")


def _holds(forest: Forest, x: Any, mode: Any, split: Any) -> Any:
    """Whether the comparison of a node holds."""
    kinds: dict[int, Any] = {
        0: lambda: x <= split,
        1: lambda: x < split,
        2: lambda: x >= split,
        3: lambda: x > split,
        4: lambda: onp.equal(x, split),
        5: lambda: onp.not_equal(x, split),
    }
    used = sorted({m for k, m in enumerate(forest.modes) if k not in forest.weights})
    found = kinds[used[0]]()
    for kind in used[1:]:
        found = onp.where(onp.equal(mode, kind), kinds[kind](), found)
    return found


def leaves(node: Node, forest: Forest, x: Any) -> Any:
    """The leaf of each tree that each row of x [N, F] comes to, i64 of [N, trees]."""
    trace, levels = x.trace, forest.levels(node)
    columns = x.extents[1].constant
    if any(f < 0 or (columns is not None and f >= columns) for f in forest.features):
        raise node.error(f"a feature is outside of {type_text(node[0].type)}")
    at = onp.broadcast_to(
        trace.constant(np.asarray(forest.roots), el.I64), (x.shape[0], len(forest.roots))
    )
    for _ in range(levels):
        feature = look(forest.features, el.I64, at)
        seen = trace.emit(GatherOp, x, feature, axes=(1,), batch=1, from_end=False)
        mode = look(forest.modes, el.I64, at) if len(set(forest.modes)) > 1 else None
        holds = _holds(forest, seen, mode, look(forest.splits, x.element, at))
        if any(forest.tracks):
            holds = holds | (onp.isnan(seen) & look(forest.tracks, el.I1, at))
        at = onp.where(holds, look(forest.yes, el.I64, at), look(forest.no, el.I64, at))
    return at


def look(values: Any, type: el.ElementType, at: Any) -> Any:
    """What a table of constants has at some places."""
    table = at.trace.constant(np.asarray(values), type)
    return at.trace.emit(GatherOp, table, at, axes=(0,), from_end=False)


def tables(node: Node, forest: Forest, targets: int) -> tuple[Any, Any]:
    """What each node gives to each target, and where it gives something: leaves alone do."""
    given = np.zeros((len(forest.modes), targets))
    there = np.zeros(given.shape, bool)
    for leaf, listed in forest.weights.items():
        for target, weight in listed:
            if not 0 <= target < targets:
                raise node.error(f"target {target} of {targets}")
            given[leaf, target] += weight
            there[leaf, target] = True
    return given, there


def scores(node: Node, forest: Forest, x: Any, targets: int, aggregate: int) -> Any:
    """What the leaves give that each row of x [N, F] comes to, [N, targets]."""
    at = leaves(node, forest, x)
    given, there = tables(node, forest, targets)
    if aggregate in (MIN, MAX):
        given[~there] = np.inf if aggregate == MIN else -np.inf
    found = look(given, x.element, at)
    if aggregate in (MIN, MAX):
        return (onp.min if aggregate == MIN else onp.max)(found, axis=1)
    total = onp.sum(found, axis=1)
    return total if aggregate == SUM else total / len(forest.roots)


def matrix(node: Node) -> Any:
    """The input, which must be one."""
    x = computed(node)
    if x.ndim != 2:
        raise node.error(f"{type_text(node[0].type)} is no matrix")
    return x


def _same_length(node: Node, *lists: tuple[str, Any]) -> None:
    """An error unless lists have one length, where they are given."""
    lengths = {name: len(values) for name, values in lists if values is not None}
    if len(set(lengths.values())) > 1:
        raise node.error(
            "lists differ in length: " + ", ".join(f"{n}: {c}" for n, c in lengths.items())
        )


def _given(node: Node, name: str) -> Any:
    """A list, from the attribute of floats or the one that is a tensor."""
    tensor = f"{name}_as_tensor"
    if node.row.has(tensor) and node.given(tensor):
        return node.attr(tensor).reshape(-1).tolist()
    return node.attr(name)


def forest_of(node: Node, what: str) -> Forest:
    """The trees of a node whose leaves give to what is called ``target`` or ``class``."""
    forest = Forest()
    trees, ids = node.attr("nodes_treeids") or (), node.attr("nodes_nodeids") or ()
    modes, splits = node.attr("nodes_modes") or (), _given(node, "nodes_values") or ()
    features, tracks = (
        node.attr("nodes_featureids") or (),
        node.attr("nodes_missing_value_tracks_true"),
    )
    yes, no = node.attr("nodes_truenodeids") or (), node.attr("nodes_falsenodeids") or ()
    _same_length(
        node,
        ("nodes_treeids", trees),
        ("nodes_nodeids", ids),
        ("nodes_modes", modes),
        ("nodes_values", splits),
        ("nodes_featureids", features),
        ("nodes_missing_value_tracks_true", tracks or None),
        ("nodes_truenodeids", yes),
        ("nodes_falsenodeids", no),
    )
    weights: dict[tuple[int, int], list[tuple[int, float]]] = {}
    listed = [node.attr(f"{what}_{n}") or () for n in ("treeids", "nodeids", "ids")]
    amounts = _given(node, f"{what}_weights") or ()
    _same_length(node, *zip(("treeids", "nodeids", "ids"), listed, strict=True), ("w", amounts))
    for tree, leaf, target, weight in zip(*listed, amounts, strict=True):
        weights.setdefault((tree, leaf), []).append((target, weight))
    numbers = {key: k for k, key in enumerate(zip(trees, ids, strict=True))}
    if len(numbers) < len(ids):
        raise node.error("a node is given twice")
    for k, key in enumerate(zip(trees, ids, strict=True)):
        if modes[k] == "LEAF":
            forest.leaf(weights.get(key, ()))
            continue
        if modes[k] not in MODES:
            raise node.error(f'nodes_modes has "{modes[k]}"')
        ways = [numbers.get((key[0], way[k]), -1) for way in (yes, no)]
        missing = bool(tracks and tracks[k])
        forest.add(MODES.index(modes[k]), features[k], splits[k], missing, ways[0], ways[1])
    # The first node of a tree is its root.
    forest.roots = _roots(trees)
    return forest


def regressor(node: Node) -> Result:
    """TreeEnsembleRegressor(x) --> the sum, or another aggregate, of the leaves of all trees."""
    x, forest = matrix(node), forest_of(node, "target")
    kind = node.attr("aggregate_function")
    if kind not in AGGREGATES or not forest.roots:
        raise node.error(f'aggregate_function is "{kind}", of {len(forest.roots)} trees')
    targets = node.attr("n_targets") or 1
    found = scores(node, forest, x, targets, AGGREGATES[kind])
    base = base_values(node)
    if base:
        if len(base) != targets:
            raise node.error(f"{len(base)} base values for {targets} targets")
        found = found + x.trace.constant(base, x.element)
    return value(node, transformed(node, found), el.F32)


def base_values(node: Node) -> list[float]:
    """What the scores begin with, nothing if that is not given."""
    return list(_given(node, "base_values") or ())


def _roots(trees: Sequence[int]) -> list[int]:
    first: dict[int, int] = {}
    for k, tree in enumerate(trees):
        first.setdefault(tree, k)
    return list(first.values())


NODES = (
    "nodes_falsenodeids:ints nodes_featureids:ints nodes_hitrates:floats "
    "nodes_missing_value_tracks_true:ints nodes_modes:strings nodes_nodeids:ints "
    "nodes_treeids:ints nodes_truenodeids:ints nodes_values:floats "
)
_TARGETS = (
    "aggregate_function:string=SUM base_values:floats n_targets:int post_transform:string=NONE "
    "target_ids:ints target_nodeids:ints target_treeids:ints target_weights:floats"
)


def tensors(what: str) -> str:
    """The attributes that are tensors where those of floats lose digits."""
    names = ("base_values", "nodes_hitrates", "nodes_values", f"{what}_weights")
    return " ".join(f"{name}_as_tensor:tensor" for name in names)


for _since in (1, 3, 5):
    add(
        f"{ML}TreeEnsembleRegressor",
        _since,
        "X:T -> Y:float",
        NUMBERS,
        regressor,
        NODES + _TARGETS + (f" {tensors('target')}" if _since >= 3 else ""),
    )


def ensemble(node: Node) -> Result:
    """TreeEnsemble(x) --> as above; a set that x may be a member of is a chain of comparisons."""
    x, forest = matrix(node), Forest()
    names = ("featureids", "truenodeids", "falsenodeids", "trueleafs", "falseleafs")
    lists: list[tuple[int, ...]] = [node.attr(f"nodes_{n}") for n in names]
    features, yes, no, yes_leafs, no_leafs = lists
    splits, modes = (node.attr(f"nodes_{n}").reshape(-1).tolist() for n in ("splits", "modes"))
    tracks = node.attr("nodes_missing_value_tracks_true") or (0,) * len(features)
    targets, weights = node.attr("leaf_targetids"), node.attr("leaf_weights").reshape(-1).tolist()
    _same_length(
        node, *((f"nodes_{n}", node.attr(f"nodes_{n}")) for n in names),
        ("nodes_splits", splits), ("nodes_modes", modes), ("tracks", tracks),
    )  # fmt: skip
    _same_length(node, ("leaf_targetids", targets), ("leaf_weights", weights))
    sets = _sets(node, modes)
    leafs = [forest.leaf([(t, w)]) for t, w in zip(targets, weights, strict=True)]
    # A chain is written from its end: the first comparison of each node is the last one added.
    starts: list[int] = []
    for k in range(len(features)):
        starts.append(len(leafs) + sum(max(len(s), 1) for s in sets[: k + 1]) - 1)

    def way(ids: Sequence[int], is_leaf: Sequence[int], k: int) -> int:
        table = leafs if is_leaf[k] else starts
        return table[ids[k]] if 0 <= ids[k] < len(table) else -1

    for k, members in enumerate(sets):
        mode = 4 if modes[k] == MEMBER else int(modes[k])
        if not 0 <= mode < len(MODES):
            raise node.error(f"nodes_modes has {modes[k]}")
        yes_at, no_at = way(yes, yes_leafs, k), way(no, no_leafs, k)
        if modes[k] == MEMBER and not members:
            forest.add(1, features[k], -np.inf, bool(tracks[k]), yes_at, no_at)
            continue
        for split in members if modes[k] == MEMBER else [splits[k]]:
            no_at = forest.add(mode, features[k], split, bool(tracks[k]), yes_at, no_at)
    roots: tuple[int, ...] = node.attr("tree_roots")
    for root in roots:
        if not 0 <= root < len(features):
            raise node.error(f"root {root} of {len(features)} nodes")
        alone: bool = bool(yes_leafs[root] and no_leafs[root] and yes[root] == no[root])
        forest.roots.append(leafs[yes[root]] if alone else starts[root])
    aggregate, after = node.attr("aggregate_function"), node.attr("post_transform")
    if aggregate not in AGGREGATES.values() or after not in (0, 1, 2):
        raise node.unsupported(f"aggregate_function = {aggregate}, post_transform = {after}")
    found = scores(node, forest, x, node.attr("n_targets") or 1, aggregate)
    found = [found, onp.softmax(found, axis=1), onp.sigmoid(found)][after] if after else found
    return value(node, found)


def _sets(node: Node, modes: Sequence[int]) -> list[list[float]]:
    """The members for each node that asks for them; NaN ends each list."""
    listed = node.attr("membership_values")
    values = iter([] if listed is None else listed.reshape(-1).tolist())
    found: list[list[float]] = []
    for mode in modes:
        members: list[float] = []
        if mode == MEMBER:
            for number in values:
                if number != number:
                    break
                members.append(number)
            else:
                raise node.error("membership_values has too few sets")
        found.append(members)
    return found


add(
    f"{ML}TreeEnsemble",
    5,
    "X:T -> Y:T",
    FLOAT,
    ensemble,
    "aggregate_function:int=1 leaf_targetids:ints! leaf_weights:tensor! membership_values:tensor "
    "n_targets:int nodes_falseleafs:ints! nodes_falsenodeids:ints! nodes_featureids:ints! "
    "nodes_hitrates:tensor nodes_missing_value_tracks_true:ints nodes_modes:tensor! "
    "nodes_splits:tensor! nodes_trueleafs:ints! nodes_truenodeids:ints! post_transform:int=0 "
    "tree_roots:ints!",
)
