"""Everything that knows GitHub: the web process, the workers, and what they decide and write."""
