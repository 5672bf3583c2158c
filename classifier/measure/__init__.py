"""How good a model is on issues it has not seen: protocols, figures, and the model card."""
