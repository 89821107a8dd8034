"""Classes of axes that must have equal extents: they are shortened or dropped together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from opc.dialects import einsum_plan
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import ContractOp, ConvOp, ConvTransposeOp, MatmulOp
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.elementwise import Elementwise
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import WindowsOp
from opc.dialects.opc.reduction import ArgReduction, Reduction
from opc.interpret.precision import Array

from .edit import Axis, Candidate


@dataclass
class Class:
    """Axes that have one extent."""

    axes: list[Axis] = field(default_factory=list[Axis])
    can_change: bool = True
    """Whether they may have another extent."""
    can_go: bool = True
    """Whether they may be dropped where all extents are 1."""


def classes(candidate: Candidate, values: Mapping[SSAValue, Array]) -> list[Class]:
    """The classes of all axes of a graph, those of the longest first."""
    unions = _Unions(values)
    for op in candidate.function.body.block.ops:
        if isinstance(op, OpcOp):
            unions.visit(op)
        elif isinstance(op, ControlOp):
            unions.fix((*op.operands, *op.results))
    all_classes = unions.listed()
    return sorted(all_classes, key=lambda c: -max(values[v].shape[axis] for v, axis in c.axes))


class _Unions:
    def __init__(self, values: Mapping[SSAValue, Array]) -> None:
        self.values = values
        self.parents: dict[Axis, Axis] = {
            (v, k): (v, k) for v, array in values.items() for k in range(array.ndim)
        }
        self.fixed: list[Axis] = []
        self.staying: list[Axis] = []

    def _root(self, axis: Axis) -> Axis:
        while self.parents[axis] != axis:
            axis = self.parents[axis]
        return axis

    def join(self, a: Axis, b: Axis) -> None:
        """Say that two axes belong together."""
        self.parents[self._root(a)] = self._root(b)

    def listed(self) -> list[Class]:
        """The classes."""
        by_root: dict[Axis, Class] = {}
        for axis in self.parents:
            by_root.setdefault(self._root(axis), Class()).axes.append(axis)
        for axis in self.fixed:
            by_root[self._root(axis)].can_change = False
        for axis in (*self.fixed, *self.staying):
            by_root[self._root(axis)].can_go = False
        return list(by_root.values())

    def _axes(self, value: SSAValue) -> Iterator[Axis]:
        return ((value, k) for k in range(self.values[value].ndim))

    def _align(self, a: SSAValue, b: SSAValue, skip: int = 0) -> None:
        """Axes belong together counted from the last, but for the last few."""
        rank, other = self.values[a].ndim, self.values[b].ndim
        for k in range(1 + skip, min(rank, other) + 1):
            self.join((a, rank - k), (b, other - k))

    def visit(self, op: OpcOp) -> None:
        """Join what belongs together because of an operator."""
        result = op.result
        match op:
            case ConstantOp():
                pass
            case Elementwise() | BroadcastOp():
                for v in op.operands:
                    self._align(v, result)
            case TransposeOp():
                for k, axis in enumerate(op.values()["permutation"]):
                    self.join((op.operands[0], axis), (result, k))
            case ContractOp():
                self._labelled(op)
            case MatmulOp() if min(self.values[v].ndim for v in op.operands) > 1:
                a, b = op.operands
                m, n, r = (self.values[v].ndim for v in (a, b, result))
                for pair in (((a, m - 2), (result, r - 2)), ((b, n - 1), (result, r - 1))):
                    self.join(*pair)
                self.join((a, m - 1), (b, n - 2))
                self._align(a, result, skip=2)
                self._align(b, result, skip=2)
                self.staying += [(a, m - 1), (a, m - 2), (b, n - 1)]
            case Reduction() | ArgReduction() if len(op.operands) == 1:
                self._reduction(op)
            case ReshapeOp():
                self._reshape(op)
            case WindowsOp():
                x, windowed = op.operands[0], len(op.values()["sizes"])
                for k in range(self.values[x].ndim - windowed):
                    self.join((x, k), (result, k))
                self.fixed += [*self._axes(x)][-windowed:] + [*self._axes(result)][-2 * windowed :]
            case ConvOp() | ConvTransposeOp():
                self._convolution(op)
            case _:
                self.fix((*op.operands, result))

    def fix(self, values: Iterable[SSAValue]) -> None:
        """Say that all axes of some values stay as they are."""
        for v in values:
            self.fixed += self._axes(v)

    def _labelled(self, op: ContractOp) -> None:
        """Axes of one label belong together, and stay; those that are stretched are as they are."""
        terms, result = einsum_plan.split(op.values()["equation"])
        first: dict[str, Axis] = {}
        for v, term in zip((op.result, *op.operands), (result, *terms), strict=True):
            for axis, label in zip(self._axes(v), term, strict=True):
                self.staying.append(axis)
                known, place = first.setdefault(label, axis)
                if self.values[v].shape[axis[1]] == self.values[known].shape[place]:
                    self.join((known, place), axis)
                else:
                    self.fixed += [(known, place), axis]

    def _convolution(self, op: ConvOp | ConvTransposeOp) -> None:
        """The batch belongs together; so do channels without groups.  No axis goes."""
        x, filters, result = op.operands[0], op.operands[1], op.result
        pairs: list[tuple[Axis, Axis]] = [((x, 0), (result, 0))]
        if op.values()["groups"] == 1:
            channels = int(isinstance(op, ConvOp))
            pairs += [((x, 1), (filters, channels)), ((result, 1), (filters, 1 - channels))]
        for pair in pairs:
            self.join(*pair)
        free = {axis for pair in pairs for axis in pair}
        self.staying += [*self._axes(x), *self._axes(filters), *self._axes(result)]
        self.fixed += {*self._axes(x), *self._axes(filters), *self._axes(result)} - free

    def _reduction(self, op: Reduction | ArgReduction) -> None:
        x, rank = op.operands[0], self.values[op.operands[0]].ndim
        axes = reduced(op, rank)
        kept = [k for k in range(rank) if k not in axes or op.values()["keepdims"]]
        if isinstance(op, ArgReduction) or len(axes) == 1:
            # There must be something to reduce.
            self.staying += [(x, k) for k in axes]
        if self.values[op.result].ndim == len(kept):
            for place, k in enumerate(kept):
                self.join((x, k), (op.result, place))

    def _reshape(self, op: ReshapeOp) -> None:
        sides = [
            [axis for axis in self._axes(v) if self.values[v].shape[axis[1]] != 1]
            for v in (op.operands[0], op.result)
        ]
        shapes = [[self.values[v].shape[k] for v, k in side] for side in sides]
        if shapes[0] == shapes[1]:
            for a, b in zip(*sides, strict=True):
                self.join(a, b)
        else:
            self.fixed += [axis for side in sides for axis in side]


def reduced(op: Reduction | ArgReduction, rank: int) -> tuple[int, ...]:
    """The axes that an operator reduces, none for the identity."""
    params = op.values()
    return (params["axis"] % rank,) if isinstance(op, ArgReduction) else op.axes(rank, params)


def params_without(op: OpcOp, dropped: Sequence[int], rank: int) -> dict[str, object] | None:
    """The attributes that change when axes of the operand are dropped; None if none do."""

    def moved(axes: Sequence[int]) -> tuple[int, ...]:
        return tuple(k - sum(d < k for d in dropped) for k in axes if k not in dropped)

    match op:
        case TransposeOp():
            return {"permutation": moved(op.values()["permutation"])}
        case ArgReduction():
            return {"axis": moved(reduced(op, rank))[0]}
        case Reduction() if op.values()["axes"] is not None and reduced(op, rank):
            return {"axes": moved(reduced(op, rank))}
        case _:
            return None
