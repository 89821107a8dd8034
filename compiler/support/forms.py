"""What decides the bits of a function beside its operators; each form is a part of what it is."""

FORMS = {
    "products": ("fused", "rounded"),
    "activations": ("float", "int8"),
    "subnormals": ("flushed", "kept"),
}
"""The default form, and the other one."""
MEANINGS = {
    "products": "products of matrices and convolutions are rounded before they are added",
    "activations": "products with weights of few bits round activations to 8 bits unless a "
    "model asks for floats (MatMulNBits without accuracy_level 4)",
    "subnormals": "subnormal weights of matrix products and convolutions do not count as zeros",
}
"""What the other forms say."""
