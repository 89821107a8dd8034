"""ONNX models as graphs, and what each version of an operator means."""
