"""The registry of passes, their order, and their base classes."""
