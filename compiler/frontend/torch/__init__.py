"""PyTorch: a reader of exported graphs, and the meaning of each operator of ATen."""
