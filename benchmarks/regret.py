"""The regret of the planners: the time of their schedule over that of the best one measured.

::

    python -m benchmarks.regret                          # 300 nests, one thread
    python -m benchmarks.regret --nests 40 --seconds 4 --threads 2

Nests are drawn from the layers of networks: products of matrices, convolutions, attention, softmax,
norms and pooling.  Each is measured as ``opc tune`` does it.  The rank correlation says how well
the estimated cost orders what was measured.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Sequence

import numpy as np

from opc.api.driver import Options, load, source_of
from opc.schedule.candidates import Candidate
from opc.tools.cli import count
from opc.tune.measure import measured
from opc.tune.nests import nests_of

WORK = 400_000_000
"""Products of a nest at most, some milliseconds."""
TOUCHED = 8 << 20
"""Bytes that other layers touch between two runs."""
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


def regrets(
    nests: int, seconds: float, threads: int, seed: int = 0
) -> list[tuple[str, list[tuple[Candidate, float]]]]:
    """The candidates of so many nests with their times; that of the planner is the first."""
    rng, options = random.Random(seed), Options(threads=threads)
    rows: list[tuple[str, list[tuple[Candidate, float]]]] = []
    while len(rows) < nests:
        text = KINDS[len(rows) % len(KINDS)](rng)
        graph = nests_of(source_of(load(text), None), options.target, {}, options.fuse)
        for nest in graph.nests.values():
            if nest.work > WORK:
                continue
            candidates = nest.candidates()
            trees = [candidate.tree for candidate in candidates]
            times = [m.seconds for m in measured(nest, trees, options, TOUCHED, seconds)]
            rows.append((nest.form.about, list(zip(candidates, times, strict=True))))
            print(_line(*rows[-1]), flush=True)
    return rows


def _line(about: str, row: Sequence[tuple[Candidate, float]]) -> str:
    return (
        f"{row[0][1] * 1e3:9.3f} ms {regret(row):6.2f} {correlation(row):6.2f}"
        f"  {len(row):3} schedules  {about}"
    )


def regret(row: Sequence[tuple[Candidate, float]]) -> float:
    """The planner's time over the least one."""
    return row[0][1] / min(seconds for _, seconds in row)


def correlation(row: Sequence[tuple[Candidate, float]]) -> float:
    """Spearman's rank correlation of costs and times; 1 where there is nothing to order.

    Sweeps have no costs.
    """
    if len(row) < 3 or not any(candidate.cycles for candidate, _ in row):
        return 1.0
    ranks = [np.argsort(np.argsort(v)) for v in ([c.cycles for c, _ in row], [t for _, t in row])]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.regret", description=__doc__)
    parser.add_argument("--nests", type=count, default=300, help="how many; default: 300")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each nest; default: 2")
    parser.add_argument("--threads", type=count, default=1, help="default: 1")
    parser.add_argument("--seed", type=int, default=0, help="draws other nests")
    options = parser.parse_args(arguments)
    rows = regrets(options.nests, options.seconds, options.threads, options.seed)
    found = [regret(row) for _, row in rows]
    mean = math.exp(sum(map(math.log, found)) / len(found))
    alike = sum(correlation(row) for _, row in rows) / len(rows)
    print(
        f"{len(rows)} nests: regret {mean:.3f} in the geometric mean, {max(found):.2f} at most, "
        f"{sum(r > 1.3 for r in found)} above 1.3; rank correlation {alike:.2f}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
