"""Plans: their data flow, their shapes, how one is made and executed."""
