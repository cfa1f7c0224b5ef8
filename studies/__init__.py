"""A study as files: its spec, its folder, its manifest, its logs. Nothing here runs a judge."""
