"""Reading the history of a repository: page by page, within a share of the limits, resumable, never writing."""
