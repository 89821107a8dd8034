"""The ONNX frontend: reads models and legalizes each operator version."""
