"""The report's tables, one module for each shape."""
