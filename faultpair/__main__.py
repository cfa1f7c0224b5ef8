"""`python -m faultpair`, the same as the command `faultpair`."""

from .cli import main

main()
