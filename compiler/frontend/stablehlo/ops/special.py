"""Special functions of ``chlo``."""
