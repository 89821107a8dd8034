"""From C text to a callable: C compiler, cache, arguments.  No module here knows IR."""
