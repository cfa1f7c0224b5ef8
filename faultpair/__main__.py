"""`python -m faultpair`, the same as the command `faultpair`."""

from faultpair.cli import main

main()
