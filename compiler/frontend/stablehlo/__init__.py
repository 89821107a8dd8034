"""StableHLO: a reader of its assembly, and the meaning of each operation."""
