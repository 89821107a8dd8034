"""Compares opc with other ways to compute the same tensor operators on the processor.

``python -m benchmarks --help`` says how.  Nothing here is part of the ``opc`` package.
"""

from importlib.util import find_spec

_missing = [name for name in ("onnx", "ml_dtypes") if find_spec(name) is None]
if _missing:
    # Ends the command cleanly; what runs the tests has both.
    raise SystemExit(f"benchmarks: {', '.join(_missing)} not installed; pip install -e '.[bench]'")
