"""Fast Fourier transforms of constant length, as a graph.

Decimation in frequency: a transform of length r * m is r transforms of length m of butterflies of r
numbers times roots of unity.  The radices are 4, 2 and odd primes.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from opc.frontend.models.elementary import cosine, sine
from opc.frontend.models.traced import NodeTrace

Complex: TypeAlias = "tuple[Any, Any]"
"""Real and imaginary parts."""


def factors(n: int) -> list[int]:
    """The radices of a length, in order of use."""
    radices: list[int] = []
    while n % 4 == 0:
        n //= 4
        radices.append(4)
    if n % 2 == 0:
        n //= 2
        radices.insert(0, 2)
    p = 3
    while p * p <= n:
        while n % p == 0:
            n //= p
            radices.append(p)
        p += 2
    return [*radices, n] if n > 1 else radices


def _root(n: int, k: Any, sign: int) -> Complex:
    """exp(sign * 2 pi i k / n), in f64."""
    angle = np.asarray(k) % n * (2 * np.pi) / n
    return cosine(angle), sign * sine(angle)


def _plus(a: Complex, b: Complex) -> Complex:
    return a[0] + b[0], a[1] + b[1]


def _minus(a: Complex, b: Complex) -> Complex:
    return a[0] - b[0], a[1] - b[1]


def _turned(a: Complex, sign: int) -> Complex:
    """sign * i * a."""
    return (-a[1], a[0]) if sign > 0 else (a[1], -a[0])


def _butterfly(x: list[Complex], sign: int) -> list[Complex]:
    """The transform of a list of numbers whose length is a radix."""
    n = len(x)
    if n == 2:
        return [_plus(*x), _minus(*x)]
    if n == 4:
        (a, b), (c, d) = ((_plus(x[k], x[k + 2]), _minus(x[k], x[k + 2])) for k in range(2))
        d = _turned(d, sign)
        return [_plus(a, c), _plus(b, d), _minus(a, c), _minus(b, d)]
    half = (n - 1) // 2
    sums = [_plus(x[k], x[n - k]) for k in range(1, half + 1)]
    rest = [_minus(x[k], x[n - k]) for k in range(1, half + 1)]
    total = x[0]
    for term in sums:
        total = _plus(total, term)
    outputs: list[Complex] = [total] * n
    for q in range(1, half + 1):
        even, odd = x[0], (0.0, 0.0)
        for k in range(1, half + 1):
            real, imaginary = (float(part) for part in _root(n, q * k, sign))
            even = _plus(even, (real * sums[k - 1][0], real * sums[k - 1][1]))
            term = imaginary * rest[k - 1][0], imaginary * rest[k - 1][1]
            odd = term if k == 1 else _plus(odd, term)
        odd = _turned(odd, 1)
        outputs[q], outputs[n - q] = _plus(even, odd), _minus(even, odd)
    return outputs


def transform(trace: NodeTrace, x: Complex, n: int, sign: int) -> Complex:
    """The transforms of the rows of x [P, n], with roots exp(sign * 2 pi i / n)."""
    return _transform(trace, x, n, sign, factors(n))


def _transform(trace: NodeTrace, x: Complex, n: int, sign: int, radices: list[int]) -> Complex:
    if n == 1:
        return x
    r, m, rows = radices[0], n // radices[0], x[0].shape[0]
    split = [part.reshape(rows, r, m) for part in x]
    parts = _butterfly([(split[0][:, k], split[1][:, k]) for k in range(r)], sign)
    for q in range(1, r):
        roots = (trace.given(part, x[0].element) for part in _root(n, q * np.arange(m), sign))
        parts[q] = _product(parts[q], tuple(roots)) if m > 1 else parts[q]
    together = tuple(np.stack([p[k] for p in parts], axis=1).reshape(rows * r, m) for k in (0, 1))
    transformed = _transform(trace, (together[0], together[1]), m, sign, radices[1:])
    real, imaginary = (
        part.reshape(rows, r, m).transpose([0, 2, 1]).reshape(rows, n) for part in transformed
    )
    return real, imaginary


def _product(a: Complex, b: tuple[Any, ...]) -> Complex:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]
