"""The parts of the Markdown report, one module each; every one is a pure function of the report."""
