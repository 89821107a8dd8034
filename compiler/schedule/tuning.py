"""Schedules that were found by measuring: rows of a tuning file, and those that are in force.

A tuning file has one JSON object a line, for one nest on one machine.  Files may be concatenated;
of several rows for the same nest and machine, the last one counts.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from opc.dialects import kernel
from opc.dialects.registry import context
from opc.dialects.schedule import TreeOp
from opc.errors import InputError
from opc.support.target import Target
from opc.support.targets import processor

from .nest_form import Form, form_of
from .nest_legality import check

VERSION = 1
"""Counts the changes of the format."""


@dataclass(frozen=True)
class Row:
    """What was found for a nest on a machine; times are seconds."""

    nest: str
    """The digest of its form."""
    about: str
    processor: str
    target: str
    """The name and numbers of the target."""
    threads: int
    tree: str
    """The fastest schedule, with the symbols of the form."""
    seconds: float
    planned: float
    """The time of the planner's schedule."""
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    """The symbols of the form where it was measured."""
    others: tuple[tuple[float, str], ...] = ()
    """Further schedules with their times, the fastest first."""

    @property
    def line(self) -> str:
        """The row in a file."""
        return json.dumps({"opc_tuning": VERSION, **asdict(self)}) + "\n"

    @property
    def key(self) -> tuple[str, ...]:
        """What two rows for the same nest and machine share."""
        is_native = self.target.startswith("native")
        machine = self.processor if is_native else ""
        return self.nest, machine, self.target, str(self.threads)


@dataclass(frozen=True)
class Tuning:
    """The rows of tuning files, by key."""

    rows: Mapping[tuple[str, ...], Row]

    @property
    def digest(self) -> str:
        """What tells it from others that give other C."""
        used = sorted((key, row.tree) for key, row in self.rows.items())
        return hashlib.sha256(repr(used).encode()).hexdigest()

    @property
    def text(self) -> str:
        """The content of a file with these rows."""
        return "".join(row.line for row in self.rows.values())

    def with_rows(self, rows: Iterable[Row]) -> Tuning:
        """The same with further rows, which count in place of those for the same nest."""
        merged = dict(self.rows)
        for row in rows:
            merged.pop(row.key, None)
            merged[row.key] = row
        return Tuning(merged)

    def row(self, form: Form, target: Target, threads: int) -> Row | None:
        """The row for a nest on the present machine."""
        wanted = Row(form.digest, "", processor(), target.describe(), threads, "", 0, 0)
        return self.rows.get(wanted.key)


def parse(text: str, name: str) -> Tuning:
    """The rows of a file.  Raises InputError, which names the line."""
    lines = enumerate(text.splitlines(), 1)
    rows = (_row(line, f"{name}:{number}") for number, line in lines if line.strip())
    return Tuning({}).with_rows(rows)


def _are_sizes(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(n, int) for n in cast("dict[str, object]", value).values()
    )


def _are_others(value: object) -> bool:
    pairs = cast("list[object]", value) if isinstance(value, list) else [None]
    return all(
        isinstance(pair, list) and list(map(type, cast("list[object]", pair))) == [float, str]
        for pair in pairs
    )


_FIELDS: dict[str, Callable[[object], bool]] = {
    **dict.fromkeys(("nest", "about", "processor", "target", "tree"), lambda v: isinstance(v, str)),
    **dict.fromkeys(("seconds", "planned"), lambda v: isinstance(v, int | float)),
    **{"threads": lambda n: type(n) is int, "sizes": _are_sizes, "others": _are_others},
}
"""What each field of a row is."""


def _row(line: str, where: str) -> Row:
    try:
        loaded: object = json.loads(line)
    except (ValueError, RecursionError):
        loaded = None
    values = cast("dict[str, Any]", loaded) if isinstance(loaded, dict) else {}
    version = values.pop("opc_tuning", None)
    if version != VERSION:
        shown = "no row" if version is None else f"version {version}"
        raise InputError(f"found {shown}, expected a row of tuning, version {VERSION}", where)
    for key, fits in _FIELDS.items():
        if not fits(values.get(key)):
            shown = f"{values.get(key)!r}"[:60]
            raise InputError(f"found {key} {shown}, expected what 'opc tune' writes", where)
    others = tuple((float(t), tree) for t, tree in values.pop("others"))
    return Row(**{key: values[key] for key in _FIELDS if key != "others"}, others=others)


Source = Callable[[kernel.NestOp, Target, int], TreeOp | None]
"""Gives the schedule of a nest for a target, with so many chunks for threads, or None."""
_IN_FORCE: ContextVar[Source | None] = ContextVar("tuning", default=None)


@contextmanager
def in_force(source: Source | None) -> Generator[None]:
    """Ask a source before planners, in the ``with`` statement."""
    token = _IN_FORCE.set(source)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def tuned(nest: kernel.NestOp, target: Target, chunks: int) -> TreeOp | None:
    """The schedule that the source in force has for a nest, if there is one."""
    source = _IN_FORCE.get()
    return None if source is None else source(nest, target, chunks)


def rows_of(tuning: Tuning, threads: int) -> Source:
    """The source that has the schedules of rows.

    A row that is no longer legal, for whatever has changed since, is left out with a warning.
    """

    def schedule(nest: kernel.NestOp, target: Target, _: int) -> TreeOp | None:
        form = form_of(nest)
        if (row := tuning.row(form, target, threads)) is None:
            return None
        try:
            tree = parsed(form.with_names(row.tree))
            check(nest, tree)
        except (InputError, ParseError, VerifyException) as error:
            reason = (str(error).strip().splitlines() or [""])[-1].strip()
            warnings.warn(
                f"the tuning of {row.about} is not used, tune it again: {reason}",
                RuntimeWarning,
                stacklevel=1,
            )
            return None
        return tree

    return schedule


def parsed(text: str) -> TreeOp:
    """The schedule in a text.  Raises ParseError and VerifyException."""
    try:
        tree = Parser(context(), text).parse_op()
        tree.verify()
    except RecursionError:
        raise VerifyException("nested too deeply") from None
    if not isinstance(tree, TreeOp):
        raise VerifyException(f"found {tree.name}, expected schedule.tree")
    return tree
