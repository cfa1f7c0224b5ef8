"""Calls written as text, such as ``[get_load(feeder="FD-3", hours=4)]<end_of_turn>``.

Models that are prompted for code answer so. The text is parsed and never run: an argument
that is not a plain value stays text.
"""

from __future__ import annotations

import ast
import warnings
from typing import Any

from ..records import Call

__all__ = ["calls_in", "names_in"]

_WORDS = {"true": True, "false": False, "null": None}


def calls_in(text: str) -> tuple[Call, ...]:
    """Return the calls in a text that holds nothing else, with or without brackets.

    Special tokens of a model at the end are ignored.

    Raises
    ------
    ValueError
        If the text is anything else, or a call gives an argument without a name.

    Examples
    --------
    >>> calls_in('[geo.route(start="Ulm", stops=["Bonn"], tolls=false)]<|im_end|>')
    (Call(tool='geo.route', args={'start': 'Ulm', 'stops': ['Bonn'], 'tolls': False}),)
    """
    try:
        return tuple(_call(node) for node in _parsed(text))
    except RecursionError as error:
        raise ValueError("the calls are nested too deep") from error


def names_in(text: str) -> tuple[str, ...]:
    """Return the names of the tools alone, whatever the arguments are.

    Raises
    ------
    ValueError
        If the text holds anything but calls.
    """
    return tuple(_name(node.func) for node in _parsed(text))


def _parsed(text: str) -> list[ast.Call]:
    source = _without_special_tokens(text)
    if not source:
        raise ValueError("the text is empty")
    listed = source if source.startswith("[") else f"[{source}]"
    try:
        with warnings.catch_warnings():
            # A path such as "C:\data" must not raise a warning about its escape.
            warnings.simplefilter("ignore")
            tree = ast.parse(listed, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"the text is no list of calls: {text!r:.60}") from error
    nodes = tree.elts if isinstance(tree, ast.List) else [tree]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    if len(calls) < len(nodes):
        raise ValueError(f"the text holds more than calls: {text!r:.60}")
    return calls


def _without_special_tokens(text: str) -> str:
    text = text.strip()
    while text.endswith(">") and "<" in text:
        text = text[: text.rindex("<")].rstrip()
    return text


def _call(node: ast.Call) -> Call:
    name = _name(node.func)
    args = {keyword.arg: _value(keyword.value) for keyword in node.keywords if keyword.arg}
    if node.args or len(args) < len(node.keywords):
        raise ValueError(f"a call of {name} gives an argument without a name, or one twice")
    return Call(name, args)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            return f"{_name(owner)}.{name}"
    raise ValueError("the called function is not a name")


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_value(part) for part in parts]
        case ast.Dict(keys=keys, values=values) if all(keys):
            pairs = zip(keys, values, strict=True)
            return {str(_value(key)): _value(value) for key, value in pairs if key}
        case ast.Name(id=word) if word in _WORDS:
            return _WORDS[word]
    return ast.unparse(node)
