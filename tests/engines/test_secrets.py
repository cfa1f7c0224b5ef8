import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest

from faultpair.engines.secrets import (
    Redactor,
    is_variable,
    secrets_in,
    shown_address,
    shown_arguments,
    shown_text,
)

KEY = 'sk-Zx8/Qw+3"JvKd90\\mPn'


@pytest.fixture
def redact():
    return Redactor([KEY])


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://host/judge", "http://host/judge"),
        ("http://host:8000/@ada/judge", "http://host:8000/@ada/judge"),
        ("http://TOKEN@host/judge", "http://host/judge"),
        ("http://ada:pw@host/judge", "http://host/judge"),
        ("http://ada:p@w@host/judge", "http://host/judge"),
        ("http://ada:p/w@host/judge", "http://host/judge"),
        ("http://ada:p?w@host/judge", "http://host/judge"),
        ("http://ada:p#w@host/judge", "http://host/judge"),
        ("https://host/judge?key=S&v=2", "https://host/judge?key=…&v=…"),
        ("https://host/judge?SECRET", "https://host/judge?…"),
        ("https://host/judge?key=&to=http://a:b@c", "https://host/judge?key=&to=…"),
        ("https://host/judge#SECRET", "https://host/judge"),
        ("http://[::1]:80/judge", "http://[::1]:80/judge"),
        ("http://a:b@[::1]:80/judge", "http://[::1]:80/judge"),
        ("ftp://a:b@host", "ftp://host"),
        ("a:b@host:11434", "host:11434"),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_user_password_values_and_fragment(address, shown):
    assert shown_address(address) == shown
    assert shown_address(shown) == shown


def test_addresses_in_a_text_are_shown_without_secrets():
    text = "'http://a:b@h/j?k=S' and <https://T@h>, x@y.z"
    assert shown_text(text) == "'http://h/j?k=…' and <https://h>, x@y.z"


def test_arguments_of_a_command_are_shown_without_secrets():
    given = [
        "run",
        "a@b",
        "--base-url",
        "a:b@h:1",
        "--base-url=a:b@h",
        "--judge",
        "http://a@h/?k=S",
    ]
    shown = ["run", "a@b", "--base-url", "h:1", "--base-url=h", "--judge", "http://h/?k=…"]
    assert shown_arguments(given) == shown
    assert shown_arguments(["--key-from", "KEY@http://h:8"]) == ["--key-from", "KEY@http://h:8"]


def test_the_secrets_of_an_address_are_found_as_written_and_as_meant():
    found = set(secrets_in("https://ada:p%40w@host/x?key=S%2Fx&n=#end"))
    assert {"ada:p%40w", "ada:p@w", "p%40w", "p@w", "S%2Fx", "S/x", "end"} <= found


@pytest.mark.parametrize(
    "form",
    [
        KEY,
        quote(KEY, safe=""),
        quote(KEY, safe="").lower().replace("sk-zx8%2fqw", "sk-Zx8%2fQw"),
        "".join(f"%{ord(letter):02X}" for letter in KEY),
        "".join(f"\\u{ord(letter):04x}" for letter in KEY),
        KEY[:5] + "".join(f"\\u{ord(letter):04X}" for letter in KEY[5:]),
        json.dumps(KEY)[1:-1],
        KEY[:9],
        KEY[-9:],
        KEY[4:13],
    ],
)
def test_a_secret_is_hidden_in_each_spelling_whole_and_in_part(redact, form):
    hidden = redact(f"it is <{form}>.")
    assert "[key]" in hidden
    assert hidden.startswith("it is <")
    assert hidden.endswith(">.")
    assert KEY[4:12] not in hidden


@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "Bearer "])
@pytest.mark.parametrize("code", [b64encode, urlsafe_b64encode])
def test_a_secret_in_base64_is_hidden_at_each_offset(redact, before, code):
    coded = code(f"{before}{KEY}~~".encode()).decode()
    hidden = redact(coded)
    assert "[key]" in hidden
    assert len(hidden) < len(before) * 2 + 16


def test_a_secret_over_several_texts_is_hidden_in_each(redact):
    pieces = ["a ", KEY[:4], KEY[4:8], KEY[8:], "b"]
    assert redact.each(pieces) == ["a ", "[key]", "", "", "b"]


@pytest.mark.parametrize("text", ["", "no", "The key is wrong.", "100% \\ done", KEY[:7], "%zz\\"])
def test_other_texts_stay_as_they_are(redact, text):
    assert redact(text) == text


def test_a_short_secret_is_a_word_and_not_looked_for():
    assert not Redactor(["none", "", "EMPTY"])
    assert Redactor(["none"])("none") == "none"


@pytest.mark.parametrize("name", ["MY_KEY", "OPENAI_API_KEY", "key2", "_K"])
def test_a_name_of_a_variable_is_one(name):
    assert is_variable(name)


@pytest.mark.parametrize(
    "key",
    ["sk-abc", "AKIAIOSFODNN7EXAMPLE", "a" * 40, "", "1A", "ghp_16C7e42F292c6912E7710"],
)
def test_what_may_be_a_key_is_no_name_of_a_variable(key):
    assert not is_variable(key)
