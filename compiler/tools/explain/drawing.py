"""The graph as inline SVG: a box for each node, an ellipse for what goes in and comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from .layout import layout
from .model import Node, Part

HEIGHT = 26.0
"""Of a box."""
LETTER = 6.8
"""About the width of a letter."""
MARGIN = 14.0
TITLE = 30.0
"""The room above the drawing of a body of control flow."""
MOST = 3000
"""Nodes that are drawn; of more, the first ones."""
LABEL = 22
"""Letters of a label."""


def svg(parts: Sequence[Part], shares: Mapping[int, float]) -> str:
    """Functions below each other; ``shares`` are the parts of the time that nodes take."""
    drawn: list[str] = []
    top, width, room = MARGIN, 0.0, MOST
    for number, part in enumerate(parts):
        if room <= 0:
            break
        kept = _first(part, room)
        room -= len(kept.nodes)
        if number:
            top += TITLE
            drawn.append(f'<text class="title" x="{MARGIN}" y="{top - 10:.0f}">'
                         f"body @{escape(_cut(part.name))}</text>")  # fmt: skip
        text, own, height = _part(kept, top, shares)
        drawn.append(text)
        if len(kept.nodes) < len(part.nodes):
            missing = f"{len(part.nodes) - len(kept.nodes)} nodes more"
            height += TITLE
            drawn.append(f'<text class="title" x="{MARGIN}" y="{top + height - 10:.0f}">'
                         f"{missing}</text>")  # fmt: skip
        top, width = top + height + MARGIN, max(width, own)
    size = f"{width + 2 * MARGIN:.0f}", f"{top:.0f}"
    return (
        f'<svg width="{size[0]}" height="{size[1]}" viewBox="0 0 {size[0]} {size[1]}" '
        f'role="img" aria-label="graph">{"".join(drawn)}</svg>'
    )


def _first(part: Part, most: int) -> Part:
    """A function with its first nodes only."""
    if len(part.nodes) <= most:
        return part
    end = len(part.inputs) + most
    edges = tuple((a, b) for a, b in part.edges if a < end and b < end)
    return Part(part.name, part.inputs, part.nodes[:most], (), edges)


def _part(part: Part, top: float, shares: Mapping[int, float]) -> tuple[str, float, float]:
    """The text of a function's drawing, its width and its height."""
    labels = [_cut(name) for name in part.inputs]
    labels += [_cut(node.kind) for node in part.nodes]
    labels += [_cut(name) for name in part.outputs]
    widths = [max(40.0, len(label) * LETTER + 18) for label in labels]
    placed = layout(widths, part.edges, HEIGHT)
    first, last = len(part.inputs), len(part.inputs) + len(part.nodes)

    def shown(v: int) -> int | None:
        return part.nodes[v - first].number if first <= v < last else None

    edges: list[str] = []
    for (a, b), points in placed.edges.items():
        ends = " ".join(f"{key}={n}" for key, v in (("data-a", a), ("data-b", b))
                        if (n := shown(v)) is not None)  # fmt: skip
        edges.append(f'<path class="edge" {ends} d="{_path(points, top)}"/>')
    boxes: list[str] = []
    for v, (x, y) in enumerate(placed.nodes):
        place = x + MARGIN, y + top
        if first <= v < last:
            boxes.append(_box(part.nodes[v - first], place, widths[v], labels[v], shares))
        else:
            boxes.append(
                f'<g class="end"><rect x="{place[0] - widths[v] / 2:.1f}" '
                f'y="{place[1] - 10:.1f}" width="{widths[v]:.1f}" height="20" rx="10"/>'
                f'<text x="{place[0]:.1f}" y="{place[1] + 4:.1f}">{escape(labels[v])}</text></g>'
            )
    return "".join([*edges, *boxes]), placed.width, placed.height


def _box(
    node: Node,
    place: tuple[float, float],
    width: float,
    label: str,
    shares: Mapping[int, float],
) -> str:
    x, y = place[0] - width / 2, place[1] - HEIGHT / 2
    share = shares.get(node.number, 0.0)
    bar = ""
    if share > 0:
        bar = (f'<rect class="share" x="{x:.1f}" y="{y + HEIGHT - 3:.1f}" '
               f'width="{max(1.0, width * min(share, 1.0)):.1f}" height="3"/>')  # fmt: skip
    about = f"{node.kind} #{node.number}"
    about += f" {node.name}" if node.name else ""
    about += f"\n{node.type}" if node.type else ""
    return (
        f'<g class="node" data-n="{node.number}" tabindex="0">'
        f"<title>{escape(about[:400])}</title>"
        f'<rect class="box" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{HEIGHT:.0f}" '
        f'rx="5"/>{bar}'
        f'<text x="{place[0]:.1f}" y="{place[1] + 4:.1f}">{escape(label)}</text></g>'
    )


def _path(points: Sequence[tuple[float, float]], top: float) -> str:
    """A curve from below the first point through the others to above the last one."""
    ends = [(x + MARGIN, y + top) for x, y in points]
    ends[0] = ends[0][0], ends[0][1] + HEIGHT / 2
    ends[-1] = ends[-1][0], ends[-1][1] - HEIGHT / 2
    text = f"M{ends[0][0]:.1f} {ends[0][1]:.1f}"
    for (x0, y0), (x1, y1) in pairwise(ends):
        if abs(x0 - x1) < 0.5:
            text += f"V{y1:.1f}"
        else:
            middle = (y0 + y1) / 2
            text += f"C{x0:.1f} {middle:.1f} {x1:.1f} {middle:.1f} {x1:.1f} {y1:.1f}"
    return text


def _cut(text: str) -> str:
    return text if len(text) <= LABEL else text[: LABEL - 1] + "\u2026"
