"""What networks of microcontrollers take: flash, RAM, stack and instructions.

``python -m benchmarks.small`` prints a table: the four networks of MLPerf Tiny in f32 and int8, on
a Cortex-M4 in qemu, on x86-64 in callgrind, and as modules for WebAssembly.
"""
