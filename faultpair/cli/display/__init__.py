"""What the commands print: tables, progress, summaries."""
