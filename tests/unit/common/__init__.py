"""What tests of several rooms share: graphs and models, values to try, tolerances."""

from pathlib import Path

ROOT = Path(__file__).parents[3]
"""The folder of the project."""
