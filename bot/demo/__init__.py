"""The demo: sample issues played through the whole bot against the local GitHub."""
