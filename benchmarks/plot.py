"""The picture: for each row, how many times as long the best peer takes as opc."""

from __future__ import annotations

import math
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.report import Report

_COLOURS = {1: "#1b6ca8", 2: "#e08a1e"}
_OTHER = "#6b6b6b"
_GROUP = "\0"
"""Before the name of a group in the list of rows."""

_ROW = 0.27
"""Height of a row in inches."""


def save(report: Report, path: Path) -> None:
    """Draw to a file, whose suffix is the format; ImportError without matplotlib."""
    matplotlib: Any = import_module("matplotlib")
    matplotlib.use("Agg")
    # Text as text keeps the file small, and a fixed seed keeps it the same for the same figures.
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "opc", "font.size": 8.5})
    pyplot: Any = import_module("matplotlib.pyplot")
    lines = _lines(report)
    columns = 2 if len(lines) > 40 else 1
    height = math.ceil(len(lines) / columns)
    parts = [lines[k * height : (k + 1) * height] for k in range(columns)]
    size = (5.6 * columns, _ROW * height + 0.9)
    figure, axes = pyplot.subplots(1, columns, figsize=size, squeeze=False, layout="constrained")
    ratios = [r for _, found in lines for r in found.values()]
    limits = min([0.5, *(0.5 * r for r in ratios)]), max([2.5, *(1.5 * r for r in ratios)])
    for part, axis in zip(parts, axes[0], strict=True):
        _draw(axis, part, report.threads, height, limits)
    figure.suptitle("Time of the best peer over that of opc (right of the line: opc is faster)")
    if len(report.threads) > 1:
        for count in report.threads:
            text = "one thread" if count == 1 else f"{count} threads"
            axes[0][0].bar(1, 0, color=_COLOURS.get(count, _OTHER), label=text)
        figure.legend(loc="outside lower center", ncols=2, frameon=False)
    metadata = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, metadata=metadata, dpi=110)
    pyplot.close(figure)


def _lines(report: Report) -> list[tuple[str, dict[int, float]]]:
    """Rows with their ratio at each number of threads; a group begins with a line without any."""
    lines: dict[str, dict[str, dict[int, float]]] = {}
    for m in report.rows:
        ratio = m.ratio(m.best_peer)
        row = lines.setdefault(report.groups[m.row], {}).setdefault(m.row, {})
        if ratio is not None:
            row[m.threads] = ratio
    found: list[tuple[str, dict[int, float]]] = []
    for group, rows in lines.items():
        found += [(f"{_GROUP}{group}", {}), *rows.items()]
    return found


def _draw(
    axis: Any,
    lines: list[tuple[str, dict[int, float]]],
    threads: list[int],
    height: int,
    limits: tuple[float, float],
) -> None:
    thickness = 0.8 / len(threads)
    for position, (name, found) in enumerate(lines):
        for number, count in enumerate(threads):
            if count not in found:
                continue
            ratio = found[count]
            y = position + (number - (len(threads) - 1) / 2) * thickness
            # Bars start at one, so that their length is by how much.
            colour = _COLOURS.get(count, _OTHER)
            axis.barh(y, ratio - 1, left=1, height=thickness, color=colour, linewidth=0)
            aside = (3, "left") if ratio >= 1 else (-3, "right")
            axis.annotate(
                f"{ratio:.2f}",
                (ratio, y),
                xytext=(aside[0], 0),
                textcoords="offset points",
                ha=aside[1],
                va="center",
                fontsize=6,
                color="#333333",
            )
        if name.startswith(_GROUP):
            axis.axhline(position + 0.45, color="#d0d0d0", linewidth=0.8)
    axis.set_xscale("log")
    axis.set_xlim(*limits)
    steps = (1, 2, 5) if limits[1] < 50 * limits[0] else (1,)
    ticks = [s * 10.0**e for e in range(-3, 4) for s in steps]
    ticks = [t for t in ticks if limits[0] <= t <= limits[1]]
    axis.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axis.minorticks_off()
    axis.axvline(1, color="#222222", linewidth=0.9)
    axis.grid(axis="x", color="#e4e4e4", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.set_yticks(range(len(lines)), [name.lstrip(_GROUP) for name, _ in lines])
    for label, (name, _) in zip(axis.get_yticklabels(), lines, strict=True):
        if name.startswith(_GROUP):
            label.set_fontweight("bold")
    axis.set_ylim(height - 0.4, -0.6)
    axis.tick_params(length=0)
    for side in ("top", "right", "left", "bottom"):
        axis.spines[side].set_visible(False)
