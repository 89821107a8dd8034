"""One file for each fault of a C compiler: the fault, a reproducer, what is emitted instead."""
