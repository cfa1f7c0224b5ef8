"""Making the set of a study: planted by the injector, played or planned by a model."""
