"""The oracle of each domain: the scripted agent that is correct by construction."""
