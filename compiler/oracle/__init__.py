"""Whether compiled graphs give what the interpreter says, and where they go wrong if not."""
