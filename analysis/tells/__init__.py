"""What a page tells beside the run: judges that read no run, and the table of tells.

A *tell* is a trait of a page from which a fault can be guessed although the fault does not
change it.
"""
