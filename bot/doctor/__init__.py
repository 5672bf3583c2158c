"""What a running installation needs, looked at from the inside and from GitHub's side."""
