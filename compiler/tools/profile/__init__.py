"""What the loops of a compiled graph do and how long each takes, for ``opc bench`` and ``explain``.

``work`` counts, ``timing`` measures, ``roofline`` says what the machine could do, ``report`` puts
them together as a table, as JSON and as a trace.
"""
