"""External judges, as engines: the input is an exhibit as JSON, the answer is JSON.

`document` holds what they have in common, and each kind is a module: `function`
(``python:``), `endpoint` (a URL) and `command` (``cmd:``).
"""
