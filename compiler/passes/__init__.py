"""The passes, one file for each; `opc.registry` lists them and `opc.pipeline` orders them."""
