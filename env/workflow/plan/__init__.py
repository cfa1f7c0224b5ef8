"""Plans: data flow, shapes, instantiation and execution."""
