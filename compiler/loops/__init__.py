"""Mechanism: a kernel and its schedule, written as loops."""
