"""The figures of a study as SVG, byte for byte the same from the same numbers."""
