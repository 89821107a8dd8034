"""What is known of each model, as a table, as JSON and as one line."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.models.agreement import tolerance

PAGE = """# Models out of packages

`python -m benchmarks.models --markdown docs/models.md` downloads the packages by name, compiles
each model in a process of its own, compares opc with onnxruntime (with its optimizations, and the
graph as it is written) and with OpenVINO, on inputs of the kind that the package gives its model,
in two sizes where extents are not fixed, and measures calls on one thread, in turns.
"""

LEGEND = """
- **cold**: seconds of processors that a process takes to compile with an empty cache, the C
  compiler included; **warm**: with a full one, `import opc` included.
- **memory**: the most that the process had, and the most that the C compiler had, in MiB.
- **onnxruntime**, **as written**, **OpenVINO**: the largest difference of a result, in parts of its
  largest value, in the worse of both sizes; `-`: the peer cannot run the model.
- **peers**: the largest difference between two of these peers; **last bit**: how far onnxruntime's
  own results move when each float parameter goes to the next value above or below it, and so does
  each value at which the model is cut, where values are rounded to integers on the way. How far opc
  may be from the nearest peer follows from the two: see `benchmarks/models/agreement.py`.
"""

LARGE = """
Where a difference is large, it is not of opc:

- Quantized models, as `tashkeel_bilstm`, `t5_encoder_int8` and `ddddocr_common_old`, round values
  to integers by scales that they compute; one that lies between two integers goes to the other one
  where a sum is rounded otherwise. onnxruntime's own results move as far when parameters change in
  their last bit.
- `isbn_yolo` sorts boxes by scores that are nearly equal. `kokoro_int8` rounds durations, adds up
  phases of a pitch, and takes angles of complex numbers whose parts are nothing but roundings, a
  tenth of all. Such models are cut there (`benchmarks/models/cutting.py`): the values that decide
  are compared as any others are, each with a tolerance of its own, and what follows from them with
  what the peers make of the values that opc computed. Without the cuts there would be nothing to
  compare: where parameters change in their last bit, onnxruntime's durations of kokoro move by up
  to 1.6 frames, and with the same durations its sound by up to 442 times its peak. In 160 parts,
  cut wherever values are quantized and each given what onnxruntime computed, opc and onnxruntime
  are within 2e-6 of each other, but where a state of an LSTM lies between two integers, and in two
  where opc is nearer to what f64 gives: sines of phases up to 13,800, and a channel divided by a
  small deviation.
- `oww_jarvis` ends in a sigmoid of -12.117, which is 5.4662e-6, and 5.4538e-6 in onnxruntime.
"""

TIMES = """\
- **times**: medians in ms of opc, onnxruntime and OpenVINO; **ratio**: opc's over the smaller one.
"""


@dataclass
class Row:
    """A model: what it is, what compiling takes, how far results are apart, seconds of calls."""

    name: str
    package: str
    kind: str
    size: int = 0
    nodes: int = 0
    opset: str = ""
    cold: dict[str, Any] = field(default_factory=dict[str, Any])
    warm: dict[str, Any] = field(default_factory=dict[str, Any])
    checks: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    absent: dict[str, str] = field(default_factory=dict[str, str])
    times: dict[str, float] = field(default_factory=dict[str, float])
    problem: str = ""
    """Why there are no results to compare, or none for a call: refused, crashed, or absent."""

    @property
    def verdict(self) -> str:
        """``ok``, or what is wrong."""
        if self.problem:
            return self.problem
        wrong = [text for check in self.checks if (text := _wrong(check))]
        return "; ".join(wrong) or "ok"

    @property
    def ratio(self) -> float | None:
        """The time of opc over that of the best peer."""
        peers = [seconds for name, seconds in self.times.items() if name != "opc"]
        return self.times["opc"] / min(peers) if peers else None

    def cells(self) -> list[str]:
        """The columns of the table, see HEADS."""
        cold, warm = self.cold, self.warm
        memory = [f"{cold[key] >> 20}" if key in cold else "-" for key in ("peak", "compiler")]
        names = ("onnxruntime", "as written", "openvino")
        worst = [_worst(check["differences"].get(name) for check in self.checks) for name in names]
        others = [_worst(check[key] for check in self.checks) for key in ("spread", "noise")]
        times = [_milliseconds(self.times.get(n)) for n in ("opc", "onnxruntime", "openvino")]
        return [
            *(self.name, self.package, self.kind),
            *(f"{self.size / 1e6:.1f}", f"{self.nodes}", self.opset),
            *(f"{cold['processor']:.1f}" if cold else "-", _seconds(warm)),
            *("+".join(memory), *worst, *others),
            *(("/".join(times), f"{self.ratio:.2f}" if self.ratio else "-") if self.times else ()),
            self.verdict.replace("|", "/").replace("\n", " ")[:200],
        ]


def _seconds(warm: Mapping[str, Any]) -> str:
    return f"{warm['processor']:.2f}" if warm else "-"


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e3:.3g}"


def _worst(values: Any) -> str:
    numbers = [value for value in values if value is not None]
    return f"{max(numbers):.0e}" if numbers else "-"


def _wrong(check: Mapping[str, Any]) -> str:
    """What is wrong with the results in one size."""
    differences: Mapping[str, float] = check["differences"]
    shapes = " ".join(map(str, check["shapes"]))
    if check.get("value"):
        shapes += f", {check['value']}"
    if not differences:
        return f"{shapes}: no peer runs the model"
    nearest = min(differences, key=lambda name: differences[name])
    allowed = tolerance(check["spread"], check["noise"])
    if differences[nearest] <= allowed:
        return ""
    reason = check["kinds"].get(nearest, f"differs by {differences[nearest]:.0e}")
    return f"{shapes}: {reason} from {nearest}, expected at most {allowed:.0e}"


def heads(*, timed: bool) -> list[str]:
    """The names of the columns."""
    return [
        *("model", "package", "kind", "MB", "nodes", "opset", "cold", "warm", "memory"),
        *("onnxruntime", "as written", "OpenVINO", "peers", "last bit"),
        *(("times", "ratio") if timed else ()),
        "verdict",
    ]


def summary(rows: Sequence[Row]) -> str:
    """The last line."""
    right = [row for row in rows if row.verdict == "ok"]
    line = f"{len(right)} of {len(rows)} run and agree"
    ratios = {row.name: row.ratio for row in right if row.ratio}
    if not ratios:
        return line
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    worst = max(ratios, key=lambda name: ratios[name])
    return f"{line}; geometric mean opc/best peer {mean:.2f}, worst {ratios[worst]:.2f} ({worst})"


def line(cells: Sequence[str]) -> str:
    """A line of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def markdown(rows: Sequence[Row], missing: Sequence[str] = ()) -> str:
    """The page; ``missing`` are models of which nothing is known."""
    timed = any(row.times for row in rows)
    names = heads(timed=timed)
    table = [line(names), "|" + " --- |" * len(names)]
    for row in sorted(rows, key=lambda row: row.name):
        cells = row.cells()
        if timed and not row.times:
            cells[-1:-1] = ["-", "-"]
        table.append(line(cells))
    legend = LEGEND + (TIMES if timed else "")
    line_of_all = f"{summary(rows)}."
    if missing:
        line_of_all += f" Not measured: {', '.join(missing)}."
    return f"{PAGE}\n{line_of_all}\n{legend}\n" + "\n".join(table) + f"\n{LARGE}"


def dumped(rows: Sequence[Row]) -> str:
    """Every figure as JSON."""
    return json.dumps([asdict(row) | {"verdict": row.verdict} for row in rows], indent=1) + "\n"


def loaded(text: str) -> list[Row]:
    """The rows out of what :func:`dumped` gave."""
    return [Row(**{k: v for k, v in row.items() if k != "verdict"}) for row in json.loads(text)]
