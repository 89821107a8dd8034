"""On targets where memory is short, windows are copied in parts and results lie over operands."""

from __future__ import annotations

import numpy as np
import pytest

import opc

PADDED = "strides = [1, 1], dilations = [1, 1], pads = [1, 1, 1, 1]"


def layers(channels: int, rows: int, columns: int, others: int) -> str:
    """A convolution of each channel, one of single points to ``others`` channels, and a 3x3 one."""
    rng = np.random.default_rng(5)
    x, y = (f"tensor<1x{n}x{rows}x{columns}xf32>" for n in (channels, others))

    def weight(name: str, *shape: int) -> str:
        numbers = rng.integers(-8, 9, shape).tolist()
        return f"%{name} = opc.constant dense<{numbers}> : tensor<{'x'.join(map(str, shape))}xi8>"

    def cast(name: str, *shape: int) -> str:
        of = "x".join(map(str, shape))
        return f"%{name} = opc.cast %i{name} : tensor<{of}xi8> -> tensor<{of}xf32>"

    shapes = {"w": (channels, 1, 3, 3), "v": (others, channels, 1, 1), "u": (others, others, 3, 3)}
    lines = [weight(f"i{name}", *shape) for name, shape in shapes.items()]
    lines += [cast(name, *shape) for name, shape in shapes.items()]
    return "\n".join(
        [
            f"func.func @main(%x: {x}) -> {y} {{",
            *lines,
            "%a = opc.relu %x",
            f"%b = opc.conv %a, %w {{{PADDED}, groups = {channels}}}",
            "%c = opc.conv %b, %v",
            f"%d = opc.conv %c, %u {{{PADDED}}}",
            "%e = opc.relu %d",
            f"return %e : {y}\n}}",
        ]
    )


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("shape", "most"),
    [
        ((64, 25, 5, 64), 32_000),
        ((16, 25, 5, 12), 14_464),
        ((5, 31, 33, 5), 42_240),
        ((8, 40, 40, 8), 114_496),
        ((3, 7, 64, 3), 10_944),
    ],
)
def test_results_over_operands_have_the_same_bits(
    shape: tuple[int, int, int, int], most: int
) -> None:
    """``most`` is the workspace in bytes; of the first one, two results would take 64,000."""
    text = layers(*shape)
    lowered = opc.lower(text, target="cortex-m4", cache=None)
    channels, rows, columns, _ = shape
    x = np.random.default_rng(6).standard_normal((1, channels, rows, columns)).astype(np.float32)
    # The schedules stay, so that the same loops run here.
    found = opc.compile(lowered.ir("schedule"), cache=None)(x)
    np.testing.assert_array_equal(found, opc.compile(text)(x))
    assert lowered.interface.workspace is not None and lowered.interface.workspace <= most


def test_an_operand_is_copied_before_it_is_written_over() -> None:
    text = opc.lower(layers(64, 25, 5, 64), target="cortex-m4", cache=None).ir("schedule")
    assert text.count("loop.slice") == 2, text
    copies = [line for line in text.splitlines() if "schedule.pack right" in line]
    with pytest.raises(opc.OpcError, match="right in the buffer of a result, expected one copy"):
        opc.lower(text.replace(f"{copies[0]}\n", "", 1), cache=None)
    loop = "schedule.for [d2, d3] by 6 serial"
    assert loop in text, text
    with pytest.raises(opc.OpcError, match=r"in the buffer of a result, .*serial if panels"):
        opc.lower(text.replace(loop, loop.replace("serial", "parallel"), 1), cache=None)


@pytest.mark.parametrize("target", ["cortex-m0", "cortex-m4", "cortex-m7"])
def test_versions_that_read_an_operand_in_place_keep_it(target: str) -> None:
    """One row of several layers reads its operand where it lies; more rows copy it."""
    rng, lines, shapes = np.random.default_rng(3), list[str](), [(16, 16), (16, 16), (16, 4)]
    for k, (rows, columns) in enumerate(shapes):
        values = rng.standard_normal((rows, columns)).astype(np.float32).tobytes().hex()
        result = f"tensor<?x{columns}xf32, #opc.dims<N, {columns}>>"
        lines += [
            f'%w{k} = opc.constant dense<"0x{values}"> : tensor<{rows}x{columns}xf32>',
            f"%p{k} = opc.matmul %x{k}, %w{k}",
            f"%x{k + 1} = opc.relu %p{k}",
        ]
    start = "func.func @main(%x0: tensor<?x16xf32, #opc.dims<N, 16>>)"
    text = "\n".join([f"{start} -> {result} {{", *lines, f"return %x3 : {result}\n}}"])
    lowered = opc.lower(text, target=target, cache=None).ir("schedule")
    for rows in (1, 7):
        x = rng.standard_normal((rows, 16)).astype(np.float32)
        found = opc.compile(lowered, cache=None)(x)
        np.testing.assert_array_equal(found, opc.compile(text)(x))
