"""Ensembles of decision trees as the tables of ``opc.walk``, by operations on whole arrays.

Nodes and leaves are numbered separately; a reference ``~k`` is leaf k.  Six kinds of comparisons
become ``x <= split``, with another split or exchanged sides::

    x < s   -->  x <= the number before s          x >= s  -->  not x < s
    x == s  -->  x <= s, and not x < s             x in {a, b, c}  -->  a search by halves

Each node says where NaN goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from opc.dialects.opc.walk import FEATURE, LEFT, RIGHT, SPLIT

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")
LEQ, LT, GTE, GT, EQ, NEQ = range(len(MODES))
MEMBER = len(MODES)
"""The mode of a node that tests whether x is in a set."""


@dataclass
class Forest:
    """The nodes of a model, and the roots of its trees."""

    mode: Array
    feature: Array
    split: Array
    """f64."""
    missing: Array
    """Whether NaN goes where the comparison holds."""
    yes: Array
    no: Array
    roots: Array
    leaves: int
    sets: Mapping[int, Array]
    """The members for each node of mode ``MEMBER``."""

    def check(self, error: Callable[[str], Exception]) -> None:
        """Sort nodes topologically; ``error`` for a cycle.

        Unreachable nodes are removed.
        """
        there = self._reachable(error)
        before = np.repeat(np.arange(len(self.mode)), 2).reshape(-1, 2)
        after = np.stack([self.yes, self.no], axis=1)
        if ((after >= 0) & (after <= before))[there].any():
            order = self._ordered(there, error)
        else:
            order = np.flatnonzero(there)
        number = np.full(len(self.mode), -1)
        number[order] = np.arange(len(order))
        self.mode, self.feature, self.split = (
            self.mode[order],
            self.feature[order],
            self.split[order],
        )
        self.missing = self.missing[order]
        self.yes, self.no, self.roots = (
            moved(ends, number) for ends in (self.yes[order], self.no[order], self.roots)
        )
        self.sets = {int(number[k]): s for k, s in self.sets.items() if there[k]}

    def _reachable(self, error: Callable[[str], Exception]) -> Array:
        """Whether each node is reachable from a root."""
        there = np.zeros(len(self.mode), bool)
        ends = self.roots
        while ends.size:
            if int(ends.max()) >= len(self.mode) or int(ends.min()) < -self.leaves:
                raise error("a node does not exist")
            ends = np.unique(ends[ends >= 0])
            ends = ends[~there[ends]]
            there[ends] = True
            ends = np.concatenate([self.yes[ends], self.no[ends]])
        return there

    def _ordered(self, there: Array, error: Callable[[str], Exception]) -> Array:
        """The nodes that are ``there``, in topological order."""
        inner = np.concatenate([self.yes[there], self.no[there]])
        waiting = np.bincount(inner[inner >= 0], minlength=len(there))
        levels: list[Array] = []
        free = np.flatnonzero(there & (waiting == 0))
        while free.size:
            levels.append(free)
            ends = np.concatenate([self.yes[free], self.no[free]])
            ends, count = np.unique(ends[ends >= 0], return_counts=True)
            waiting[ends] -= count
            free = ends[waiting[ends] == 0]
        order = np.concatenate([*levels, np.zeros(0, np.int64)])
        if len(order) < np.count_nonzero(there):
            raise error("a circle: a tree leads back to one of its nodes")
        return order

    def owners(self) -> Array | None:
        """The tree of each leaf, or -1; None if trees share a leaf."""
        nodes, leaves = np.full(len(self.mode), -1), np.full(self.leaves, -1)
        ends, trees = self.roots, np.arange(len(self.roots))
        while ends.size:
            for table, own in ((leaves, ends < 0), (nodes, ends >= 0)):
                at = np.where(ends < 0, ~ends, ends)[own]
                known = table[at]
                if ((known >= 0) & (known != trees[own])).any():
                    return None
                table[at] = trees[own]
                if (table[at] != trees[own]).any():
                    return None
            ends, first = np.unique(ends, return_index=True)
            trees, inner = trees[first], ends >= 0
            ends, trees = ends[inner], trees[inner]
            ends = np.concatenate([self.yes[ends], self.no[ends]])
            trees = np.concatenate([trees, trees])
        return leaves

    def joined(self) -> None:
        """Chains of nodes ``x == a``, else ``x == b``, ... as one node ``x in {a, b, ...}``.

        Converters write sets of categories as such chains.
        """
        equal = self.mode == EQ
        if not equal.any():
            return
        following = np.where(equal & (self.no >= 0), self.no, 0)
        references = np.concatenate([self.yes, self.no, self.roots])
        references = np.bincount(references[references >= 0], minlength=len(equal))
        goes_on = equal & (self.no >= 0) & equal[following] & (references[following] == 1)
        for values in (self.feature, self.yes, self.missing):
            goes_on &= values[following] == values
        is_inner = np.zeros(len(equal), bool)
        is_inner[self.no[goes_on]] = True
        sets = dict(self.sets)
        for head in np.flatnonzero(goes_on & ~is_inner).tolist():
            chain = [head]
            while goes_on[chain[-1]]:
                chain.append(int(self.no[chain[-1]]))
            sets[head] = self.split[chain]
            self.mode[head], self.no[head] = MEMBER, self.no[chain[-1]]
        self.sets = sets

    def table(self, dtype: np.dtype[Any]) -> tuple[Array, Array]:
        """The nodes [n, 4] and the roots, for x of ``type``, f32 or f64."""
        self.joined()
        sizes = np.where(self.mode >= EQ, 2, 1)
        sets = {k: np.unique(members[~np.isnan(members)]) for k, members in self.sets.items()}
        for k, members in sets.items():
            sizes[k] = max(3 * len(members) - 1, 1)
        first = np.cumsum(sizes) - sizes
        yes, no, roots = (moved(ends, first) for ends in (self.yes, self.no, self.roots))
        rows = Rows(int(sizes.sum()), dtype)
        kinds = [np.flatnonzero(self.mode == mode) for mode in range(len(MODES))]
        nan = np.isnan(self.split)
        for mode, (low, is_turned) in {
            LEQ: (False, False), LT: (True, False), GTE: (True, True), GT: (False, True)
        }.items():  # fmt: skip
            at = kinds[mode]
            split = (before if low else floor)(self.split[at], dtype)
            if is_turned:
                split[nan[at]] = np.inf
            sides = (no, yes) if is_turned else (yes, no)
            left = self.missing[at] != is_turned
            rows.put(first[at], self.feature[at], split, sides[0][at], sides[1][at], left)
        for mode in (EQ, NEQ):
            at, is_equal = kinds[mode], mode == EQ
            same, other = (yes[at], no[at]) if is_equal else (no[at], yes[at])
            missing = self.missing[at] & is_equal
            rows.equal(first[at], self.feature[at], self.split[at], same, other, missing)
        for k, members in sets.items():
            rows.member(int(first[k]), int(self.feature[k]), members, int(yes[k]), int(no[k]),
                        bool(self.missing[k]))  # fmt: skip
        return rows.nodes, roots.astype(rows.nodes.dtype)


def moved(ends: Array, number: Array) -> Array:
    """References after a renumbering of nodes; leaves keep their numbers."""
    inner, result = ends >= 0, ends.copy()
    result[inner] = number[ends[inner]]
    return result


class Rows:
    """Builds the node table of ``opc.walk``, one row or several rows at a time."""

    def __init__(self, count: int, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.nodes = np.zeros((count, 4), f"i{dtype.itemsize}")

    def put(self, at: Any, feature: Any, split: Any, left: Any, right: Any, missing: Any) -> None:
        """``x[feature] <= split ? left : right``; NaN goes left where it is ``missing`` there."""
        self.nodes[at, FEATURE] = np.where(missing, ~feature, feature)
        self.nodes[at, SPLIT] = np.asarray(split, self.dtype).view(self.nodes.dtype)
        self.nodes[at, LEFT], self.nodes[at, RIGHT] = left, right

    def equal(self, at: Any, feature: Any, split: Any, yes: Any, no: Any, missing: Any) -> None:
        """``x[feature] == split ? yes : no`` in two rows; NaN goes to ``yes`` or to ``no``."""
        self.put(at, feature, floor(split, self.dtype), at + 1, no, missing)
        self.put(at + 1, feature, before(split, self.dtype), no, yes, False)

    def member(
        self, at: int, feature: int, members: Array, yes: int, no: int, missing: bool
    ) -> int:
        """``x[feature] in members ? yes : no`` as a binary search; returns the next free row."""
        if len(members) < 2:
            split = members if len(members) else np.array([np.nan])
            if not len(members):
                self.put(at, np.int64(feature), np.nan, yes, no, missing)
                return at + 1
            self.equal(np.array([at]), np.array([feature]), split, yes, no, missing)
            return at + 2
        half = len(members) // 2
        behind = self.member(at + 1, feature, members[:half], yes, no, missing)
        split = floor(members[half - 1 : half], self.dtype)
        self.put(at, np.int64(feature), split[0], at + 1, behind, missing)
        return self.member(behind, feature, members[half:], yes, no, missing)


def floor(numbers: Array, dtype: np.dtype[Any]) -> Array:
    """Values rounded down to a type."""
    with np.errstate(over="ignore"):
        near = numbers.astype(dtype)
    return np.where(near > numbers, np.nextafter(near, dtype.type(-np.inf)), near)


def before(numbers: Array, dtype: np.dtype[Any]) -> Array:
    """The greatest numbers of a type below the values, NaN where there are none."""
    near = floor(numbers, dtype)
    less = np.where(near == numbers, np.nextafter(near, dtype.type(-np.inf)), near)
    return np.where(numbers == -np.inf, dtype.type(np.nan), less)
