"""Reply grounding: a judge without a model that asks what supports each claim of a reply.

`tokens` and `terms` read an English text; the folder of a domain holds its words, its
kinds of claim and its judge.
"""
