"""How lit runs the tests of this folder: ``lit tests/lit``."""

import os
import sys
from pathlib import Path

import lit.formats

config.name = "opc"  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir"]  # noqa: F821
config.test_source_root = str(Path(__file__).parent)  # noqa: F821
config.test_exec_root = str(Path(__file__).parent / "Output")  # noqa: F821

# The tools of the environment that runs lit, whatever the shell would find first.
tools = str(Path(sys.executable).parent)
config.environment["PATH"] = os.pathsep.join((tools, os.environ["PATH"]))  # noqa: F821
