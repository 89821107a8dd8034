"""One file for each fault of a C compiler that emission steps around, with a reproducer."""
