"""Proofs over whole input ranges, too long for the unit tests."""
