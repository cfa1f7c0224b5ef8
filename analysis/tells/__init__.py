"""Judges that read no run: what they find, a set or its order tells."""
