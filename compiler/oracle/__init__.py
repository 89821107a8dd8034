"""Compares compiled graphs with the interpreter, and locates and reduces differences."""
