"""What callers use: compile and lower, Python functions, the backend of PyTorch, opc-opt."""
