"""The attributes of a function that say how callers name its inputs and results."""

INPUT_NAMES = "opc.input_names"
RESULT_NAMES = "opc.result_names"
