"""One stored record as a person wants to read it: every value with where it comes from."""
