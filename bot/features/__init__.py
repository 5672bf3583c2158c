"""One module per behaviour: pure decisions, and the thin shell that carries them out."""
