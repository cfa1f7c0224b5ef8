"""Judges that read what should tell nothing; any success of theirs is a tell of the set."""
