"""What several formats of models have, in operators of the ``opc`` dialect."""
