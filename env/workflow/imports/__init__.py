"""Records of plans that other projects publish."""
