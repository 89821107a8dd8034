"""Loop IR to C text."""
