"""What IR computes, in NumPy: the oracle of the tests and the folder of constants."""
