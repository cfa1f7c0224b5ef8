"""Who acts: the agent of each domain that is correct by construction."""
