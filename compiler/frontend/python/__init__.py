"""Python functions as graphs: what a traced function computes with."""
