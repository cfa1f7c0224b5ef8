"""Studies of plans: planners, graders, planted faults, and the alignment of judges."""
