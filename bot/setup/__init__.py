"""From nothing to a registered App: GitHub's manifest flow, and where its outcome is kept."""
