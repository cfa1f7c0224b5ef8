"""Making a plan: topologies, shapes, blueprints of a sector, instantiation, the pool of tools."""
