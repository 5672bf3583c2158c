"""How GitHub shows Markdown, made safe for pages of our own: the sandbox's, the web process's, a tried report's."""
