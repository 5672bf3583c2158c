"""Pull mode: without a public address, the App's deliveries are asked of GitHub instead of being received."""
