"""What is measured of judges: each module computes one kind of number."""
