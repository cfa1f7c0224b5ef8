"""A calendar assistant: a domain for Faultpair in a package of its own."""
