"""No secret on disk or on the screen: a server that repeats what it was sent, in every failure.

Each run is a process of its own on a terminal. Eight characters of a secret in a row are a leak, as
they are, percent-encoded or in base64.
"""

import json
import os
import pty
import subprocess
import sys
import threading
from base64 import b64encode
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest

from faultpair.calls.client import RetryPolicy

ROOT = Path(__file__).resolve().parents[3]
KEY = "sk-Zx8/Qw+3JvKd90LmPnYt77=Rb5Gh"
QUERY = "Qm4Tz9WsXe2RfVy6UhNj"
USER = "Hb7YgVtFcRdXeSz1AwQ3"
PASSWORD = "Pp0LoKi9Uj8HyGt7FrDe"
SECRETS = (KEY, QUERY, USER, PASSWORD)

IMPATIENT = """\
import sys
from faultpair.calls.client import RetryPolicy
RetryPolicy.pause_after = lambda self, attempt: 0.001
from faultpair.cli.app import main
main(sys.argv[1:])
"""

STUDY = """\
title = "A server that repeats"
domain = "support_desk"
seed = 7
clean = 2
"""

STATUSES = {
    "bad-request": "400 Bad Request",
    "unauthorized": "401 Unauthorized",
    "forbidden": "403 Forbidden",
    "busy": "429 Too Many Requests",
    "failed": "500 Internal Server Error",
    "over": "503 Service Unavailable",
}
ANSWERS = ("answer", "answer-percent", "answer-base64", "answer-escaped", "answer-pieces")
OTHERS = (
    "reason", "location", "type", "coding", "cut-body", "no-json", "shape", "cut-quote",
    "cut-bytes", "middle", "cookie", "nothing", "header",
)  # fmt: skip
KINDS = (*STATUSES, *ANSWERS, *OTHERS)


def broken(kind, said):
    """Return status, body and headers of an answer that is none."""
    key = [*said.split(), "", ""][1]
    place = f"http://{quote(key, safe='')}@h/?{said}"
    return {
        "reason": (f"400 {said}", {}),
        "location": ("302 Found", {}, {"Location": place}),
        "type": ("200 OK", {}, {"Content-Type": f"text/{said.replace(' ', '-')}"}),
        "coding": ("200 OK", {}, {"Content-Encoding": said}),
        "cut-body": ("200 OK", f'{{"choices": "{said}'.encode()),
        "no-json": ("200 OK", said.encode()),
        "shape": ("200 OK", {"choices": said, "message": said, "error": said}),
        "cut-quote": ("400 Bad", ("x " * 140 + said).encode()),
        "cut-bytes": ("400 Bad", b"\xff" * 1186 + said.encode()),
        "middle": ("401 No", {"error": f"the key {key[3:15]}… is unknown, {key[-10:]} too"}),
    }[kind]


class Repeating(BaseHTTPRequestHandler):
    """Answers with what it was sent, in the way that the last part of the name asks for."""

    def log_message(self, *args):
        """Say nothing."""

    def do_GET(self):
        self.server.heads.append((self.path, self.headers))
        models = [{"model": f"{kind}:latest", "digest": "sha256:0"} for kind in KINDS]
        path = self.path.partition("?")[0]
        body = {"/api/tags": {"models": models}, "/api/version": {"version": self.said()}}
        self.send("200 OK", body.get(path, {"data": []}), {"Server": self.said()})

    def do_POST(self):
        self.server.heads.append((self.path, self.headers))
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = self.path.partition("?")[0]
        if path == "/api/show":
            self.send("200 OK", {"model_info": {}})
            return
        self.answer(path.rpartition("/")[2] if path.startswith("/j/") else sent["model"])

    def said(self):
        """What it was sent, on one line."""
        return f"{self.headers.get('Authorization')} {self.path}"

    def answer(self, kind):
        said = self.said()
        key = said.split()[1] if said.startswith(("Bearer", "Basic")) else said
        if kind in STATUSES:
            self.send(STATUSES[kind], {"error": {"message": f"no: {said}", "detail": said}})
        elif kind == "answer":
            self.reply(said, finish=said, **{said: said})
        elif kind == "answer-percent":
            everything = "".join(f"%{ord(letter):02x}" for letter in key)
            self.reply(f"{quote(said, safe='')} {everything}")
        elif kind == "answer-base64":
            coded = [b64encode(("x" * n + said).encode()).decode() for n in range(3)]
            self.reply(" ".join((*coded, b64encode(key.encode()).decode())))
        elif kind == "answer-escaped":
            self.reply("".join(f"\\u{ord(letter):04x}" for letter in said))
        elif kind == "answer-pieces":
            self.reply(" / ".join(key[n : n + 9] for n in range(0, len(key), 9)))
        elif kind == "header":
            self.reply("none", headers={"Server": said, "X-Said": said})
        elif kind == "cookie":
            self.reply("none", headers={"Set-Cookie": f"who={quote(key)}; Path=/"})
        elif kind != "nothing":
            self.send(*broken(kind, said))

    def reply(self, text, *, finish="stop", headers=None, **more):
        verdict = {"reasoning": text, "rationale": text, "faulty": True, **more}
        pieces = [text[n : n + 3] for n in range(0, len(text), 3)]
        tokens = [
            {"token": piece, "logprob": -0.5, "top_logprobs": [{"token": text, "logprob": -1.0}]}
            for piece in (*pieces, '"faulty": ', "true")
        ]
        content = json.dumps(verdict)
        if "\\u" in text:  # which the server itself does not escape
            content = content.replace("\\\\u", "\\u")
        body = verdict if self.path.startswith("/j/") else {
            "choices": [
                {
                    "message": {"content": content},
                    "finish_reason": finish,
                    "logprobs": {"content": tokens},
                }
            ],
            "model": text,
            "system_fingerprint": text,
            "message": {"role": "assistant", "content": content},
            "done_reason": finish,
            "logprobs": tokens,
        }  # fmt: skip
        self.send("200 OK", body, headers)

    def send(self, status, body, headers=None):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        fields = {"Content-Type": "application/json", "Content-Length": len(body)}
        fields |= headers or {}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.wfile.write(f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body)
        self.close_connection = True


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Repeating) as server:
        server.heads = []
        server.place = f"127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def on_a_terminal(tmp_path):
    """Return a function that runs the command on a terminal, and returns code and output."""

    def run(*arguments, **environment):
        surroundings = {
            name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")
        } | {"PYTHONPATH": str(ROOT), "MY_KEY": KEY, **environment}
        ours, theirs = pty.openpty()
        command = [sys.executable, "-c", IMPATIENT, *map(str, arguments)]
        done = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings, cwd=tmp_path
        )
        os.close(theirs)
        output = b""
        with suppress(OSError):  # which ends the output of a terminal
            while piece := os.read(ours, 65_536):
                output += piece
        os.close(ours)
        return done.wait(), output

    return run


def leaks_in(data: bytes) -> set[str]:
    """Return the pieces of secrets in some bytes, with what joins wrapped lines left out."""
    text = data.decode("utf-8", "replace")
    texts = (text, "".join(text.split()))
    return {piece for piece in _traces() if any(piece in each for each in texts)}


def _traces():
    for secret in (*SECRETS, f"Bearer {KEY}", f"{USER}:{PASSWORD}"):
        for start in range(len(secret) - 7):
            piece = secret[start : start + 8]
            if piece not in "Bearer sk-":
                yield piece
                yield quote(piece, safe="")
                yield "".join(f"%{ord(letter):02x}" for letter in piece)
        for offset in range(3):
            coded = b64encode(b"x" * offset + secret.encode()).decode().rstrip("=")
            coded = coded[4:-2] if not secret.startswith("Bearer") else coded[14:-2]
            yield from (coded[start : start + 10] for start in range(len(coded) - 9))


def leaks_below(folder: Path) -> set[str]:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "study.toml"]
    assert {"manifest.json", "replies.jsonl", "verdicts.jsonl"} <= {path.name for path in files}
    return {f"{path.name}: {leak}" for path in files for leak in leaks_in(path.read_bytes())}


def lines_of(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def study_of(folder: Path, judges: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "study.toml").write_text(STUDY + judges, encoding="utf-8")
    return folder


def engines(kind: str, server) -> dict[str, str]:
    if kind == "endpoint":
        return {each: f"http://{server.place}/j/{each}?key={QUERY}" for each in KINDS}
    return {each: f"{kind}:{each}" for each in KINDS}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["endpoint", "openai", "ollama"])
def test_what_a_server_repeats_is_neither_kept_nor_shown(kind, server, tmp_path, on_a_terminal):
    judges = "".join(
        f'[[model_judges]]\nid = "{name}"\nengine = "{engine}"\nkey_from = "MY_KEY"\n'
        for name, engine in engines(kind, server).items()
    )
    folder = study_of(tmp_path / "s", judges)
    options = [] if kind == "endpoint" else ["--base-url", f"http://{server.place}"]
    code, shown = on_a_terminal("run", folder, "-j", 1, *options)
    assert code in (3, 4), shown.decode()
    asked = {line["judge_id"] for line in lines_of(folder / "replies.jsonl")}
    assert asked == set(KINDS)
    assert all(headers["Authorization"] == f"Bearer {KEY}" for _, headers in server.heads)
    assert not any("Cookie" in headers for _, headers in server.heads)
    assert leaks_in(shown) == set()
    assert leaks_below(folder) == set()
    assert b"[key]" in (folder / "replies.jsonl").read_bytes()
    for command in (["run", folder, "--dry-run", *options], ["report", folder]):
        assert leaks_in(on_a_terminal(*command)[1]) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    "form", ["http://{place}/j/{{}}?key={query}#{query}", "http://{user}@{place}/j/{{}}",
             "http://{user}:{password}@{place}/j/{{}}?a=1&key={query}"],
)  # fmt: skip
def test_a_judge_is_named_by_its_address_without_secrets(form, server, tmp_path, on_a_terminal):
    address = form.format(place=server.place, query=QUERY, user=USER, password=PASSWORD)
    folder = study_of(tmp_path / "s", "")
    judges = [address.format(kind) for kind in ("answer", "answer-base64", "unauthorized")]
    options = [option for judge in judges for option in ("--judge", judge)]
    _, shown = on_a_terminal("run", folder, "-j", 1, *options, f"--only={judges[0]}")
    assert leaks_in(shown) == set()
    _, shown = on_a_terminal("run", folder, "-j", 1, *options)
    assert b"To send them again" in shown
    assert leaks_in(shown) == set()
    assert leaks_below(folder) == set()
    kept = {line["judge_id"] for line in lines_of(folder / "verdicts.jsonl")}
    assert len(kept) == 3
    assert all(name.startswith(f"http://{server.place}/j/") for name in kept)
    n_asked = len(server.heads)
    other = [option.replace(QUERY, "another-secret") for option in options[:2]]
    on_a_terminal("run", folder, *other)
    assert len(server.heads) == n_asked


@pytest.mark.parametrize(
    ("engine", "options", "environment"),
    [
        ("openai:unauthorized", ["--base-url", "http://{user}:{password}@{place}?k={query}"], {}),
        ("openai:unauthorized", [], {"OPENAI_BASE_URL": "http://{user}:{password}@{place}/v1"}),
        ("ollama:unauthorized", ["--base-url={user}:{password}@{place}"], {}),
        ("ollama:unauthorized", [], {"OLLAMA_HOST": "http://{user}:{password}@{place}"}),
        ("ollama:absent", [], {"OLLAMA_HOST": "{user}:{password}@{place}"}),
        ("openai:m", ["--base-url", "ftp://{user}:{password}@{place}"], {}),
        ("openai:m", ["--base-url", "http://{user}:{password}@{place}:port"], {}),
        ("openai:m", ["--base-url", "http://{user}:x/{password}@{place}"], {}),
        ("ollama:m", [], {"OLLAMA_HOST": "ftp://{user}:{password}@{place}"}),
        ("ftp://{user}:{password}@{place}", [], {}),
        ("http://{user}:{password}@{place}:port/", [], {}),
        ("http://{user}:x/{password}@{place}", [], {}),
        ("http://h.invalid/", [], {"HTTP_PROXY": "xyz://{user}:{password}@127.0.0.1:1"}),
        ("http://h.invalid/", ["--max-calls=1"], {"HTTP_PROXY": "http://{user}:{password}@h:x"}),
        ("openai:m", ["--key-from", KEY], {}),
        ("openai:m", ["--key-from", f"MY_KEY@{USER}:{PASSWORD}@h"], {}),
    ],
)  # fmt: skip
def test_a_message_shows_no_secret_of_an_address(
    engine, options, environment, server, tmp_path, monkeypatch, faultpair
):
    def filled(text):
        return text.format(place=server.place, query=QUERY, user=USER, password=PASSWORD)

    for name, value in {"OPENAI_API_KEY": KEY, "MY_KEY": KEY, **environment}.items():
        monkeypatch.setenv(name, filled(value))
    monkeypatch.setattr(RetryPolicy, "pause_after", lambda self, attempt: 0.001)
    folder = study_of(tmp_path / "s", "")
    code, out, err = faultpair(
        "run", folder, "--judge", filled(engine), *map(filled, options), "-j", 1
    )
    assert code in (0, 2, 3, 4)
    assert err
    assert leaks_in(f"{out} {err}".encode()) == set()
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert not any(leaks_in(path.read_bytes()) for path in files)
