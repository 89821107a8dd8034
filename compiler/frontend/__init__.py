"""Readers: bytes to IR, without semantics."""
