"""Public test suites, whose files stay outside of the repository."""
