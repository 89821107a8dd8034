"""Tests of the backend of ``torch.compile``."""
