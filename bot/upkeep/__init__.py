"""What an operator does by hand with deliveries: look at them, send, ask for, retry and check again."""
