"""Compares opc with other ways to compute the same tensor operators on the processor.

``python -m benchmarks --help`` says how.  Nothing here is part of the ``opc`` package.
"""
