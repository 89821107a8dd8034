"""The requested outputs of a model; readers ignore what only other outputs need."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from opc.errors import UsageError

from .did_you_mean import near

_LISTED = 20
"""The greatest number of names in a message."""

_wanted: ContextVar[Sequence[str] | None] = ContextVar("opc_wanted", default=None)


@contextmanager
def wanting(names: Sequence[str] | None) -> Generator[None]:
    """Read only these outputs of models; None for all."""
    token = _wanted.set(names)
    try:
        yield
    finally:
        _wanted.reset(token)


def wanted() -> Sequence[str] | None:
    """The requested outputs, None for all."""
    return _wanted.get()


def check_names(
    names: Sequence[str], known: Sequence[str], option: str = "outputs", kind: str = "output"
) -> None:
    """Raise UsageError for a name in an option that is not known, or occurs twice."""
    for k, name in enumerate(names):
        if name not in known:
            likely = near(name, known)
            word = "did you mean" if likely else "there are"
            text = ", ".join(map(repr, likely or known[:_LISTED]))
            raise UsageError(f"{option}: no {kind} {name!r}; {word}: {text}")
        if name in names[:k]:
            raise UsageError(f"{option}: {name!r} is given twice")


def unique(names: Sequence[str]) -> list[str]:
    """Names made unique: a second ``x`` becomes ``x_1``."""
    chosen: dict[str, None] = {}
    used: dict[str, int] = {}
    for name in names:
        unique = name
        while unique in chosen:
            used[name] = used.get(name, 0) + 1
            unique = f"{name}_{used[name]}"
        chosen[unique] = None
    return list(chosen)


def dead_nodes(nodes: Sequence[Any], names: Iterable[str]) -> set[int]:
    """The indices of nodes of an ONNX graph that the named values do not need."""
    by_output = {name: k for k, node in enumerate(nodes) for name in node.output if name}
    dead, waiting = set(range(len(nodes))), list(names)
    while waiting:
        k = by_output.get(waiting.pop())
        if k in dead:
            dead.remove(k)
            waiting += names_read(nodes[k])
    return dead


def names_read(node: Any) -> list[str]:
    """The names that a node of an ONNX graph may read, also in its graphs."""
    names = list(node.input)
    for attribute in node.attribute:
        for graph in (attribute.g, *attribute.graphs):
            names += [i.name for i in graph.output]
            for inner in graph.node:
                names += names_read(inner)
    return names
