"""A compiled function over tensors of PyTorch, which are read and made in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from opc.runtime.arguments import origins
from opc.runtime.callable import CompiledFunction

Call = Callable[[Sequence[Any]], list[Any]]
"""Takes the tensors of the inputs, or for an input without memory its extent; gives the results."""


def over_tensors(function: CompiledFunction, dtypes: Sequence[Any]) -> Call:
    """A call of ``function`` over tensors of its exact types and shapes; see :data:`Call`.

    ``dtypes`` are those of the results, which are new contiguous tensors.  A tensor that is not
    contiguous is copied first; the others are read where they are.  Shapes are not checked.
    """
    torch: Any = import_module("torch")
    addressed = function.addressed()
    if addressed is None:
        return _through_arrays(function, dtypes)
    axes = origins(function.interface)
    places = [axes[name] for name in function.interface.dims]
    empty = torch.empty

    def call(inputs: Sequence[Any]) -> list[Any]:
        # Copies must live until the end.
        tensors: list[Any] = [x if type(x) is int else x.contiguous() for x in inputs]
        dims = tuple([_extent(inputs[k], axis) for k, axis in places])
        addresses: list[int] = [0 if type(x) is int else x.data_ptr() for x in tensors]
        shapes, size = addressed.sizes(dims, addresses)
        results = [empty(shape, dtype=dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]
        addressed(dims, addresses, [y.data_ptr() for y in results], size)
        return results

    return call


def _extent(value: Any, axis: int) -> int:
    return value if type(value) is int else value.shape[axis]


def _through_arrays(function: CompiledFunction, dtypes: Sequence[Any]) -> Call:
    """The same for results whose extents a call finds."""
    torch: Any = import_module("torch")

    def call(inputs: Sequence[Any]) -> list[Any]:
        arrays = [torch.empty((x,), dtype=torch.bool) if type(x) is int else x for x in inputs]
        returned = function.arrays(*(x.detach() for x in arrays))
        results = returned if len(dtypes) != 1 else (returned,)
        # NumPy knows bf16 from another library only: such elements come as integers.
        integers = [y if y.dtype.isbuiltin == 1 else y.view(f"u{y.itemsize}") for y in results]
        tensors = map(torch.from_numpy, integers)
        return [y.view(dtype) for y, dtype in zip(tensors, dtypes, strict=True)]

    return call
