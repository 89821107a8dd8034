"""MLIR text as graphs."""
