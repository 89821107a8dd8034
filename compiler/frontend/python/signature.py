"""The parameters of a traced Python function: inputs with their types, and constants.

* an annotation ``x: Annotated[np.ndarray, "f32[N, 1024]"]``, ``x: "f32[N, 1024]"`` or
  ``x: opc.spec("f32", ("N", 1024))`` gives the type of an input;
* a parameter with a default and without such an annotation is a constant of the graph;
* every other parameter is an input that takes its type from the arguments of each call.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from opc.errors import UsageError

from .spec import Spec, spec

Specs = Sequence[Spec | str] | Mapping[str, Spec | str]
"""Types of inputs, by order or by name."""

EMPTY = inspect.Parameter.empty
"""The default of a parameter without one."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a Python function; calls decide the type of an input without a ``spec``.

    ``is_free`` marks a spec from a call, whose extents ``?`` are not 1.
    """

    name: str
    spec: Spec | None
    is_keyword: bool
    default: Any = EMPTY
    is_constant: bool = False
    is_free: bool = False


def function_name(fn: Callable[..., Any]) -> str:
    """The name of a function if it is valid in C, else ``main``."""
    name = str(getattr(fn, "__name__", "main"))
    return name if re.fullmatch(r"[A-Za-z_]\w{0,63}", name, re.ASCII) else "main"


def parameters_of(fn: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a Python function, in order.  Raises :class:`UsageError`."""
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{fn!r} cannot be traced: {error}") from None
    result: list[Parameter] = []
    for p in signature.parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise UsageError(
                f"{function_name(fn)}(): parameter *{p.name} has no fixed number of inputs"
            )
        stated = None if p.annotation is p.empty else _annotated(fn, p.name, p.annotation)
        is_constant = stated is None and p.default is not p.empty
        result.append(Parameter(p.name, stated, p.kind is p.KEYWORD_ONLY, p.default, is_constant))
    return result


def with_specs(parameters: Sequence[Parameter], specs: Specs) -> list[Parameter]:
    """The parameters with input types replaced by ``specs``."""
    names = [p.name for p in parameters if not p.is_constant]
    if isinstance(specs, Mapping):
        unknown = specs.keys() - set(names)
        if unknown:
            raise UsageError(f"there is no input {', '.join(sorted(unknown))}")
        named = {name: spec(s) for name, s in specs.items()}
    else:
        if isinstance(specs, str | Spec):
            raise UsageError("specs are a sequence, or a mapping by name")
        if len(specs) > len(names):
            raise UsageError(f"{len(specs)} specs given for {len(names)} inputs")
        named = {name: spec(s) for name, s in zip(names, specs, strict=False)}
    return [replace(p, spec=named.get(p.name, p.spec)) for p in parameters]


def _annotated(fn: Callable[..., Any], name: str, annotation: Any) -> Spec | None:
    """The type in an annotation; None for unrelated annotations."""
    if isinstance(annotation, str):
        # `from __future__ import annotations` also quotes strings again.
        if annotation[:1] in ("'", '"'):
            annotation = ast.literal_eval(annotation)
        try:
            return spec(annotation)
        except UsageError as error:
            annotation = _evaluated(fn, annotation)
            if annotation is None:
                message = f"{function_name(fn)}(): parameter {name}: {error.message}"
                raise UsageError(message) from None
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
        # Evaluate as Python does without postponed annotations.
        return eval(annotation, getattr(plain, "__globals__", {}))
    except Exception:
        return None
