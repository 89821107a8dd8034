"""Passes on the graph: from operators as they are written to the normal form."""
