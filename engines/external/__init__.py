"""Judges from outside, as engines: the input is an exhibit as JSON, the answer is JSON.

`document` reads and writes that JSON, and each kind is a module: `function` (``python:``),
`endpoint` (a URL) and `command` (``cmd:``).
"""
