"""One result: what is known of a judge, from a study or from anybody's pairs, and comparisons."""
