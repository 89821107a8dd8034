"""opc: compiles tensor-operator graphs to C.  Names are loaded when first used."""
