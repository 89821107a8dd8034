"""Search for fast schedules: measure what planners might have chosen, and keep the fastest."""
