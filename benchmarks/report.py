"""Figures as tables, summaries, JSON, and a list of what is wrong."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.measure import LIMIT, MISALIGNED_LIMIT, Measurement

MARKERS = "<!-- benchmarks -->", "<!-- /benchmarks -->"

CALLED = "opc, called"

NETWORKS_GROUP = "networks"
"""The group of whole networks, which have a table and a summary of their own."""

_INTRODUCTION = """\
# Benchmarks

Times are in microseconds, of rounds in which the systems take turns; a wrong result is not timed.
Arrays start at a cache line, as those do that most runtimes allocate, and results lie row by row: a
view of something else is copied, as ONNX's runtimes do. The ratio is the time of the best peer over
that of opc: above one, opc is faster. An asterisk marks an extent that is symbolic in the model, a
tilde what was measured while other processes ran. The last columns are a roofline: the time of a
copy of as many bytes as inputs and outputs have (half of them read, half written, so what only
reads can be above 100), and the time of its multiplications and additions at the highest rate that
was measured (a transcendental function counts as a polynomial), both over the time of opc. That
rate is of twelve independent chains of fused multiply-adds of f32 over full vectors in registers:
of 400 samples of some 0.2 ms the fastest.

"""

_MISALIGNED = """
"Misaligned" is the time of opc with arrays that NumPy allocates, which begin 16 bytes behind a page
and so within a cache line, over that with aligned ones; "its ratio" that of the best peer over that
of opc with such arrays. (jax copies them to aligned ones beforehand.)
"""

PEERS = ("onnxruntime", "openvino", "torch", "jax", "numexpr", "numpy")

_PEAK_SHARE = {"f32": 1.0, "f64": 0.5, "f16": 1.0, "bf16": 1.0}
"""What of the measured peak of f32 an element type can reach; half types compute in f32."""


class Report:
    """Everything that was measured in one run."""

    def __init__(self, groups: Mapping[str, Sequence[str]], times: str = "medians") -> None:
        """``groups`` has the names of rows; ``times`` says what of the samples a time is."""
        self.times = times
        self.origin = f"{machine()}; {versions()}"
        self.rows: list[Measurement] = []
        self.peaks: dict[int, float] = {}
        self.groups = {row: group for group, rows in groups.items() for row in rows}

    def add(self, threads: int, lines: Iterable[str]) -> int:
        """Take the lines that a process wrote; how many rows they are."""
        count = 0
        for line in lines:
            entry = json.loads(line)
            if "peak" in entry:
                self.peaks[threads] = entry["peak"]
            else:
                self.rows.append(Measurement(**entry))
                count += 1
        return count

    @staticmethod
    def load(*texts: str) -> Report:
        """What :meth:`json` wrote, of several runs as of one."""
        report = Report({})
        for content in map(json.loads, texts):
            report.times, report.origin = content["times"], content["origin"]
            report.peaks |= {int(threads): peak for threads, peak in content["peak"].items()}
            for entry in content["rows"]:
                known = {f.name: entry[f.name] for f in fields(Measurement)}
                report.rows.append(Measurement(**known))
                report.groups[entry["row"]] = entry["group"]
        return report

    @property
    def threads(self) -> list[int]:
        """The numbers of threads, ascending."""
        return sorted({m.threads for m in self.rows})

    def at(self, threads: int, group: str | None = None) -> list[Measurement]:
        """The rows at a number of threads, of one group or all that are no networks."""

        def belongs(found: str) -> bool:
            return found == group if group else found != NETWORKS_GROUP

        return [m for m in self.rows if m.threads == threads and belongs(self.groups[m.row])]

    @property
    def parts(self) -> list[tuple[int, str, str | None]]:
        """The numbers of threads with each part that was measured: what it has, and its group."""
        kinds: list[tuple[str, str | None]] = [("all rows", None), ("networks", NETWORKS_GROUP)]
        return [
            (threads, name, group)
            for name, group in kinds
            for threads in self.threads
            if self.at(threads, group)
        ]

    def copy_share(self, m: Measurement) -> float | None:
        """The time of a copy of as many bytes, over that of opc."""
        return m.copy / m.times["opc"] if "opc" in m.times and m.copy else None

    def peak_share(self, m: Measurement) -> float | None:
        """Operations in a second, over the most that was measured on as many threads, if it was."""
        peak = self.peaks.get(m.threads)
        known = "opc" in m.times and m.dtype in _PEAK_SHARE and m.operations
        if not known or peak is None:
            return None
        return m.operations / m.times["opc"] / (peak * _PEAK_SHARE[m.dtype])

    def json(self) -> str:
        """Every figure, with derived ones; times are in seconds."""
        rows = [
            m.as_json()
            | {
                "group": self.groups[m.row],
                "best_peer": m.best_peer,
                "ratio": m.ratio(m.best_peer),
                "ratio_onnxruntime": m.ratio("onnxruntime"),
                "misaligned_cost": m.misaligned_cost,
                "misaligned_ratio": m.misaligned_ratio,
                "copy_share": self.copy_share(m),
                "peak_share": self.peak_share(m),
            }
            for m in self.rows
        ]
        content = {
            "origin": self.origin,
            "times": self.times,
            "peak": self.peaks,
            "rows": rows,
        }
        return json.dumps(content, indent=1) + "\n"

    def problems(self, *, check: bool) -> list[str]:
        """Rows that opc computes wrongly or not at all; with ``check`` also those too slow.

        That is beside the best peer, or with misaligned arrays beside aligned ones.
        """
        found: list[str] = []
        for m in self.rows:
            where = f"{m.row} ({m.threads} threads)" if m.threads > 1 else m.row
            if "opc" in m.absent:
                found.append(f"{where}: opc: {m.absent['opc']}")
            ratio = m.ratio(m.best_peer)
            if check and m.is_slow and ratio:
                found.append(f"{where}: {1 / ratio:.2f} times the time of {m.best_peer}")
            cost = m.misaligned_cost
            if check and cost is not None and cost > MISALIGNED_LIMIT:
                found.append(f"{where}: misaligned {cost:.2f} times the time of aligned arrays")
        return found

    def markdown(self) -> str:
        """A table for each number of threads, summaries, and what peers computed wrongly."""
        parts = [_INTRODUCTION, f"{self.origin}; times are {self.times}.\n"]
        rates = [f"{peak / 1e9:.0f} on {_counted(n)}" for n, peak in sorted(self.peaks.items())]
        if rates:
            parts.append(f"\nOperations of f32 in a nanosecond, at most: {', '.join(rates)}.\n")
        if any(m.misaligned for m in self.rows):
            parts.append(_MISALIGNED)
        for threads, name, group in self.parts:
            of = f", {name}" if group else ""
            parts.append(f"\n## {_counted(threads)}{of}\n\n{self._full_table(threads, group)}")
        parts.append("\n" + self.summary())
        wrong = [
            f"- {_plain(m.row)}, {_counted(m.threads)}: {name}: {m.absent[name]}\n"
            for m in self.rows
            for name in m.wrong
        ]
        if wrong:
            parts += ["\nWrong results, which are not timed:\n\n", *wrong]
        return "".join(parts)

    def _full_table(self, threads: int, group: str | None) -> str:
        rows = self.at(threads, group)
        present = [p for p in PEERS if any(p in m.times or p in m.wrong for m in rows)]
        head = ["graph", "type", "shape", "opc µs", *present, "best peer", "ratio"]
        head += ["to onnxruntime", "% of copy", "% of peak"]
        with_misaligned = any(m.misaligned for m in rows)
        head += ["misaligned", "its ratio"] * with_misaligned
        lines = [
            [
                m.row,
                m.dtype,
                m.shape,
                *(_cell(m, name) for name in ("opc", *present)),
                m.best_peer or "-",
                _best(m),
                _ratio(m.ratio("onnxruntime")),
                _percent(self.copy_share(m)),
                _percent(self.peak_share(m)),
                *[_ratio(m.misaligned_cost), _ratio(m.misaligned_ratio)] * with_misaligned,
            ]
            for m in rows
        ]
        return _table(head, lines, texts=3)

    def short(self, picture: str | None) -> str:
        """What the README shows: a line for each number of threads, and a link to the picture."""
        text = f"{self.origin}; times are {self.times}.\n\n"
        for threads, name, group in self.parts:
            of = f", {name}" if group else ""
            text += f"- {_counted(threads)}{of}: {_summary(self.at(threads, group))}\n"
        if picture is not None:
            text += f"\n![Times of the best peer over those of opc]({picture})\n"
        return text

    def summary(self) -> str:
        """The figures that one wants to know first, one line each."""
        lines: list[str] = []
        if {"core"} < set(self.groups.values()):
            lines += [
                f"- {_counted(threads)}, core rows: {_summary(self.at(threads, 'core'))}\n"
                for threads in self.threads
            ]
        for threads, name, group in self.parts:
            lines.append(f"- {_counted(threads)}, {name}: {_summary(self.at(threads, group))}\n")
        for threads in self.threads:
            shares = [
                share
                for m in self.at(threads)
                if m.bound == "memory" and (share := self.copy_share(m)) is not None
            ]
            if shares:
                lines.append(
                    f"- {_counted(threads)}, rows bound by memory: {100 * _mean(shares):.0f} % of "
                    "a copy of as many bytes in the geometric mean\n"
                )
            lines += self._misaligned(threads)
        lines += self._gains()
        for m in self.rows:
            if CALLED in m.times and "opc" in m.times:
                lines.append(
                    f"- {_plain(m.row)}, {_counted(m.threads)}: {_cell(m, CALLED)} µs for a plain "
                    f"call, {_cell(m, 'opc')} µs for one bound to its arrays\n"
                )
        disturbed = [m for m in self.rows if m.is_disturbed]
        if disturbed:
            lines.append(
                f"- {len(disturbed)} of {len(self.rows)} rows (with ~) were measured while other "
                "processes ran, and say little\n"
            )
        return "".join(lines)

    def _misaligned(self, threads: int) -> list[str]:
        """What arrays that begin within a cache line cost, if that was measured."""
        rows = self.at(threads)
        costs = [(c, m) for m in rows if (c := m.misaligned_cost) is not None]
        ratios = [(r, m) for m in rows if (r := m.misaligned_ratio) is not None]
        if not costs:
            return []
        most, dearest = max(costs, key=lambda pair: pair[0])
        over = sum(c > MISALIGNED_LIMIT for c, _ in costs)
        text = (
            f"- {_counted(threads)}, misaligned arrays: {_mean([c for c, _ in costs]):.2f} times "
            f"the time of aligned ones in the geometric mean of {len(costs)}, {most:.2f} times at "
            f"most ({_plain(dearest.row)}), {over} above {MISALIGNED_LIMIT}"
        )
        if ratios:
            least, slowest = min(ratios, key=lambda pair: pair[0])
            text += (
                f"; {_mean([r for r, _ in ratios]):.2f} times as fast as the best peer, "
                f"{least:.2f} times at least ({_plain(slowest.row)})"
            )
        return [text + "\n"]

    def _gains(self) -> list[str]:
        """How much faster two threads are than one where arithmetic bounds, and memory cannot."""
        alone = {m.row: m.times["opc"] for m in self.at(1) if "opc" in m.times}
        rows = [
            m for m in self.at(2) if m.bound == "compute" and "opc" in m.times and m.row in alone
        ]
        free = [m for m in rows if 2 * m.copy <= alone[m.row]]
        kinds = (
            (rows, "rows bound by arithmetic"),
            (free, "those of which two threads could copy as many bytes in half the time of one"),
        )
        return [
            f"- {name}: two threads are {_mean(gains):.2f} times as fast as one in the geometric "
            f"mean of {len(gains)}, {min(gains):.2f} times at least\n"
            for found, name in kinds
            if (gains := [alone[m.row] / m.times["opc"] for m in found])
        ]


def _summary(rows: Sequence[Measurement]) -> str:
    best = [(r, m) for m in rows if (r := m.ratio(m.best_peer)) is not None]
    runtime = [r for m in rows if (r := m.ratio("onnxruntime")) is not None]
    if not best:
        return f"{len(rows)} rows, no peer"
    least, slowest = min(best, key=lambda pair: pair[0])
    text = (
        f"{_mean([r for r, _ in best]):.2f} times as fast as the best peer of each row in the "
        f"geometric mean of {len(best)}, {least:.2f} times at least ({_plain(slowest.row)})"
    )
    slower = sum(m.is_slow for m in rows)
    text += f", {slower} slower than {LIMIT} times its time"
    return text + (f"; {_mean(runtime):.2f} times onnxruntime" if runtime else "")


def has_markers(path: Path) -> bool:
    """Whether there is a place for text in a file."""
    return path.is_file() and all(m in path.read_text(encoding="utf-8") for m in MARKERS)


def replace_in(path: Path, text: str) -> None:
    """Put ``text`` between the markers of a file."""
    start, end = MARKERS
    content = path.read_text(encoding="utf-8")
    block = f"{start}\n{text}{end}"
    pattern = re.escape(start) + ".*?" + re.escape(end)
    path.write_text(re.sub(pattern, lambda _: block, content, flags=re.DOTALL), encoding="utf-8")


def machine() -> str:
    """The processor's name, where the system tells it, with the numbers that tell its kind."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return "unknown processor"
    fields = {k.strip(): v.strip() for k, _, v in (s.partition(":") for s in text.splitlines())}
    name = fields.get("model name", "unknown processor")
    # Clouds rent processors of several kinds under one name.
    numbers = [f"{key} {fields[key]}" for key in ("cpu family", "model") if key in fields]
    return f"{name} ({', '.join(numbers)})" if numbers else name


def versions() -> str:
    """The peers that are installed."""
    found: list[str] = []
    for name in PEERS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def _mean(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def _counted(threads: int) -> str:
    return "one thread" if threads == 1 else f"{threads} threads"


def _cell(m: Measurement, name: str) -> str:
    if name in m.times:
        micros = m.times[name] * 1e6
        return f"{micros:.1f}" if micros < 100 else f"{micros:.0f}"
    return "wrong" if name in m.wrong else "-"


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _best(m: Measurement) -> str:
    return _ratio(m.ratio(m.best_peer)) + "~" * m.is_disturbed


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.0f}"


def _plain(text: str) -> str:
    """Text that Markdown leaves alone."""
    return text.replace("*", "\\*")


def _table(head: Sequence[str], lines: Sequence[Sequence[str]], texts: int) -> str:
    """Markdown; all but the first columns are numbers, to the right."""
    rule = ["---"] * texts + ["---:"] * (len(head) - texts)
    return "".join(f"| {' | '.join(map(_plain, line))} |\n" for line in (head, rule, *lines))
