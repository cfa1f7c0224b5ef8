"""Models that act: an agent plays an episode, a planner writes a plan; and their facts."""
