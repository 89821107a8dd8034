"""C text to a callable: toolchain, cache, arguments; knows no IR."""
