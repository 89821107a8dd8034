"""The same C with other compilers and on other machines, which emulators run.

``python -m tests.portable`` prints a table: compiler and machine, and of how many graphs the
results have the same bits, are refused, or are WRONG; see ``--help``.
"""
