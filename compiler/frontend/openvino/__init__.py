"""OpenVINO IR as graphs, and what each layer means."""
