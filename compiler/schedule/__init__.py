"""Policy: planners that write a schedule for a kernel and a target, and what is legal in one."""
