"""The database: embedded or given, its tables, and the queries on them."""
