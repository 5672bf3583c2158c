"""What people say of an issue's root cause and what it comes to, as plain values: pure, below the database."""
