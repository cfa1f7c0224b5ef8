"""The worlds in which agents act, and the records of all packages."""
