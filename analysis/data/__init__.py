"""From files to columns: runs, verdicts and what a study declares about them."""
