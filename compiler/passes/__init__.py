"""The registry of passes, their order, and the bases that they share."""
