"""The tables of a study: each module builds some of them from numbers by key."""
