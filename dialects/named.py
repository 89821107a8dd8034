"""The attributes of a function that say how callers name its inputs and results."""

INPUT_NAMES = "opc.input_names"
RESULT_NAMES = "opc.result_names"
RESULT_LABELS = "opc.result_labels"
"""For each result the names that its elements are places of, or unit."""
RESULT_KEYS = "opc.result_keys"
"""For each result the keys of its columns, if it is a list of dictionaries, or unit."""
