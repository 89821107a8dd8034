"""The outputs that are wanted of a model, for readers: what only others need is not looked at."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from opc.errors import UsageError

from .did_you_mean import near

_LISTED = 20
"""Names that a message has at most."""

_wanted: ContextVar[Sequence[str] | None] = ContextVar("opc_wanted", default=None)


@contextmanager
def wanting(names: Sequence[str] | None) -> Generator[None]:
    """Read models for these outputs only; None for all of them."""
    token = _wanted.set(names)
    try:
        yield
    finally:
        _wanted.reset(token)


def wanted() -> Sequence[str] | None:
    """The outputs that are wanted, None for all of them."""
    return _wanted.get()


def check_names(names: Sequence[str], known: Sequence[str]) -> None:
    """UsageError for a name that is no output, or given twice."""
    for k, name in enumerate(names):
        if name not in known:
            likely = near(name, known)
            word = "did you mean" if likely else "there are"
            listed = ", ".join(map(repr, likely or known[:_LISTED]))
            raise UsageError(f"outputs: no output {name!r}; {word}: {listed}")
        if name in names[:k]:
            raise UsageError(f"outputs: {name!r} is given twice")


def unique(names: Sequence[str]) -> list[str]:
    """Names that differ: a second ``x`` is ``x_1``."""
    found: dict[str, None] = {}
    used: dict[str, int] = {}
    for name in names:
        unique = name
        while unique in found:
            used[name] = used.get(name, 0) + 1
            unique = f"{name}_{used[name]}"
        found[unique] = None
    return list(found)


def dead_nodes(nodes: Sequence[Any], names: Iterable[str]) -> set[int]:
    """The places of nodes of an ONNX graph that the values of these names do not need."""
    by_output = {name: k for k, node in enumerate(nodes) for name in node.output if name}
    dead, waiting = set(range(len(nodes))), list(names)
    while waiting:
        k = by_output.get(waiting.pop())
        if k in dead:
            dead.remove(k)
            waiting += names_read(nodes[k])
    return dead


def names_read(node: Any) -> list[str]:
    """The names that a node of an ONNX graph may read, those in its graphs too."""
    found = list(node.input)
    for attribute in node.attribute:
        for graph in (attribute.g, *attribute.graphs):
            found += [i.name for i in graph.output]
            for inner in graph.node:
                found += names_read(inner)
    return found
