"""A compiled function over tensors of PyTorch, which are read and made in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from opc.runtime.arguments import origins
from opc.runtime.callable import CompiledFunction

torch: Any = import_module("torch")

Call = Callable[[Sequence[Any]], list[Any]]
"""Takes the tensors of the inputs, or for an input without memory its extent; gives the results."""


def over_tensors(function: CompiledFunction, dtypes: Sequence[Any]) -> Call:
    """A call of ``function`` over tensors of its exact types and shapes; see :data:`Call`.

    ``dtypes`` are those of the results, which are new contiguous tensors.  A tensor that is not
    contiguous is copied first; the others are read where they are.  Shapes are not checked.
    """
    addressed = function.addressed()
    if addressed is None:
        return _through_arrays(function, dtypes)
    axes = origins(function.interface)
    places = [axes[name] for name in function.interface.dims]
    empty = torch.empty

    def call(inputs: Sequence[Any]) -> list[Any]:
        # Copies must live until the end.
        tensors = [x if type(x) is int or x.is_contiguous() else x.contiguous() for x in inputs]
        dims = tuple([_extent(tensors[k], axis) for k, axis in places])
        addresses = [0 if type(x) is int else x.data_ptr() for x in tensors]
        shapes, size = addressed.sizes(dims, addresses)
        results = [empty(shape, dtype=dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]
        addressed(dims, addresses, [y.data_ptr() for y in results], size)
        return results

    return call


def _extent(value: Any, axis: int) -> int:
    return value if type(value) is int else value.shape[axis]


def _through_arrays(function: CompiledFunction, dtypes: Sequence[Any]) -> Call:
    """The same for results whose extents a call finds."""

    def call(inputs: Sequence[Any]) -> list[Any]:
        arrays = [torch.empty((x,), dtype=torch.bool) if type(x) is int else x for x in inputs]
        returned = function.arrays(*(x.detach() for x in arrays))
        results = returned if len(dtypes) != 1 else (returned,)
        return [_tensor(y, dtype) for y, dtype in zip(results, dtypes, strict=True)]

    return call


def _tensor(array: Any, dtype: Any) -> Any:
    """An array as a tensor over the same memory, also of a type that NumPy has not."""
    if array.dtype.isbuiltin == 1:
        return torch.from_numpy(array)
    return torch.from_numpy(array.view(f"u{array.itemsize}")).view(dtype)
