"""``python -m benchmarks.small``: what its networks are, and one that runs in qemu."""

from __future__ import annotations

import re
import shutil
import sys

import numpy as np
import pytest

import opc
from benchmarks.small import __main__ as small
from benchmarks.small.networks import NETWORKS, network


def test_networks_have_the_published_sizes() -> None:
    sizes = {name: network(name).model().ByteSize() // 1000 for name in NETWORKS}
    assert sizes == {
        **{"dscnn": 92, "dscnn_i8": 38, "mobilenet": 848, "mobilenet_i8": 272},
        **{"resnet": 312, "resnet_i8": 90, "autoencoder": 1064, "autoencoder_i8": 298},
    }
    x = np.ones((1, 1, 49, 10), np.float32)
    found = [opc.compile(network(name).model())(x) for name in ("dscnn", "dscnn_i8")]
    assert [y.sum() for y in found] == pytest.approx([1, 1], rel=1e-5)


@pytest.mark.skipif(
    None in map(shutil.which, ("arm-none-eabi-gcc", "qemu-system-arm")), reason="no emulator"
)
def test_a_network_in_qemu(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["small", "--networks", "autoencoder_i8", "--only-opc"])
    assert small.main() == 0
    row = capsys.readouterr().out.splitlines()[-1]
    numbers = [float(word) for word in re.findall(r"\d+\.\d", row)]
    flash, ram, _, millions = numbers
    assert flash < 290 and ram < 2 and millions < 1.8
