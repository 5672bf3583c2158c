"""Learning from decisions: what is learned from, the refit in a process of its own, and which model is used."""
