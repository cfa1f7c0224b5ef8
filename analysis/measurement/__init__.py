"""One result: what is known of a judge, from a study or plain data, and comparisons."""
