"""Models that act: one plays a world step by step, one writes a plan; and what their runs say."""
