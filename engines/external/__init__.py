"""Judges from outside, as engines: they are given an exhibit as JSON and answer in JSON.

`document` says what goes to and fro, and each kind is a module: `function`
(``python:``), `endpoint` (a URL) and `command` (``cmd:``).
"""
