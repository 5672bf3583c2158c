"""The web process: the webhook endpoint and the pages."""
