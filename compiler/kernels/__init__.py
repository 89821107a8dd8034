"""Passes on kernels: formed, fused, and given buffers."""
