"""Random graphs against everything that must agree with them.

From the root of the repository::

    python -m tests.fuzz                                # 1,000 graphs
    python -m tests.fuzz --seed 7 --graphs 10000        # the long form
    python -m tests.fuzz --seed 7 --graph 123           # one of them again, with its text

``generate`` makes a graph and its inputs from two numbers, ``control`` the bodies of its loops and
choices, ``build`` compiles many into one library and calls them, ``oracle`` says what each operator
has to give, ``variants`` are the other ways to build that must give the same bits.
``mutations`` are planted faults that the fuzzer must find.  ``sanitize`` runs graphs under the
sanitizers of C compilers.
"""
