"""Lowerings: write a kernel and its schedule as loops."""
