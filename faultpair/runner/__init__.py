"""Running the judges of a study: requests, answers, verdicts."""
