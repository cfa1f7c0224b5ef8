"""Benchmarks: figures of speed and memory, which no test asserts."""
