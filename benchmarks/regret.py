"""The regret of the planners: the time of their schedule over that of the best one measured.

::

    python -m benchmarks.regret                          # 300 nests, one thread
    python -m benchmarks.regret --nests 40 --seconds 4 --threads 2
    python -m benchmarks.regret --above 1.08             # also the trees, where regret is above

Nests are drawn from the layers of networks: products of matrices, convolutions, attention, softmax,
norms and pooling.  Each is measured as ``opc tune`` does it.  The least of many times is partly
luck, so the planner's schedule and the fastest other one are then built and measured once more, in
turns, and the regret is of these times.  The rank correlation says how well the estimated cost
orders what was measured first.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from opc.api.driver import Options, load, source_of
from opc.dialects.schedule import TreeOp
from opc.schedule.candidates import Candidate
from opc.tools.cli import count
from opc.tune.measure import measured
from opc.tune.nests import Nest, nests_of

WORK = 400_000_000
"""Products of a nest at most, some milliseconds."""
TOUCHED = 8 << 20
"""Bytes that other layers touch between two runs."""
PAIRS = 25
"""Samples of the planner's schedule and the fastest other one, in turns."""
EXTENTS = (7, 8, 13, 14, 16, 19, 20, 28, 32, 38, 40, 49, 50, 56, 64, 76, 80, 100, 112, 150, 224)
"""Rows and columns of images."""
CHANNELS = (16, 24, 32, 48, 64, 96, 128, 144, 192, 240, 256, 320, 384, 512, 672, 960, 1024, 2048)
FEATURES = (64, 100, 128, 197, 256, 312, 384, 512, 768, 1000, 1024, 1536, 2048, 3072)

Shape = tuple[int, ...]


def _constant(name: str, shape: Shape) -> str:
    values = np.random.default_rng(len(name)).standard_normal(shape).astype(np.float32)
    return f'%{name} = opc.constant dense<"0x{values.tobytes().hex()}"> : {_type(shape)}'


def _type(shape: Shape) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def _graph(
    x: Shape, w: Shape, result: Shape, product: str, bias: Shape = (), known: bool = True
) -> str:
    inputs, body = [f"%x: {_type(x)}"], list[str]()
    if known:
        body.append(_constant("w", w))
    else:
        inputs.append(f"%w: {_type(w)}")
    body.append(f"%p = {product}")
    if bias:
        body += [_constant("bias", bias), "%s = opc.add %p, %bias", "%y = opc.relu %s"]
    body.append(f"func.return %{'y' if bias else 'p'} : {_type(result)}")
    return f"func.func @main({', '.join(inputs)}) -> {_type(result)} {{\n" + "\n".join(body) + "\n}"


def _matrices(rng: random.Random) -> str:
    m, k, n = rng.choice((1, 4, 16, *FEATURES)), rng.choice(FEATURES), rng.choice(FEATURES)
    return _graph((m, k), (k, n), (m, n), "opc.matmul %x, %w", (n,), rng.random() < 0.7)


def _scores(rng: random.Random) -> str:
    h, n, d = rng.choice((2, 6, 12, 64)), rng.choice((49, 64, 128, 197, 256)), rng.choice((32, 64))
    m = rng.choice((1, n, n))
    product = 'opc.contract %x, %w {equation = "bqd,bkd->bqk"}'
    return _graph((h, m, d), (h, n, d), (h, m, n), product, known=False)


def _values(rng: random.Random) -> str:
    h, n, d = rng.choice((2, 6, 12, 64)), rng.choice((49, 64, 128, 197, 256)), rng.choice((32, 64))
    m = rng.choice((1, n, n))
    return _graph((h, m, n), (h, n, d), (h, m, d), "opc.matmul %x, %w", known=False)


def _convolved(c: int, f: int, size: Shape, kernel: int, stride: int, groups: int = 1) -> str:
    pad = kernel // 2
    extents = tuple((n + 2 * pad - kernel) // stride + 1 for n in size)
    rank = len(size)
    how = f"{{strides = {[stride] * rank}, pads = {[pad] * (2 * rank)}, groups = {groups}}}"
    return _graph(
        (1, c, *size),
        (f, c // groups, *[kernel] * rank),
        (1, f, *extents),
        f"opc.conv %x, %w {how}",
        (f, *[1] * rank),
    )


def _sizes(rng: random.Random) -> Shape:
    n = rng.choice(EXTENTS)
    return n, n if rng.random() < 0.7 else rng.choice(EXTENTS)


def _pointwise(rng: random.Random) -> str:
    return _convolved(
        rng.choice(CHANNELS), rng.choice(CHANNELS), _sizes(rng), 1, rng.choice((1, 1, 2))
    )


def _windows(rng: random.Random) -> str:
    kernel, stride = rng.choice((3, 3, 3, 5, 7)), rng.choice((1, 1, 2))
    return _convolved(rng.choice(CHANNELS), rng.choice(CHANNELS), _sizes(rng), kernel, stride)


def _first(rng: random.Random) -> str:
    size = rng.choice((96, 160, 224, 256, 320))
    kernel, stride = rng.choice(((3, 1), (3, 2), (7, 2), (4, 4), (6, 2)))
    return _convolved(
        rng.choice((1, 3)), rng.choice((16, 32, 48, 64, 96)), (size, size), kernel, stride
    )


def _depthwise(rng: random.Random) -> str:
    c = rng.choice(CHANNELS)
    return _convolved(c, c, _sizes(rng), rng.choice((3, 3, 5, 7)), rng.choice((1, 1, 2)), c)


def _grouped(rng: random.Random) -> str:
    groups, c = rng.choice((2, 4, 32)), rng.choice((64, 128, 256, 512))
    return _convolved(c, c, _sizes(rng), rng.choice((1, 3)), 1, groups)


def _signals(rng: random.Random) -> str:
    size = (rng.choice((100, 400, 1500, 3000)),)
    return _convolved(
        rng.choice(CHANNELS), rng.choice(CHANNELS), size, rng.choice((1, 3, 5)), rng.choice((1, 2))
    )


def _softmax(rng: random.Random) -> str:
    x = _type((rng.choice((64, 512, 1024, 3136)), rng.choice((*FEATURES, 10, 49, 4096))))
    return f"""
func.func @main(%x: {x}) -> {x} {{
  %m = opc.reduce_max %x {{axes = [1], keepdims = true}}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {{axes = [1], keepdims = true}}
  %y = opc.div %e, %s
  func.return %y : {x}
}}"""


def _norm(rng: random.Random) -> str:
    x = _type((rng.choice((49, 128, 196, 784, 3136)), rng.choice((*FEATURES, 96, 192))))
    return f"""
func.func @main(%x: {x}, %scale: {x}) -> {x} {{
  %m = opc.reduce_mean %x {{axes = [1], keepdims = true}}
  %d = opc.sub %x, %m
  %q = opc.mul %d, %d
  %v = opc.reduce_mean %q {{axes = [1], keepdims = true}}
  %s = opc.sqrt %v
  %n = opc.div %d, %s
  %y = opc.mul %n, %scale
  func.return %y : {x}
}}"""


def _reduced(rng: random.Random) -> str:
    shape = rng.choice((4, 64, 512)), rng.choice(FEATURES), rng.choice((7, 49, 196, 784))
    axis = rng.randrange(3)
    result = _type(tuple(n for k, n in enumerate(shape) if k != axis))
    reduce = rng.choice(("sum", "mean", "max"))
    return f"""
func.func @main(%x: {_type(shape)}) -> {result} {{
  %y = opc.reduce_{reduce} %x {{axes = [{axis}]}}
  func.return %y : {result}
}}"""


KINDS: tuple[Callable[[random.Random], str], ...] = (
    _matrices,
    _pointwise,
    _windows,
    _scores,
    _values,
    _depthwise,
    _grouped,
    _first,
    _signals,
    _softmax,
    _norm,
    _reduced,
)


@dataclass(frozen=True)
class Row:
    """What was measured of a nest."""

    about: str
    candidates: list[tuple[Candidate, float]]
    """The schedules with their times in seconds; that of the planner is the first."""
    planned: float
    """Seconds of the planner's schedule beside the fastest other one."""
    best: float
    """Seconds of that one; of the planner's where there is no other."""

    @property
    def regret(self) -> float:
        """The planner's time over the least one."""
        return max(1.0, self.planned / self.best)

    @property
    def fastest(self) -> Candidate:
        """The fastest schedule that the planner did not choose, or its own if there is no other."""
        return min(self.candidates[1:] or self.candidates, key=lambda pair: pair[1])[0]

    @property
    def correlation(self) -> float:
        """Spearman's rank correlation of costs and times; 1 where there is nothing to order.

        Sweeps have no costs.
        """
        costs = [candidate.cycles for candidate, _ in self.candidates]
        if len(costs) < 3 or not any(costs):
            return 1.0
        times = [seconds for _, seconds in self.candidates]
        ranks = [np.argsort(np.argsort(values)) for values in (costs, times)]
        return float(np.corrcoef(ranks[0], ranks[1])[0, 1])

    def __str__(self) -> str:
        return (
            f"{self.planned * 1e3:9.3f} ms {self.regret:6.2f} {self.correlation:6.2f}"
            f"  {len(self.candidates):3} schedules  {self.about}"
        )


def rows_of(nests: int, seconds: float, threads: int, seed: int = 0) -> Iterator[Row]:
    """So many nests, measured one after the other."""
    rng, options, number = random.Random(seed), Options(threads=threads), 0
    while number < nests:
        text = KINDS[number % len(KINDS)](rng)
        graph = nests_of(source_of(load(text), None), options.target, {}, options.fuse)
        for nest in graph.nests.values():
            if nest.work <= WORK:
                number += 1
                yield _row(nest, seconds, options)


def _row(nest: Nest, seconds: float, options: Options) -> Row:
    """All candidates, and then the planner's and the fastest other one again."""
    candidates = nest.candidates()
    trees = [candidate.tree for candidate in candidates]
    times = [m.seconds for m in measured(nest, trees, options, TOUCHED, seconds)]
    row = Row(nest.form.about, list(zip(candidates, times, strict=True)), times[0], times[0])
    if len(trees) == 1:
        return row
    both = [trees[0], row.fastest.tree]
    planned, best = (m.seconds for m in measured(nest, both, options, TOUCHED, 0, PAIRS))
    return replace(row, planned=planned, best=best)


def outline(tree: TreeOp) -> str:
    """A schedule in one line, without what all schedules of a nest run.

    The end of each loop is left out: loops are inside those before them, or follow them.
    """
    lines = [line.strip(" {}").removeprefix("schedule.") for line in str(tree).splitlines()]
    return "; ".join(line for line in lines[1:] if line and not line.startswith("run "))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.regret", description=__doc__)
    parser.add_argument("--nests", type=count, default=300, help="how many; default: 300")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each nest; default: 2")
    parser.add_argument("--threads", type=count, default=1, help="default: 1")
    parser.add_argument("--seed", type=int, default=0, help="draws other nests")
    parser.add_argument("--above", type=float, help="print the trees where regret is above")
    options = parser.parse_args(arguments)
    rows = list[Row]()
    for row in rows_of(options.nests, options.seconds, options.threads, options.seed):
        rows.append(row)
        print(row, flush=True)
        if options.above is not None and row.regret > options.above:
            print(f"    planned: {outline(row.candidates[0][0].tree)}")
            print(f"    fastest: {outline(row.fastest.tree)}", flush=True)
    regrets = [row.regret for row in rows]
    mean = math.exp(sum(map(math.log, regrets)) / len(rows))
    alike = sum(row.correlation for row in rows) / len(rows)
    print(
        f"{len(rows)} nests: regret {mean:.3f} in the geometric mean, {max(regrets):.2f} at most, "
        f"{sum(regret > 1.3 for regret in regrets)} above 1.3; rank correlation {alike:.2f}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
