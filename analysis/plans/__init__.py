"""Studies of plans: who made and graded which, and what became of what was planted."""
