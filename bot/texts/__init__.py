"""Every word the bot says, as pure functions from values to Markdown; golden files hold the texts."""
