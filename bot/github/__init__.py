"""The way to GitHub: a client that reads, a gatherer of evidence, and the one writer."""
