"""The contract between emitted C and whoever calls it.

The emitter fills an :class:`Interface`, the runtime reads it; neither knows the other.

The C functions that an interface describes, with ``P`` the prefix::

    int P_run(int64_t dims..., const T *inputs..., [const void *weights], T *outputs...,
              void *workspace, [int64_t *shapes]);
    int P_plan(int64_t dims..., const T *inputs..., int64_t *shapes, size_t *workspace_bytes);

``P_plan`` exists only when :attr:`Interface.needs_plan` holds.  It writes the extents of every
output, one after the other, and the workspace size.  Where :attr:`Interface.finds_shapes` holds,
these are the most that they can be, and ``P_run`` writes those that came out.  Both return 0,
``1 + i`` when run-time check ``i`` of :attr:`Interface.checks` failed, :data:`IMPOSSIBLE` for
extents that no array has, or what :func:`too_small` reads: both may then be called again with a
larger capacity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

ABI_VERSION = 3
"""Counts the changes of the calling convention above."""

CONTRACT = 1
"""Counts the changes of a promised bit of any result: the version of docs/numerics.md."""

IMPOSSIBLE = -1
"""Returned where an extent is negative, or a size in bytes beyond what C computes."""

CAPACITY = 16
"""What a capacity is for the first call.  Sizes may be products of several."""
_PLACES = 64
"""What is returned for a capacity that is too small is minus so many times its number, from 1 on,
and the exponent of the least power of 2 that suffices."""


def too_small(code: int) -> tuple[int, int] | None:
    """Which capacity is too small, from 0 on, and the power of 2 that suffices.

    None for any other return value.
    """
    number, bits = divmod(-code, _PLACES)
    return (number - 1, 1 << bits) if number > 0 else None


def too_small_code(number: int) -> int:
    """What is returned where that capacity is too small, but for the exponent."""
    return _PLACES * (1 + number)


SEED = "seed"
"""The name of the input that decides random numbers; legalizing a model gives it."""


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """Name, element type and shape of one input or output.

    An extent is an ``int``, or text: for inputs the name of a symbol, for outputs an expression
    over symbols.  For an input of indices, ``below`` is the extent of the axis that they are of,
    if that is such an extent: of several axes, the shortest that is known.

    An output with ``labels`` stands for text: its elements are places in that table.  One with
    ``keys``, of shape [N, K], stands for N dictionaries of these K keys.
    """

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int | str, ...]
    below: int | str | None = None
    labels: tuple[str, ...] | None = None
    keys: tuple[int | str, ...] | None = None

    @property
    def is_static(self) -> bool:
        """Whether every extent is known when compiling."""
        return all(isinstance(extent, int) for extent in self.shape)


@dataclass(frozen=True, slots=True)
class Interface:
    """Everything a caller must know about one emitted function.

    ``dims`` are the symbols passed as ``int64_t``, in order; each is the extent of at least one
    axis of an input, or a capacity: what an extent that is computed may be at most, as its caller
    chooses: ``capacities`` are their names.
    ``workspace`` is a size in bytes (alignment 64), or None when ``P_plan`` computes it.
    ``checks`` are message templates; ``{name}`` stands for the value of a dim, ``{in2[1]}`` for an
    element of an input, and what else is in braces is in ``names``.  ``reads_sizes`` is
    False where sizes depend on dims alone, never on what the inputs hold.  ``finds_shapes`` is True
    where extents of outputs come of what is computed: elements are dense for the shape that came
    out, at the start of an array of the most that it can be.
    """

    prefix: str
    function: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    dims: tuple[str, ...]
    workspace: int | None
    has_weights: bool
    checks: tuple[str, ...]
    reads_sizes: bool = True
    finds_shapes: bool = False
    capacities: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What is unusual about the results, in words."""
    contract: int = CONTRACT
    """The version of docs/numerics.md that results have the bits of."""
    products: str = "fused"
    """How contractions add products: ``fused``, or ``rounded`` before they are added."""
    activations: str = "float"
    """What weights of few bits are multiplied by: ``float``, or ``int8`` where a model may."""
    subnormals: str = "flushed"
    """What subnormal weights of contractions are: ``flushed`` to zeros, or ``kept``."""
    constants: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """The C type and the count of the elements of each constant in the weights.  Callers do not
    need them, and a saved function does not keep them."""
    donated: tuple[tuple[int, int], ...] = ()
    """The numbers of inputs and outputs that are one array: callers pass its address twice."""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """What messages call symbols that the compiler made: as the model does, or in words."""

    @property
    def has_seed(self) -> bool:
        """Whether the last input decides random numbers: an integer of 64 bits of that name.

        From Python it may be left out, and is drawn from the system then.
        """
        last = self.inputs[-1] if self.inputs else None
        return last is not None and (
            last.name == SEED and last.dtype == np.uint64 and last.shape == ()
        )

    @property
    def needs_plan(self) -> bool:
        """Whether output shapes or the workspace size are only known at run time."""
        return self.workspace is None or not all(spec.is_static for spec in self.outputs)
