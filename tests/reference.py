"""The pages that are made from the code: ``python -m tests.reference`` writes them.

``docs/passes.md`` has the docstring of each pass, in the order of the pipeline.
``docs/schedule_reference.md`` has that of each operation of a schedule, with graphs for which it is
planned: before --> after.  A test holds that both are current.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from xdsl.ir import Operation

import opc
from opc.dialects.formats import Formatted
from opc.dialects.registry import resolve
from opc.dialects.schedule import Schedule
from opc.passes.pipeline import STAGES
from opc.passes.registry import PASSES
from opc.schedule import sweep_loops

ROOT = Path(__file__).parents[1]
NOTATION = """\
[Operations](#operations), [loops of a sweep](#loops-of-a-sweep), [examples](#examples).

In *Text*, capitals stand for a number, a word or a list; `(...)?` may be left out; `{ ... }` holds
operations; `[DIMS]` are the dimensions of an axis: `[d0]`, or `[d1, d2]`.

In a nest, `kernel.sweep [1024] lanes 64 (sum)` is a sum in the order `lanes 64`. The order is a
part of the result, and no schedule changes it. [kernels.md](kernels.md#orders) explains orders.
"""
NOTE = "<!-- python -m tests.reference writes this page; edit the docstrings. -->\n"
EXAMPLES = {
    "A matrix product": """
func.func @dense(%x: tensor<128x64xf32>, %w: tensor<64x96xf32>) -> tensor<128x96xf32> {
  %y = opc.matmul %x, %w
  return %y : tensor<128x96xf32>
}""",
    "A convolution": """
func.func @conv(%x: tensor<1x32x56x56xf32>, %w: tensor<64x32x3x3xf32>) -> tensor<1x64x56x56xf32> {
  %y = opc.conv %x, %w {pads = [1, 1, 1, 1]}
  return %y : tensor<1x64x56x56xf32>
}""",
    "A sum of rows of unknown length": """
func.func @sum(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?xf32, #opc.dims<M>> {
  %y = opc.reduce_sum %x {axes = [1], keepdims = false}
  return %y : tensor<?xf32, #opc.dims<M>>
}""",
    "A softmax of long rows": """
func.func @softmax(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %y = opc.div %e, %s
  return %y : tensor<4096x1024xf32>
}""",
    "Short rows": """
func.func @short(%x: tensor<?x7xf32, #opc.dims<M, 7>>, %b: tensor<7xf32>)
    -> tensor<?x7xf32, #opc.dims<M, 7>> {
  %s = opc.add %x, %b
  %y = opc.exp %s
  return %y : tensor<?x7xf32, #opc.dims<M, 7>>
}""",
    "A large elementwise addition": """
func.func @add(%x: tensor<4096x4096xf32>, %b: tensor<4096xf32>) -> tensor<4096x4096xf32> {
  %y = opc.add %x, %b
  return %y : tensor<4096x4096xf32>
}""",
    "A large transpose": """
func.func @transpose(%x: tensor<4000x5000xf32>) -> tensor<5000x4000xf32> {
  %y = opc.transpose %x {permutation = [1, 0]}
  return %y : tensor<5000x4000xf32>
}""",
    "Attention": """
func.func @attention(%q: tensor<12x512x64xf32>, %k: tensor<12x64x512xf32>,
                     %v: tensor<12x512x64xf32>) -> tensor<12x512x64xf32> {
  %s = opc.matmul %q, %k
  %e = opc.exp %s
  %o = opc.matmul %e, %v
  return %o : tensor<12x512x64xf32>
}""",
}
"""Graphs whose schedules have all operations."""


def linked(text: str, room: str) -> str:
    """Names of files as links: ``name`` of this room, and ``other_room.name``."""

    def link(name: re.Match[str]) -> str:
        path = f"compiler/{name[1] or room}/{name[2]}.py"
        return f"[`{path}`](../{path})" if (ROOT / path).exists() else name[0]

    return re.sub(r"`(?:(\w+)\.)?(\w+)`", link, text)


def markdown(docstring: str) -> str:
    """A docstring as Markdown: ``x`` as code, and what is indented behind :: as a block."""
    parts: list[str] = []
    for part in re.split(r"\n\n(?=\S)", docstring.replace("``", "`")):
        head, colons, block = part.partition("::\n\n")
        if head.strip():
            parts.append(head.rstrip() + (":" if colons and head.strip() else ""))
        if colons:
            parts.append(f"```\n{textwrap.dedent(block).strip()}\n```")
    return "\n\n".join(parts)


def passes() -> str:
    """The page of all passes."""
    text = f"# Passes\n\n{NOTE}\nIn the order of [the pipeline](architecture.md#the-stages).\n"
    seen = set[str]()
    for stage, names in STAGES.items():
        text += f"\n## {stage.capitalize()}\n" if names else ""
        for name in names:
            if name in seen:
                text += f"\n### {name}, again\n\nSee above.\n"
                continue
            seen.add(name)
            module = PASSES[name].partition(":")[0]
            room, _, _ = module.removeprefix("opc.").rpartition(".")
            path = f"compiler/{module.removeprefix('opc.').replace('.', '/')}.py"
            doc = inspect.getdoc(sys.modules[resolve(PASSES[name]).__module__]) or ""
            text += f"\n### {name}\n\n[`{path}`](../{path})\n\n{linked(markdown(doc), room)}\n"
    return text


def nest_of(loops: str) -> Iterator[str]:
    """The lines of loops and choices alone."""
    depth: list[int] = []
    for line in loops.splitlines():
        indent = len(line) - len(line.lstrip())
        if re.match(r"\s*loop\.(for|if)\b", line):
            depth.append(indent)
        elif not (depth and indent == depth[-1] and line.lstrip().startswith("}")):
            continue
        yield "  " * (len(depth) - 1) + line.strip()
        if line.strip() == "}":
            depth.pop()


def syntax(op: type[Operation]) -> str:
    """The text behind the name of an operation.

    ``custom<Index>($axis_dims) `by` $by (`peel` $peel^)? $body  -->  [DIMS] by BY (peel)? { ... }``
    """
    assert issubclass(op, Formatted)
    properties = op.get_irdl_definition().properties
    text = re.sub(
        r"custom<Choice>\(.*?\)",
        "(asks [TEXTS])? (NAME)? { ... } else (NAME)? { ... }",
        op.FORMAT.replace("custom<Index>($axis_dims)", "[DIMS]"),
    )
    text = re.sub(r"custom<Lists>\(.*?\)", "[DIMS], [DIMS]", text)
    text = re.sub(r"custom<OneOf>\(\$taken\)", "(STRATEGY)?", text)
    text = re.sub(r"custom<Index>\(\$(\w+)\)", lambda name: f"[{name[1].upper()}]", text)
    text = re.sub(r"custom<\w+>\((.*?)\)", r"\1", text)

    def value(variable: re.Match[str]) -> str:
        if variable[1] not in properties:
            return "{ ... }"
        kind, name = repr(properties[variable[1]].constr), variable[1].upper()
        is_list = "DenseArray" in kind
        is_index = "IndexAttr" in kind and f"custom<Size>({variable[0]})" not in op.FORMAT
        empty = "UnitAttr" in kind
        return "" if empty else f"[{name}]" if is_list else f"<{name}>" if is_index else name

    text = re.sub(r"\$(\w+)\^?", value, re.sub(r"`(\w*) *`", r"\1", text))
    return " ".join(re.sub(r" +\)", ")", text).split())


def loops_of_sweeps() -> str:
    """The docstring on the loops of sweeps, with its list as a table."""
    text = markdown(inspect.getdoc(sweep_loops) or "")
    head, *rows = re.split(r"\n+- ", text)
    last, _, tail = rows.pop().partition("\n\n")
    text = f"{head}\n\n| loops | what they do | legal where |\n|---|---|---|\n"
    for row in (*rows, last):
        name, taken, legal = re.split(r"`: | *Legal: ", " ".join(row.split()), maxsplit=2)
        text += f"| {name}` | {taken} | {legal} |\n"
    return f"{text}\n{tail}"


def schedules() -> str:
    """The page of the schedule language."""
    text = f"# The schedule language\n\n{NOTE}\n[schedule.md](schedule.md) explains the design.\n"
    text += f"\n{NOTATION}"
    shown: dict[str, tuple[str, str]] = {}
    for title, graph in EXAMPLES.items():
        lowered = opc.lower(graph, target="avx2", cache=None)
        ir = lowered.ir("schedule")
        loops = "\n".join(nest_of(lowered.ir("loops")))
        shown[title] = ir, re.sub(r"\{\n *\}", "{ ... }", loops)
    text += "\n## Operations\n"
    for op in Schedule.operations:
        using = [title for title, (ir, _) in shown.items() if re.search(rf"{op.name}\s", ir)]
        links = ", ".join(f"[{t}](#{t.lower().replace(' ', '-')})" for t in using)
        links = "all" if len(using) == len(shown) else links
        text += f"\n### {op.name}\n\n{linked(markdown(inspect.getdoc(op) or ''), 'schedule')}\n"
        text += f"\nText: `{op.name} {syntax(op)}`\n".replace(" `\n", "`\n")
        text += f"\nExamples: {links}.\n" if links else ""
    text += f"\n## Loops of a sweep\n\n{loops_of_sweeps()}\n"
    text += (
        "\n## Examples\n\nFor `--target avx2`: the graph, its nests, and the loops they become.\n"
    )
    for title, (ir, loops) in shown.items():
        graph = EXAMPLES[title].strip()
        nests = textwrap.dedent("\n".join(ir.splitlines()[2:-3]))
        text += (
            f"\n### {title}\n\n```mlir\n{graph}\n```\n\n```\n{nests}\n```\n\n```\n{loops}\n```\n"
        )
    return text


PAGES: dict[str, Callable[[], str]] = {"passes": passes, "schedule_reference": schedules}


def main() -> None:
    """Write both pages."""
    for name, text in PAGES.items():
        (ROOT / f"docs/{name}.md").write_text(text(), encoding="utf-8")


def check() -> None:
    """Say which pages are not what the code gives."""
    for name, text in PAGES.items():
        if text() != (ROOT / f"docs/{name}.md").read_text(encoding="utf-8"):
            print(f"docs/{name}.md is not current: run python -m tests.reference")


if __name__ == "__main__":
    main()
