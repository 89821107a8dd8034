"""The attributes of a function that say how callers name its inputs, results and extents."""

INPUT_NAMES = "opc.input_names"
RESULT_NAMES = "opc.result_names"
EXTENT_NAMES = "opc.extent_names"
"""What the author of a model calls extents whose symbols must have other names, by symbols."""
