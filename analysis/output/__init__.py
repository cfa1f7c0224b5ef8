"""Tables and figures as files, numbers in documents, and the drift check."""
