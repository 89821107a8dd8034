"""What every room uses and that knows none of them: files, locations, targets, caches."""
