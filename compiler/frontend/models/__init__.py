"""Composite operators that several model formats share, in operators of the ``opc`` dialect."""
