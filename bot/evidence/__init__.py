"""From what was gathered about one issue to measures, verdicts and text: pure functions only."""
