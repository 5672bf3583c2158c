"""Commands in comments: what was written, what it means, and who may; pure, and knows nothing of GitHub calls."""
