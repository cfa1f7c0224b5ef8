"""Reply grounding at the support desk: its words, its case, its kinds of claim, its judge."""
