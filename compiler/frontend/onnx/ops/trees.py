"""Tree ensembles: ``opc.walk`` through a table of nodes, then a sum of leaf values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.walk import WIDTHS, WalkOp
from opc.dialects.shape import type_text
from opc.frontend.models.forest import MEMBER, MODES, Array, Forest
from opc.frontend.models.traced import value

from .ml_linear import ML, TRANSFORMS, computed, transformed
from .node import Node
from .schema import Result, onnx

SUM, MIN, MAX = 1, 2, 3
AGGREGATES = {"AVERAGE": 0, "SUM": SUM, "MIN": MIN, "MAX": MAX}


@dataclass
class Ensemble:
    """A forest, and the weights that its leaves add to targets."""

    forest: Forest
    leaf: Array
    target: Array
    weight: Array

    def checked(self, node: Node, targets: int) -> Ensemble:
        """The ensemble.  InputError for a target out of range, or trees that do not end."""
        wrong = (self.target < 0) | (self.target >= targets)
        if wrong.any():
            raise node.error(f"target {self.target[wrong][0]} of {targets}")
        self.forest.check(node.error)
        if not len(self.forest.roots):
            raise node.error("there are no trees")
        return self

    def dense(self, targets: int) -> tuple[Array, Array]:
        """Weights [leaves, targets], and whether each exists."""
        at, size = self.leaf * targets + self.target, self.forest.leaves * targets
        weights = np.bincount(at, self.weight, size).reshape(-1, targets)
        there = np.zeros(size, bool)
        there[at] = True
        return weights, there.reshape(-1, targets)

    def alone(self, targets: int) -> Array | None:
        """The target of each tree if all its leaves have one weight, for this target; else None."""
        owner = self.forest.owners()
        count = np.bincount(self.leaf, minlength=self.forest.leaves)
        if owner is None or (count[owner >= 0] != 1).any():
            return None
        owned = owner[self.leaf] >= 0
        tree, target = owner[self.leaf][owned], self.target[owned]
        of_tree = np.full(len(self.forest.roots), -1)
        of_tree[tree] = target
        is_alone = (of_tree[tree] == target).all() and len(np.unique(of_tree)) == targets
        return of_tree if is_alone else None


def walked(x: Any, forest: Forest, values: Array, order: Array | None = None) -> Any:
    """The values of the leaves that rows of x [N, F] reach, [N, trees, ...]."""
    trace = x.trace
    nodes, roots = forest.table(x.element.dtype)
    kind = WIDTHS[x.element]
    roots = roots if order is None else roots[order]
    type = el.I1 if values.dtype == bool else x.element
    tables = (
        trace.constant(nodes, kind),
        trace.constant(roots, kind),
        trace.constant(values, type),
    )
    return trace.emit(WalkOp, x, *tables)


def scores(
    x: Any, ensemble: Ensemble, targets: int, aggregate: int = SUM, asks: bool = False
) -> tuple[Any, Any]:
    """Aggregated weights of the leaves that rows of x [N, F] reach, [N, targets].

    With ``asks``, also whether there are such weights; None if there always are.
    """
    fold = {MIN: onp.min, MAX: onp.max}.get(aggregate, onp.sum)
    alone = ensemble.alone(targets) if targets > 1 else None
    if alone is not None:
        values = np.zeros(ensemble.forest.leaves)
        values[ensemble.leaf] = ensemble.weight
        leaves = walked(x, ensemble.forest, values, np.argsort(alone, kind="stable"))
        counts = np.bincount(alone, minlength=targets).tolist()
        if len(set(counts)) == 1:
            total = fold(leaves.reshape(-1, targets, counts[0]), axis=2)
        else:
            ends = np.cumsum(counts).tolist()
            parts = [leaves[:, e - c : e] for e, c in zip(ends, counts, strict=True)]
            total = onp.stack([fold(part, axis=1) for part in parts], axis=1)
        return _shared(total, aggregate, ensemble), None
    weights, there = ensemble.dense(targets)
    if aggregate in (MIN, MAX):
        weights[~there] = np.inf if aggregate == MIN else -np.inf
    if targets == 1:
        total = fold(walked(x, ensemble.forest, weights[:, 0]), axis=1, keepdims=True)
    else:
        total = fold(walked(x, ensemble.forest, weights), axis=1)
    is_certain = not asks or there.all()
    seen = None if is_certain else onp.any(walked(x, ensemble.forest, there), axis=1)
    return _shared(total, aggregate, ensemble), seen


def _shared(total: Any, aggregate: int, ensemble: Ensemble) -> Any:
    return total / len(ensemble.forest.roots) if aggregate == AGGREGATES["AVERAGE"] else total


def matrix(node: Node, forest: Forest) -> Any:
    """The input, which must be a matrix with all features."""
    node.ranked(0, 2)
    x, used = computed(node), forest.feature
    columns, count = x.extents[1].constant, int(used.max()) + 1 if used.size else 0
    if (used < 0).any() or (columns is not None and count > columns):
        feature = int(used.min()) if (used < 0).any() else count - 1
        raise node.error(f"feature {feature} is not a column of x, {type_text(node[0].type)}")
    if columns is None:
        least = ex.minimum(x.extents[1], count)
        node.require("equal", least, ex.const(count), "x has fewer columns than features")
        rows = x.extents[0]
        # Trees without a node read nothing, but a table has a column.
        part = x[:, :count] if count else onp.zeros((x.shape[0], 1), x.dtype)
        x = node.trace.array(node.reshape(part.value, (rows, ex.const(max(count, 1)))))
    return x


def same_length(node: Node, **lists: Any) -> None:
    """InputError unless the lists have one length."""
    lengths = {name: len(values) for name, values in lists.items()}
    if len(set(lengths.values())) > 1:
        raise node.error(
            "lists differ in length: " + ", ".join(f"{n}: {c}" for n, c in lengths.items())
        )


def numbers(node: Node, name: str) -> Array:
    """A list from an attribute of numbers or a tensor; empty if absent."""
    tensor = f"{name}_as_tensor"
    if node.given(tensor):
        return np.asarray(node.attr(tensor)).reshape(-1).astype(np.float64)
    return node.array(name)


class Keys:
    """Nodes by tree number and node number."""

    def __init__(self, node: Node, trees: Array, ids: Array) -> None:
        self.trees, self.least = np.unique(trees), int(ids.min()) if ids.size else 0
        self.span = int(ids.max()) - self.least + 1 if ids.size else 1
        keys = np.searchsorted(self.trees, trees) * self.span + (ids - self.least)
        self.order = np.argsort(keys, kind="stable")
        self.sorted = keys[self.order]
        if (self.sorted[1:] == self.sorted[:-1]).any():
            raise node.error("a node is given twice")

    def find(self, trees: Array, ids: Array) -> Array:
        """The positions of nodes, -1 for missing ones."""
        if not self.sorted.size:
            return np.full(len(ids), -1)
        tree = np.minimum(np.searchsorted(self.trees, trees), len(self.trees) - 1)
        fits = (ids >= self.least) & (ids < self.least + self.span) & (self.trees[tree] == trees)
        keys = tree * self.span + np.where(fits, ids - self.least, 0)
        at = np.minimum(np.searchsorted(self.sorted, keys), len(self.sorted) - 1)
        return np.where(fits & (self.sorted[at] == keys), self.order[at], -1)


def ensemble_of(node: Node, what: str) -> Ensemble:
    """The trees of a node; ``what`` is ``target`` or ``class`` in names of attributes."""
    trees, ids, features, yes, no, tracks = (
        node.array(f"nodes_{name}")
        for name in ("treeids", "nodeids", "featureids", "truenodeids", "falsenodeids",
                     "missing_value_tracks_true")
    )  # fmt: skip
    # By default NaN goes to the second child.
    tracks = tracks if tracks.size else np.zeros_like(ids)
    modes, splits = node.codes("nodes_modes", ("LEAF", *MODES)), numbers(node, "nodes_values")
    same_length(
        node, nodes_treeids=trees, nodes_nodeids=ids, nodes_modes=modes, nodes_values=splits,
        nodes_featureids=features, nodes_truenodeids=yes, nodes_falsenodeids=no,
        nodes_missing_value_tracks_true=tracks,
    )  # fmt: skip
    keys, is_leaf = Keys(node, trees, ids), modes == 0
    # Leaves and inner nodes are numbered separately; leaves are complemented.
    number = np.where(is_leaf, ~(np.cumsum(is_leaf) - 1), np.cumsum(~is_leaf) - 1)
    nothing = np.iinfo(np.int64).max

    def ends(way: Array) -> Array:
        at = keys.find(trees[~is_leaf], way[~is_leaf])
        return np.where(at >= 0, number[at], nothing)

    # The first node of a tree is its root.
    _, first = np.unique(trees, return_index=True)
    forest = Forest(
        mode=modes[~is_leaf] - 1,
        feature=features[~is_leaf],
        split=splits[~is_leaf],
        missing=tracks[~is_leaf] != 0,
        yes=ends(yes),
        no=ends(no),
        roots=number[np.sort(first)],
        leaves=int(is_leaf.sum()),
        sets={},
    )
    owner, leaf, target = (node.array(f"{what}_{n}") for n in ("treeids", "nodeids", "ids"))
    weight = numbers(node, f"{what}_weights")
    lists = {"treeids": owner, "nodeids": leaf, "ids": target, "weights": weight}
    same_length(node, **{f"{what}_{name}": values for name, values in lists.items()})
    at = keys.find(owner, leaf)
    used = (at >= 0) & is_leaf[at] if at.size else np.zeros(0, bool)
    return Ensemble(forest, ~number[at[used]], target[used], weight[used])


@onnx(f"{ML}TreeEnsembleRegressor", 1, 3, 5)
def regressor(node: Node) -> Result:
    """TreeEnsembleRegressor(x) --> the sum, or another aggregate, of the leaves of all trees."""
    kind = node.choice("aggregate_function", *AGGREGATES)
    targets = node.attr("n_targets") or 1
    ensemble = ensemble_of(node, "target").checked(node, targets)
    x = matrix(node, ensemble.forest)
    totals, _ = scores(x, ensemble, targets, AGGREGATES[kind])
    base = numbers(node, "base_values")
    if base.size:
        if len(base) != targets:
            raise node.error(f"{len(base)} base values for {targets} targets")
        totals = totals + x.trace.constant(base, x.element)
    return value(node, transformed(node, totals), el.F32)


@onnx(f"{ML}TreeEnsemble", 5)
def ensemble(node: Node) -> Result:
    """TreeEnsemble(x) --> as TreeEnsembleRegressor, with set membership tests."""
    names = ("featureids", "truenodeids", "falsenodeids", "trueleafs", "falseleafs")
    lists = [node.array(f"nodes_{n}") for n in names]
    features, yes, no, yes_leafs, no_leafs = lists
    splits, modes = (np.asarray(node.attr(f"nodes_{n}")).reshape(-1) for n in ("splits", "modes"))
    modes, tracks = modes.astype(np.int64), node.array("nodes_missing_value_tracks_true")
    tracks = tracks if tracks.size else np.zeros_like(features)
    targets = node.array("leaf_targetids")
    weights = np.asarray(node.attr("leaf_weights")).reshape(-1).astype(np.float64)
    lengths = dict(zip((f"nodes_{n}" for n in names), lists, strict=True))
    same_length(node, **lengths, nodes_splits=splits, nodes_modes=modes, tracks=tracks)
    same_length(node, leaf_targetids=targets, leaf_weights=weights)
    wrong = (modes < 0) | (modes > MEMBER)
    if wrong.any():
        raise node.error(f"nodes_modes has {modes[wrong][0]}")
    nothing = np.iinfo(np.int64).max

    def ends(ids: Array, is_leaf: Array) -> Array:
        most = np.where(is_leaf != 0, len(weights), len(features))
        return np.where((ids >= 0) & (ids < most), np.where(is_leaf != 0, ~ids, ids), nothing)

    yes, no, roots = ends(yes, yes_leafs), ends(no, no_leafs), node.array("tree_roots")
    outside = (roots < 0) | (roots >= len(features))
    if outside.any():
        raise node.error(f"root {roots[outside][0]} of {len(features)} nodes")
    # A tree of one leaf has a node with this leaf on both sides.
    alone = (yes[roots] < 0) & (yes[roots] == no[roots])
    forest = Forest(
        mode=modes, feature=features, split=splits.astype(np.float64),
        missing=tracks != 0, yes=yes, no=no,
        roots=np.where(alone, yes[roots], roots), leaves=len(weights), sets=_sets(node, modes),
    )  # fmt: skip
    count = node.attr("n_targets") or 1
    aggregate = node.attr("aggregate_function")
    if aggregate not in AGGREGATES.values():
        known = ", ".join(f"{number} ({name})" for name, number in AGGREGATES.items())
        raise node.error(f"aggregate_function is {aggregate}, expected one of {known}")
    after: int = node.choice("post_transform", *range(len(TRANSFORMS)))
    trees = Ensemble(forest, np.arange(len(weights)), targets, weights).checked(node, count)
    totals, _ = scores(matrix(node, forest), trees, count, aggregate)
    return value(node, transformed(node, totals, TRANSFORMS[after]))


def _sets(node: Node, modes: Array) -> dict[int, Array]:
    """The members by node with a membership test; NaN ends each set."""
    members = node.attr("membership_values")
    values = np.zeros(0) if members is None else np.asarray(members).reshape(-1).astype(np.float64)
    ends, asking = np.flatnonzero(np.isnan(values)).tolist(), np.flatnonzero(modes == MEMBER)
    if len(ends) < len(asking):
        raise node.error("membership_values has too few sets")
    starts = [0, *(end + 1 for end in ends)]
    return {k: values[a:b] for k, a, b in zip(asking.tolist(), starts, ends, strict=False)}
