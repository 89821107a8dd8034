"""Calls over memory that is named by addresses: of tensors whose library is not known here.

The caller vouches for what a call over arrays checks: each address is that of a C-contiguous,
aligned tensor of the type and the extents of the interface, and no output shares memory with
another argument.  A call costs then little more than the C function.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

from . import limits
from .arguments import Shape
from .native import Native, Workspace

Sizes = tuple[list[Shape], int]
"""The shape of each output, and the bytes of the workspace."""


class AddressedCall:
    """A compiled function that is told the values of its symbols and addresses of tensors."""

    def __init__(self, native: Native, workspace: Callable[[int], Workspace]) -> None:
        """For a function whose extents do not depend on what it computes."""
        self._native = native
        self._workspace = workspace
        self._sizes: dict[tuple[int, ...], Sizes] = {}

    def sizes(self, dims: tuple[int, ...], inputs: Sequence[int]) -> Sizes:
        """What a call with these symbols, in the order of ``interface.dims``, needs.

        Raises :class:`ArgumentError` where a check of extents fails.
        """
        known = self._sizes.get(dims)
        if known is None:
            native = self._native
            symbols = dict(zip(native.interface.dims, dims, strict=True))
            known = native.measure(self._sources(dims, inputs), symbols)
            if not native.interface.reads_sizes:
                if len(self._sizes) >= limits.REMEMBERED:
                    self._sizes.clear()
                self._sizes[dims] = known
        return known

    def __call__(
        self, dims: tuple[int, ...], inputs: Sequence[int], outputs: Sequence[int], size: int
    ) -> None:
        """Compute into ``outputs``, of the shapes of :meth:`sizes`, with so much workspace.

        Raises :class:`ArgumentError` where a check fails.
        """
        native, workspace = self._native, self._workspace(size)
        code = native.run(*dims, *inputs, *native.constants, *outputs, workspace[0])
        if code:
            symbols = dict(zip(native.interface.dims, dims, strict=True))
            native.fail(code, symbols, self._sources(dims, inputs))

    def _sources(self, dims: Sequence[int], inputs: Sequence[int]) -> list[object]:
        return [*map(ctypes.c_int64, dims), *map(ctypes.c_void_p, inputs)]
