"""``opc.function``: Python functions that are traced and compiled when they are first called.

A call chooses a version.  Versions differ in the element type and the rank of each input whose type
is not annotated, in which of its extents are 1 (these are broadcast), and in the constants that are
given in place of defaults; all other extents are symbols, so one version takes every length.  The
versions that were used last are kept.

A Python scalar for such an input is one of rank 0 (f64, i64 or i1) that promotes as a Python scalar
does, so a call gives what the same call gives in NumPy.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np

from opc.errors import ArgumentError, DTypeError, UsageError
from opc.frontend.python.array import Array
from opc.frontend.python.builder import Traceable, build
from opc.frontend.python.extent import Extent
from opc.frontend.python.signature import Parameter, Specs, function_name
from opc.frontend.python.spec import Spec, element_like
from opc.support import dlpack

from .budgets import within

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from opc.runtime.callable import BoundCall
    from opc.support.interface import Interface, TensorSpec

    from .driver import Function

P = ParamSpec("P")
R = TypeVar("R", covariant=True)

MAX_VERSIONS = 64
"""How many versions of a function are kept by default."""

_SCALARS = {bool: "i1", int: "i64", float: "f64"}


class TracedFunction(Traceable, Generic[P, R]):
    """A traced Python function: called like the compiled one, and compiled when first used.

    What it has of the compiled function (``c_source``, ``inputs``, ...) is of the annotated types,
    and where there are none, of the version that was used last.  Called with symbolic arrays,
    within the tracing of another function, it becomes part of that.
    """

    def __init__(
        self,
        fn: Callable[P, R],
        specs: Specs = (),
        *,
        specialize: bool = False,
        max_versions: int = MAX_VERSIONS,
        **options: Any,
    ) -> None:
        """See :func:`function`."""
        super().__init__(fn, specs)
        functools.update_wrapper(self, fn, updated=())
        if type(max_versions) is not int or max_versions < 1:
            raise UsageError(f"max_versions: found {max_versions!r}, expected a number above 0")
        self._is_typed = all(p.spec is not None for p in self._inputs)
        if specialize and self._is_typed:
            raise UsageError(
                f"{function_name(fn)}(): nothing to specialize, since all inputs have annotated "
                "types; write numbers for the extents there"
            )
        self._specialize = specialize
        self._max_versions = max_versions
        self._options = options
        leading = [p.is_constant for p in self.parameters[: len(self._inputs)]]
        self._plain_count = -1 if any(leading) else len(self._inputs)
        self._compiling = threading.RLock()
        self._choosing = threading.Lock()
        self._versions: OrderedDict[tuple[Hashable, ...], Function] = OrderedDict()
        self._only: Function | None = None
        self._last: Function | None = None

    if TYPE_CHECKING:

        @overload
        def __call__(
            self: TracedFunction[P, Mapping[str, Any] | list[Any]],
            /,
            *args: P.args,
            **named: P.kwargs,
        ) -> Any: ...
        @overload
        def __call__(self, /, *args: P.args, **named: P.kwargs) -> R: ...
        @overload
        def __call__(self, /, *args: Any, out: Any, **named: Any) -> Any: ...

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """Compute the outputs, as :class:`opc.runtime.callable.CompiledFunction` does.

        Raises :class:`ArgumentError` and :class:`DTypeError`, and where a version is compiled
        first, what :func:`opc.trace` and :func:`opc.compile` do.
        """
        for value in (*args, *named.values()) if named else args:
            if type(value) is Array:
                return self._inlined(args, named)
        if not named and len(args) == self._plain_count:
            return (self._only or self._version(args, {}))(*args)
        out = named.pop("out", None)
        inputs, constants = self._split(args, named)
        return self._version(inputs, constants)(*inputs, out=out)

    def bind(self, /, *args: Any, out: Any = None, **named: Any) -> BoundCall:
        """A call without arguments over these very arrays, as of the compiled function."""
        inputs, constants = self._split(args, named)
        return self._version(inputs, constants).bind(*inputs, out=out)

    @property
    def versions(self) -> tuple[Function, ...]:
        """The compiled functions that are kept, the one used last at the end."""
        return tuple(self._versions.values())

    @property
    def compiled(self) -> Function:
        """The compiled function: of the annotated types, or the version that was used last.

        Raises :class:`UsageError` where no call has said the types yet.
        """
        if self._only is not None:
            return self._only
        if self._is_typed:
            return self._version([None] * len(self._inputs), {})
        if self._last is None:
            unknown = ", ".join(p.name for p in self._inputs if p.spec is None)
            raise UsageError(
                f"{function_name(self.function)}(): the types of {unknown} are not known before a "
                'call; annotations say them, as in `x: Annotated[np.ndarray, "f32[N, 1024]"]`'
            )
        return self._last

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """Name, element type and shape of each input."""
        return self.compiled.inputs

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """Name, element type and shape of each output."""
        return self.compiled.outputs

    @property
    def products(self) -> str:
        """How contractions add products, as for compiled functions."""
        return self.compiled.products

    @property
    def activations(self) -> str:
        """What products with weights of few bits read, as for compiled functions."""
        return self.compiled.activations

    @property
    def subnormals(self) -> str:
        """What subnormal weights are, as for compiled functions."""
        return self.compiled.subnormals

    @property
    def contract(self) -> int:
        """The version of docs/numerics.md that results have the bits of."""
        return self.compiled.contract

    @property
    def c_source(self) -> str:
        """The C text."""
        return self.compiled.c_source

    @property
    def header(self) -> str:
        """The text of the header."""
        return self.compiled.header

    @property
    def library(self) -> Path:
        """The shared library."""
        return self.compiled.library

    @property
    def interface(self) -> Interface:
        """What a caller of the C functions must know."""
        return self.compiled.interface

    @property
    def threads(self) -> int:
        """The most threads that a call runs on."""
        return self.compiled.threads

    def ir(self, stage: str) -> str:
        """The IR at a stage: source, graph, normal, kernels or loops."""
        return self.compiled.ir(stage)

    def save(
        self, folder: str | os.PathLike[str], *, name: str | None = None, overwrite: bool = False
    ) -> Path:
        """Write the compiled function for :func:`opc.load`; see :meth:`opc.Function.save`."""
        return self.compiled.save(folder, name=name, overwrite=overwrite)

    def _split(
        self, args: tuple[Any, ...], named: Mapping[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """The inputs in order, and the constants that are given."""
        values = self._bound(args, named)
        return [values.pop(p.name) for p in self._inputs], values

    def _version(self, inputs: Sequence[Any], constants: Mapping[str, Any]) -> Function:
        """The version for these arguments, compiled if there is none."""
        kinds = [
            None if p.spec is not None else self._kind(p.name, value)
            for p, value in zip(self._inputs, inputs, strict=True)
        ]
        key = (*kinds, *((name, _identity(name, c)) for name, c in sorted(constants.items())))
        version = self._versions.get(key)
        if version is None:
            version = self._compiled(key, inputs, constants)
        elif version is not self._last:
            with self._choosing:
                if key in self._versions:
                    self._versions.move_to_end(key)
        self._last = version
        return version

    def _kind(self, name: str, value: Any) -> Hashable:
        """The part of a version's key that an argument decides."""
        if type(value) in _SCALARS:
            return cast(Hashable, type(value))
        array: Any = value if type(value) is np.ndarray else _as_array(name, value)
        dtype = array.dtype if array.dtype.isnative else array.dtype.newbyteorder("=")
        shape = array.shape
        return dtype, shape if self._specialize else tuple([extent == 1 for extent in shape])

    def _spec(self, name: str, value: Any) -> Spec:
        """The type of an argument, with ``?`` for the extents that a version takes whatever."""
        if type(value) in _SCALARS:
            return Spec(element_like(_SCALARS[type(value)]), (), weak=True)
        array = _as_array(name, value)
        try:
            element = element_like(array.dtype.newbyteorder("="))
        except UsageError as error:
            raise DTypeError(f"input {name!r}: {error.message}") from None
        if self._specialize:
            return Spec(element, array.shape)
        return Spec(element, tuple(1 if extent == 1 else "?" for extent in array.shape))

    def _compiled(
        self, key: tuple[Hashable, ...], inputs: Sequence[Any], constants: Mapping[str, Any]
    ) -> Function:
        from .driver import compile

        with self._compiling:
            if (version := self._versions.get(key)) is not None:
                return version
            values = dict(zip((p.name for p in self._inputs), inputs, strict=True))
            parameters: list[Parameter] = []
            for p in self.parameters:
                if p.spec is None and not p.is_constant:
                    p = replace(p, spec=self._spec(p.name, values[p.name]), is_free=True)
                parameters.append(p)
            with within(self._options.get("budgets", {})):
                module = build(self.function, parameters, constants)
            compiled = compile(module, **self._options)
            if self._is_typed and not constants:
                self._only = compiled
            with self._choosing:
                self._versions[key] = compiled
                while len(self._versions) > self._max_versions:
                    self._versions.popitem(last=False)
            return compiled


def _as_array(name: str, value: Any) -> np.ndarray[Any, Any]:
    """An argument whose type is asked for as an array.  Raises :class:`ArgumentError`."""
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(cast(Any, value))
    if isinstance(value, Extent):
        raise UsageError(f"input {name}: an extent is no array; pass opc.numpy.asarray of it")
    try:
        return dlpack.read(value) if dlpack.has_dlpack(value) else np.asarray(value)
    except (BufferError, OverflowError, RuntimeError, TypeError, ValueError) as error:
        raise ArgumentError(
            f"input {name!r}: {type(value).__name__} cannot be read: {error}"
        ) from None


def _identity(name: str, value: Any) -> Hashable:
    """A key of a constant, which differs for 1, 1.0 and True."""
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        return array.dtype.str, array.shape, array.tobytes()
    if isinstance(value, float):
        return type(value), value.hex()
    if isinstance(value, tuple | list):
        items = cast("Sequence[object]", value)
        return isinstance(value, list), tuple(_identity(name, item) for item in items)
    if not isinstance(value, Hashable):
        raise ArgumentError(
            f"{name}: {type(value).__name__} cannot be given in place of a default; use numbers, "
            "text, arrays, or tuples of them"
        )
    return type(value), value


@overload
def function(
    fn: Callable[P, R],
    /,
    *specs: Spec | str,
    specialize: bool = False,
    max_versions: int = MAX_VERSIONS,
    **options: Any,
) -> TracedFunction[P, R]: ...
@overload
def function(
    fn: None = None,
    /,
    *,
    specialize: bool = False,
    max_versions: int = MAX_VERSIONS,
    **options: Any,
) -> Callable[[Callable[P, R]], TracedFunction[P, R]]: ...
def function(fn: Callable[..., Any] | None = None, /, *specs: Spec | str, **options: Any) -> Any:
    """Trace and compile a Python function; a decorator, with or without options.

    ``specs`` are the types of the inputs in order, where annotations do not give them.  Where
    nothing does, a version is compiled for each element type and rank, and for each choice of
    extents that are 1; with ``specialize`` for each shape, which is faster to run.  The
    ``max_versions`` that were used last are kept.  Further ``options`` are those of
    :func:`opc.compile` (``threads``, ``target``, ``cache``, ...)::

        @opc.function
        def centre(x: Annotated[np.ndarray, "f32[N, 1024]"]):
            return x - x.mean(axis=1, keepdims=True)

        scale = opc.function(lambda x: x * 2, "f32[N]", threads=4)

    A parameter with a default and without a type is a constant of the compiled code; a call that
    gives another value chooses another version.

    Raises :class:`UsageError` for a function that cannot be traced.
    """
    if fn is None:
        return lambda decorated: TracedFunction(decorated, specs, **options)  # pyright: ignore
    if not callable(fn):
        raise UsageError(f"{fn!r} is no function")
    return TracedFunction(fn, specs, **options)
