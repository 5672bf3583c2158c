"""The report that would be posted, before anything is installed: read with a personal token, shown locally."""
