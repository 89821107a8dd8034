"""The page: everything that it shows is in it, and all text of the graph is escaped."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

from opc.tools.profile.report import Loop

from .drawing import svg
from .model import Part, inside
from .panes import Block, Pane

ARROW = " \u203a "
"""Between a loop and the one inside."""
_COMMENT = re.compile(r"(/\*.*?\*/|//.*)")
_C_WORD = re.compile(
    r"\b(static|const|void|for|if|else|return|while|struct|typedef|int|float|double|bool|char"
    r"|u?int\d+_t|size_t)\b"
)
_IR_WORD = re.compile(r"(?<![\w.])((?:onnx|openvino|opc|kernel|loop|scalar|func|builtin)\.\w+)")


@dataclass(frozen=True)
class Loops:
    """The loops of the C, with the outline of each, and what is said of their times."""

    rows: Sequence[Loop]
    outlines: Sequence[Sequence[str]]
    note: str
    is_timed: bool


def page(
    title: str, summary: str, parts: Sequence[Part], panes: Sequence[Pane], loops: Loops
) -> str:
    """A document without anything from elsewhere.

    Browsers are told to load nothing and to run this one script: what a name in a graph says would
    not be run even if it were not escaped.
    """
    folder = files(__package__ or "")
    style = folder.joinpath("page.css").read_text(encoding="utf-8")
    script = folder.joinpath("page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    groups = _Groups()
    *stages, c = panes
    tabs = "".join(
        f'<button role="tab" data-stage="{escape(p.name)}">{escape(p.name)}</button>'
        for p in stages
    )
    ir = "".join(_pane(pane, groups) for pane in stages)
    code = _pane(c, groups)
    table, drawing = _table(loops, groups), svg(parts, _shares(loops.rows))
    data = {
        "groups": groups.found,
        "nodes": {
            str(node.number): [node.kind, node.name[:400], node.type]
            for part in parts
            for node in part.nodes
        },
        "inside": inside(parts),
        "loops": [
            [loop.number, list(outline)]
            for loop, outline in zip(loops.rows, loops.outlines, strict=True)
        ],
    }
    texts = {"policy": policy, "style": style, "script": script, "data": _embedded(data)}
    texts |= {"drawing": drawing, "tabs": tabs, "ir": ir, "code": code, "table": table}
    texts |= {"title": escape(title), "summary": escape(summary), "note": escape(loops.note)}
    frame = folder.joinpath("page.html").read_text(encoding="utf-8")
    return re.sub(r"@(\w+)@", lambda match: texts[match[1]], frame)


class _Groups:
    """Numbers for sets of nodes."""

    def __init__(self) -> None:
        self.found: list[list[int]] = []
        self._known: dict[tuple[int, ...], int] = {}

    def number(self, nodes: tuple[int, ...]) -> int:
        if nodes not in self._known:
            self._known[nodes] = len(self.found)
            self.found.append(list(nodes))
        return self._known[nodes]


def _embedded(data: dict[str, Any]) -> str:
    """JSON that a script element may hold: nothing in it looks like markup."""
    text = json.dumps(data, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _shares(rows: Sequence[Loop]) -> dict[int, float]:
    """The part of the time that the loops of each node take; a shared one counts for all of its."""
    total = sum(loop.seconds or 0.0 for loop in rows)
    shares: dict[int, float] = {}
    for loop in rows:
        for number, _ in loop.nodes:
            shares[number] = shares.get(number, 0.0) + (loop.seconds or 0.0) / (total or 1.0)
    return shares


def _pane(pane: Pane, groups: _Groups) -> str:
    blocks = "".join(_block(block, groups, pane.name == "C") for block in pane.blocks)
    return f'<div class="pane" data-pane="{escape(pane.name)}">{blocks}</div>'


def _block(block: Block, groups: _Groups, is_c: bool) -> str:
    lines = [_coloured(line, is_c) for line in block.lines]
    if is_c:
        lines = [f"<u>{number:6}</u>{line}" for number, line in enumerate(lines, block.first)]
    group = f' data-g="{groups.number(block.nodes)}"' if block.nodes else ""
    kind = ' class="used"' if block.is_used and block.nodes else ""
    return f"<pre{kind}{group}>{chr(10).join(lines)}\n</pre>"


def _coloured(line: str, is_c: bool) -> str:
    """A line as markup, with what is a comment and what a word of the language."""
    pieces: list[str] = []
    for k, part in enumerate(_COMMENT.split(line)):
        text = escape(part)
        if k % 2:
            pieces.append(f"<i>{text}</i>")
        else:
            pieces.append((_C_WORD if is_c else _IR_WORD).sub(r"<b>\1</b>", text))
    return "".join(pieces)


def _table(loops: Loops, groups: _Groups) -> str:
    total = sum(loop.seconds or 0.0 for loop in loops.rows)
    times = "<th>µs</th><th>%</th>" if loops.is_timed else ""
    roof = "<th>roofline</th>" if loops.is_timed else ""
    rows: list[str] = []
    every = zip(loops.rows, loops.outlines, strict=True)
    for loop, outline in sorted(every, key=lambda row: -(row[0].seconds or 0.0)):
        part, size, number, share, place = loop.cells(total, "\u00d7").values()
        cells = [f"<td>{loop.number}</td>"]
        if loops.is_timed:
            cells.append(f"<td>{(loop.seconds or 0.0) * 1e6:.1f}</td>")
            cells.append(f'<td class="bar"><span style="width:{part}"></span>{part}</td>')
        cells += [f"<td>{size}</td>", f"<td>{number}</td>"]
        cells += [f"<td>{share}</td>"] if loops.is_timed else []
        for text in (loop.origin, ARROW.join(o.strip() for o in outline), place):
            cells.append(f'<td class="text">{escape(text)}</td>')
        group = groups.number(tuple(number for number, _ in loop.nodes))
        rows.append(f'<tr data-loop="{loop.number}" data-g="{group}">{"".join(cells)}</tr>')
    return (
        f'<div class="scroll"><table><thead><tr><th>loop</th>{times}<th>bytes</th>'
        f'<th>operations</th>{roof}<th class="text">nodes</th><th class="text">schedule</th>'
        f'<th class="text">C function</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )
