"""Python functions as graphs: tracing over symbolic arrays, and compiling at the first call.

Which parameters are inputs, and of which type:

* an annotation ``x: "f32[N, 1024]"``, ``x: opc.spec("f32", ("N", 1024))`` or
  ``x: Annotated[np.ndarray, "f32[N, 1024]"]`` gives the type;
* a parameter with a default and without such an annotation is a constant of the graph;
* every other parameter takes its type from the arguments of each call; the function is compiled
  once for each combination.  A Python scalar there becomes an input of rank 0 (f64, i64 or i1)
  that promotes as a Python scalar does, so a call gives what the same call gives in NumPy.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from opc import dlpack
from opc.dialects.opc.base import OpcOp
from opc.dialects.shape import fits, shape_of, tensor_of
from opc.errors import ArgumentError, DTypeError, UsageError
from opc.frontend.array import Array, Trace
from opc.frontend.extent import Extent
from opc.frontend.place import input_error
from opc.frontend.promotion import promoted
from opc.frontend.spec import Spec, element_like, spec, tensor_types

DELEGATED = frozenset(
    {
        "inputs",
        "outputs",
        "c_source",
        "header",
        "library",
        "ir",
        "bind",
        "interface",
        "threads",
    }
)
"""What a function has of the compiled function, which is compiled when first asked for."""

NAME = "opc.name"
"""The attribute of an argument or result that holds a name which IR text cannot keep."""

_SCALARS = ((bool, "i1"), (int, "i64"), (float, "f64"))


@dataclass(frozen=True)
class Parameter:
    """A parameter of a Python function; without a ``spec``, calls say what it is."""

    name: str
    spec: Spec | None
    is_keyword: bool


def trace(
    fn: Callable[..., Any], specs: Sequence[Spec | str] | Mapping[str, Spec | str] | None = None
) -> ModuleOp:
    """The module with the graph that ``fn`` computes; its inputs are named as the parameters.

    ``specs`` are the types of the inputs by order or by name, where annotations do not give them.
    The function returns one array, several in a tuple or list, or a dict that names them.

    Raises :class:`UsageError` for a function that cannot be traced, :class:`InputError` where
    shapes or types do not go together, :class:`UnsupportedError` for what has no operator.
    """
    target = fn.function if isinstance(fn, Function) else fn
    parameters = _given(_parameters(target), specs if specs is not None else ())
    return _trace(target, parameters)


def _trace(fn: Callable[..., Any], parameters: Sequence[Parameter]) -> ModuleOp:
    untyped = [p.name for p in parameters if p.spec is None]
    if untyped:
        raise UsageError(
            f"{_name(fn)}(): the types of {', '.join(untyped)} are not known: annotate the "
            'parameters, as in `x: "f32[N, 1024]"`, or give specs'
        )
    specs = [p.spec for p in parameters if p.spec is not None]
    block = Block(arg_types=tensor_types([p.name for p in parameters], specs))
    graph = Trace(block)
    positional: list[Array] = []
    named: dict[str, Array] = {}
    for p, s, argument in zip(parameters, specs, block.args, strict=True):
        argument.name_hint = _hint(p.name)
        array = Array(graph, argument, weak=s.weak)
        if p.is_keyword:
            named[p.name] = array
        else:
            positional.append(array)
    try:
        names, results = _results(fn, graph, fn(*positional, **named))
    finally:
        graph.is_open = False
    block.add_op(ReturnOp(*results))
    _drop_unused(block)
    function = FuncOp(
        _name(fn),
        ([a.type for a in block.args], [r.type for r in results]),
        Region(block),
        arg_attrs=_names([p.name for p in parameters], [a.name_hint for a in block.args]),
        res_attrs=_names(names, [None] * len(names)),
    )
    return ModuleOp([function])


def _name(fn: Callable[..., Any]) -> str:
    name = str(getattr(fn, "__name__", "main"))
    return name if re.fullmatch(r"[A-Za-z_]\w{0,63}", name, re.ASCII) else "main"


def _hint(name: str) -> str | None:
    return SSAValue.extract_valid_name(name) if name.isascii() else None


def _names(names: Sequence[str], hints: Sequence[str | None]) -> ArrayAttr[DictionaryAttr] | None:
    """Attributes for the names that IR text would lose: ``x_1`` is printed as ``x``."""
    kept = [
        DictionaryAttr({} if name == hint else {NAME: StringAttr(name)})
        for name, hint in zip(names, hints, strict=True)
    ]
    return ArrayAttr(kept) if any(k.data for k in kept) else None


def _results(
    fn: Callable[..., Any], graph: Trace, returned: Any
) -> tuple[list[str], list[SSAValue]]:
    names: list[str] = []
    values: list[Any]
    if isinstance(returned, Mapping):
        mapping = cast(Mapping[Any, Any], returned)
        names, values = list(map(str, mapping)), list(mapping.values())
    elif isinstance(returned, tuple | list):
        values = list(cast(Sequence[Any], returned))
    else:
        values = [returned]
    if not values or any(v is None or isinstance(v, tuple | list | Mapping) for v in values):
        raise UsageError(
            f"{_name(fn)}() must return an array, a tuple or list of arrays, or a dict of them"
        )
    return names, [promoted(v, trace=graph)[0].value for v in values]


def _drop_unused(block: Block) -> None:
    for op in reversed(list(block.ops)):
        if isinstance(op, OpcOp) and op.result.first_use is None:
            op.detach()
            op.erase()


def _parameters(fn: Callable[..., Any]) -> list[Parameter]:
    """The inputs of a Python function, in order."""
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{fn!r} cannot be traced: {error}") from None
    result: list[Parameter] = []
    for p in signature.parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise UsageError(f"{_name(fn)}(): parameter *{p.name} has no fixed number of inputs")
        found = None if p.annotation is p.empty else _annotated(fn, p.name, p.annotation)
        if found is None and p.default is not p.empty:
            continue
        result.append(Parameter(p.name, found, p.kind is p.KEYWORD_ONLY))
    return result


def _annotated(fn: Callable[..., Any], name: str, annotation: Any) -> Spec | None:
    """The type that an annotation gives; None for one that is about something else."""
    if isinstance(annotation, str):
        # `from __future__ import annotations` makes text of everything, of text too.
        if annotation[:1] in ("'", '"'):
            annotation = ast.literal_eval(annotation)
        try:
            return spec(annotation)
        except UsageError as error:
            annotation = _evaluated(fn, annotation)
            if annotation is None:
                raise UsageError(f"{_name(fn)}(): parameter {name}: {error.message}") from None
    for note in (annotation, *getattr(annotation, "__metadata__", ())):
        if isinstance(note, Spec):
            return note
        if isinstance(note, str):
            return spec(note)
    return None


def _evaluated(fn: Callable[..., Any], annotation: str) -> Any:
    plain: Any = inspect.unwrap(fn)
    plain = plain.func if isinstance(plain, functools.partial) else plain
    try:
        # What Python itself does with an annotation that is not postponed.
        return eval(annotation, getattr(plain, "__globals__", {}))
    except Exception:
        return None


def _given(
    parameters: list[Parameter], specs: Sequence[Spec | str] | Mapping[str, Spec | str]
) -> list[Parameter]:
    """The parameters with these types in place of those of annotations."""
    if isinstance(specs, Mapping):
        unknown = specs.keys() - {p.name for p in parameters}
        if unknown:
            raise UsageError(f"there is no input {', '.join(sorted(unknown))}")
        named = {name: spec(s) for name, s in specs.items()}
    else:
        if isinstance(specs, str | Spec):
            raise UsageError("specs are a sequence, or a mapping by name")
        if len(specs) > len(parameters):
            raise UsageError(f"{len(specs)} specs given for {len(parameters)} inputs")
        named = {p.name: spec(s) for p, s in zip(parameters, specs, strict=False)}
    return [replace(p, spec=named.get(p.name, p.spec)) for p in parameters]


class Function:
    """A traced Python function: called like the compiled function, and compiled when first used.

    Called with symbolic arrays, within the tracing of another function, it becomes part of that.
    """

    def __init__(
        self, fn: Callable[..., Any], specs: Sequence[Spec | str], options: Mapping[str, Any]
    ) -> None:
        self.function = fn
        self.parameters = _given(_parameters(fn), specs)
        self._options = dict(options)
        self._lock = threading.RLock()
        self._compiled: dict[tuple[Spec, ...], Any] = {}
        self._only: Any = None
        self._is_typed = all(p.spec is not None for p in self.parameters)
        functools.update_wrapper(self, fn, updated=())

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """Compute the outputs, as :class:`opc.runtime.callable.CompiledFunction` does."""
        for value in (*args, *named.values()) if named else args:
            if type(value) is Array:
                return self._inlined(args, named)
        if self._only is not None:
            return self._only(*args, **named)
        if self._is_typed:
            return self._whole()(*args, **named)
        out = named.pop("out", None)
        values = self._bound(args, named)
        found = tuple(
            p.spec or _spec_of(p.name, v) for p, v in zip(self.parameters, values, strict=True)
        )
        return self._for(found)(*values, out=out)

    def trace(self) -> ModuleOp:
        """The module that is compiled; :class:`UsageError` if only a call says the types."""
        return _trace(self.function, self.parameters)

    def __getattr__(self, name: str) -> Any:
        if name in DELEGATED:
            return getattr(self._whole(), name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        inputs = ", ".join(f"{p.name}: {p.spec or '?'}" for p in self.parameters)
        return f"<opc function {_name(self.function)}({inputs})>"

    def _whole(self) -> Any:
        if self._only is None:
            specs = tuple(p.spec for p in self.parameters if p.spec is not None)
            if not self._is_typed:
                _trace(self.function, self.parameters)  # says which types are missing
            self._only = self._for(specs)
        return self._only

    def _for(self, specs: tuple[Spec, ...]) -> Any:
        compiled = self._compiled.get(specs)
        if compiled is None:
            with self._lock:
                compiled = self._compiled.get(specs)
                if compiled is None:
                    driver: Any = __import__("opc.driver", fromlist=["compile"])
                    parameters = [
                        replace(p, spec=s) for p, s in zip(self.parameters, specs, strict=True)
                    ]
                    compiled = driver.compile(_trace(self.function, parameters), **self._options)
                    self._compiled[specs] = compiled
        return compiled

    def _bound(self, args: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        """The arguments in the order of the inputs."""
        names = [p.name for p in self.parameters]
        values = dict(zip(names, args, strict=False))
        problem = ""
        if len(args) > len(names):
            problem = f"{len(args)} arrays given, expected {len(names)}; defaults are constants"
        elif named.keys() - set(names):
            problem = f"there is no input {', '.join(sorted(named.keys() - set(names)))}"
        elif named.keys() & values.keys():
            problem = f"{', '.join(sorted(named.keys() & values.keys()))} given twice"
        values |= named
        missing = [n for n in names if n not in values]
        if missing and not problem:
            problem = f"{', '.join(missing)} missing"
        if problem:
            raise ArgumentError(f"{_name(self.function)}({', '.join(names)}): {problem}")
        return [values[n] for n in names]

    def _inlined(self, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        values = self._bound(args, named)
        for p, value in zip(self.parameters, values, strict=True):
            if p.spec is None or not isinstance(value, Array):
                continue
            (wanted,) = tensor_types([p.name], [p.spec])
            same = value.element is p.spec.element
            if not same or not fits(shape_of(wanted), shape_of(tensor_of(value.value))):
                raise input_error(
                    f"{_name(self.function)}(): input {p.name} is {value!r}, expected {p.spec}"
                )
        positional = [v for p, v in zip(self.parameters, values, strict=True) if not p.is_keyword]
        rest = {p.name: v for p, v in zip(self.parameters, values, strict=True) if p.is_keyword}
        return self.function(*positional, **rest)


def _spec_of(name: str, value: Any) -> Spec:
    """The type of an argument."""
    for kind, element in _SCALARS:
        if type(value) is kind:
            return Spec(element_like(element), (), weak=True)
    if isinstance(value, Extent):
        raise UsageError(f"input {name}: an extent is no array; pass opc.numpy.asarray of it")
    try:
        array = value if _is_numpy(value) else _from_foreign(value)
        return Spec(element_like(array.dtype), array.shape)
    except UsageError as error:
        raise DTypeError(f"input {name!r}: {error.message}") from None
    except (BufferError, OverflowError, RuntimeError, TypeError, ValueError) as error:
        raise ArgumentError(
            f"input {name!r}: {type(value).__name__} cannot be read: {error}"
        ) from None


def _is_numpy(value: object) -> bool:
    return isinstance(value, np.ndarray | np.generic)


def _from_foreign(value: Any) -> Any:
    return dlpack.read(value) if dlpack.has_dlpack(value) else np.asarray(value)


def function(fn: Callable[..., Any] | None = None, /, *specs: Spec | str, **options: Any) -> Any:
    """Trace and compile a Python function; a decorator, with or without options.

    ``specs`` are the types of the inputs in order, where annotations do not give them;
    ``options`` are those of :func:`opc.compile` (``threads``, ``target``, ``cache``, ...)::

        @opc.function
        def centre(x: "f32[N, 1024]"):
            return x - x.mean(axis=1, keepdims=True)

        scale = opc.function(lambda x: x * 2, "f32[N]", threads=4)
    """
    if fn is None:
        return lambda decorated: Function(decorated, specs, options)  # pyright: ignore
    if not callable(fn):
        raise UsageError(f"{fn!r} is no function")
    return Function(fn, specs, options)
