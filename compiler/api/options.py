"""The options of a compilation."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from opc.errors import InputError, UsageError
from opc.frontend import fixed_dims
from opc.runtime import cache as caching
from opc.support.forms import FORMS

from .budgets import checked
from .donated import checked_pairs

if TYPE_CHECKING:
    from opc.schedule.tuning import Tuning


@dataclass(frozen=True)
class Options:
    """How to compile; the defaults are those of ``opc.compile``."""

    prefix: str | None = None
    stem: str = "main"
    """The prefix where none is given and the function is ``main``."""
    target: str = "native"
    cc: str | None = None
    threads: int = 1
    cache: Any = caching.DEFAULT
    verify_each: bool = False
    print_ir_after_all: bool = False
    time_passes: bool = False
    fuse: bool = True
    outputs: tuple[str, ...] | None = None
    """The names of the outputs to compute, in this order; None for all of them."""
    products: str | None = None
    """``fused``, ``rounded`` (each product of a contraction, before it is added), or as the graph
    says, which is fused if it says nothing."""
    activations: str | None = None
    """``float``, ``int8`` (products with weights of few bits round activations to 8 bits, unless a
    model asks for floats), or as the graph says."""
    subnormals: str | None = None
    """``flushed`` (subnormal weights of contractions count as zeros), ``kept``, or as the graph
    says."""
    budgets: Mapping[str, int] = field(default_factory=dict[str, int])
    """Limits other than the usual ones, which ``opc.dialects.budgets`` has."""
    dims: Mapping[str, int | Mapping[int, int]] | None = None
    """Extents that are fixed: ``{"batch": 1}`` by name, ``{"x": {2: 224}}`` by input and axis."""
    tuned: Any = None
    """A tuning file, or its rows: schedules that were measured, which docs/tuning.md explains."""
    donate: Mapping[str, str] | None = None
    """Inputs that hold an output afterwards, by name: ``{"past": "present"}``."""
    report: Callable[[str, int, int], None] | None = field(default=None, compare=False)
    """Called with what is done next: a pass, its number and how many there are, or other work
    with 0 and 0."""

    def __post_init__(self) -> None:
        """Raises UsageError for values that make no sense."""
        caching.check_threads(self.threads)
        checked(self.budgets)
        fixed_dims.checked(self.dims)
        check_tuned(self.tuned)
        checked_pairs(self.donate)
        kinds: dict[str, tuple[Any, str]] = {
            **dict.fromkeys(("cc", "prefix", "target", *FORMS), (str | None, "text")),
            **dict.fromkeys(
                ("fuse", "verify_each", "print_ir_after_all", "time_passes"),
                (bool, "True or False"),
            ),
            "stem": (str, "text"),
        }
        for name, (kind, expected) in kinds.items():
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise UsageError(f"{name}: found {value!r}, expected {expected}")
        for name, words in FORMS.items():
            if (word := getattr(self, name)) not in (None, *words):
                known = " or ".join(map(repr, words))
                raise UsageError(f"{name}: found {word!r}, expected {known}")
        names = cast("object", self.outputs)
        if names is not None:
            if isinstance(names, str) or not isinstance(names, Sequence):
                raise UsageError(f"outputs: found {names!r}, expected a list of names")
            sequence = cast("Sequence[object]", names)
            if not sequence or not all(isinstance(name, str) for name in sequence):
                raise UsageError(f"outputs: found {names!r}, expected a list of names")
            object.__setattr__(self, "outputs", tuple(sequence))
        if not (self.report is None or callable(self.report)):
            raise UsageError(f"report: found {self.report!r}, expected a function or None")
        cache: object = self.cache
        is_path = cache != "" and (isinstance(cache, str) or hasattr(cache, "__fspath__"))
        if not is_path and not isinstance(cache, caching.Default | None):
            raise UsageError(f"cache: found {cache!r}, expected the path of a folder or None")

    def build(
        self, source: str, units: Sequence[str] = (), stop: threading.Event | None = None
    ) -> Path:
        """The shared library of a C text.  Raises ToolchainError, also when ``stop`` is set."""
        return caching.build(
            source,
            cc=self.cc,
            target=self.target,
            threads=self.threads,
            cache=self.cache,
            units=units,
            stop=stop,
        )

    @functools.cached_property
    def tuning(self) -> Tuning | None:
        """The rows of ``tuned``.  Raises InputError for a file that cannot be read."""
        return tuning_of(self.tuned)


def merged(options: object, keywords: Mapping[str, Any]) -> Options:
    """The options with keywords in place of some.  Raises UsageError for unknown ones."""
    known = Options.__dataclass_fields__
    for name in keywords:
        if name not in known:
            raise UsageError(f"unknown option {name}; there are {', '.join(known)}")
    if not isinstance(options, Options | None):
        raise UsageError(f"options: found {options!r}, expected opc.Options")
    return replace(options or Options(), **keywords)


def check_tuned(tuned: object) -> None:
    """UsageError unless that is the path of a file, rows, or None."""
    is_path = tuned != "" and (isinstance(tuned, str) or hasattr(tuned, "__fspath__"))
    if tuned is None or is_path or type(tuned).__name__ == "Tuning":
        return
    raise UsageError(f"tuned: found {tuned!r}, expected the path of a tuning file or None")


def tuning_of(tuned: Any) -> Tuning | None:
    """The rows that an option names.  Raises InputError for a file that cannot be read."""
    if not isinstance(tuned, str | os.PathLike):
        return cast("Tuning | None", tuned)
    from opc.schedule.tuning import parse

    path = os.fspath(cast("str | os.PathLike[str]", tuned))
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", path) from None
    return parse(text, path)
