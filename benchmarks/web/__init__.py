"""Trained models as WebAssembly modules, beside onnxruntime-web in node.

``python -m benchmarks.web`` downloads models and onnxruntime-web; see ``--help``.
"""
