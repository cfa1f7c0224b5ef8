"""Hostile text from a server, a judge, a trace or an argument never controls the terminal."""

import json
import os
import pty
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from subprocess import Popen
from threading import Thread

import pytest

from faultpair.env.plain_text import plain_lines

from ...hostile import FEW, HOSTILE, SURROGATES, in_toml

ATTACK = "\x1b]0;owned\x07\x1b[2J[red]\u202e<b>"
SHOWN = r"\x1b]0;owned\x07\x1b[2J[red]\u202e<b>"
CODES_OF_RICH = re.compile(rb"\x1b\[(\d|;)*m|\x1b\[\?25[lh]|\x1b\[\d?[AK]|\r")


def is_safe(done):
    return plain_lines(done.out + done.err) == done.out + done.err


@pytest.fixture
def rude_server():
    """A server that refuses each request with codes in its reason, its headers and its body."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps({"error": {"message": ATTACK}}).encode()
            head = f"HTTP/1.1 400 {ATTACK[:14]}\r\nServer: {ATTACK[:14]}\r\n"
            head += f"Content-Length: {len(body)}\r\nContent-Type: application/json\r\n\r\n"
            self.wfile.write(head.encode("latin-1") + body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def small_copy(small, tmp_path):
    """A folder of the small set with codes in each free text of its first planted run."""
    runs = json.loads(json.dumps(small.runs))
    run = next(run for run in runs if run["label"]["faulty"])
    run["goal"] = run["final_answer"] = run["label"]["edit"] = ATTACK
    for step in run["steps"]:
        step["thought"] = ATTACK
        step["call"]["args"] = {ATTACK: ATTACK}
    lines = "".join(f"{json.dumps(run)}\n" for run in runs)
    (tmp_path / "trajectories.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "instances.jsonl").write_bytes(small.folder.instances.read_bytes())
    return tmp_path, run["trajectory_id"]


def test_the_words_of_a_server_are_plain_text(faultpair, lab, rude_server):
    study = lab.study({f"id [red] {ATTACK[-4:]}": f'engine = "{rude_server}"\n'}).folder.file
    done = faultpair("run", study, "--max-calls", "3")
    assert r"\x1b]0;owned\x07\x1b[2J[red]\u202e<b>" in done.err
    assert is_safe(done)


def test_thoughts_arguments_goals_and_replies_are_plain_text(faultpair, small_copy):
    folder, run_id = small_copy
    done = faultpair("show", run_id, "--study", folder, width=400)
    assert done.code == 0
    assert done.out.count(SHOWN) >= 6
    assert is_safe(done)


def test_a_terminal_gets_no_codes_of_others(small_copy):
    folder, run_id = small_copy
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "faultpair", "show", run_id, "--study", folder]
    surroundings = os.environ | {"COLUMNS": "300", "TERM": "xterm"}
    with Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other end is closed
            pass
        os.close(ours)
    assert process.returncode == 0
    assert SHOWN.encode() in shown
    rest = CODES_OF_RICH.sub(b"", shown).decode()
    assert plain_lines(rest) == rest


COMMANDS = (
    lambda text: ("list", text),
    lambda text: ("list", "judges", "--domain", text),
    lambda text: ("run", text),
    lambda text: ("run", "study.toml", "--limit", text),
    lambda text: ("report", f"no/{text}"),
    lambda text: ("show", text, "--study", text),
    lambda text: ("check-fault", text),
    lambda text: ("check-domain", text),
    lambda text: ("models", "get", text),
    lambda text: ("judge", "--judge", text, "--out", text),
    lambda text: ("rebuild", "--study", text),
    lambda text: (text,),
    lambda text: (f"--{text}",),
)


def refused(faultpair, texts):
    for arguments in COMMANDS:
        for text in (text for text in texts if "\x00" not in text and not text.startswith("-")):
            done = faultpair(*arguments(text))
            assert done.code in (0, 2, 4), arguments(text)
            assert is_safe(done), arguments(text)


def test_an_argument_is_plain_text_in_a_refusal(faultpair):
    refused(faultpair, [*FEW[::12], ATTACK, SURROGATES[2]])


@pytest.mark.slow
def test_every_hostile_argument_is_plain_text_in_a_refusal(faultpair):
    refused(faultpair, [*HOSTILE, *SURROGATES][::2])


def test_names_in_a_study_file_are_plain_text_in_each_command(faultpair, tmp_path):
    judges = "".join(
        f'[[model_judges]]\nid = {in_toml(text)}\nengine = "scripted:clean"\nseed = {seed}\n'
        for seed, text in enumerate((text for text in FEW[::6] if text), start=1)
    )
    contrast = f"[[contrasts]]\nname = {in_toml(ATTACK)}\njudge = 'rules'\nagainst = 'x'\n"
    text = (
        f"title = {in_toml(ATTACK)}\ndomain = 'toy'\nseed = 1\nclean = 3\njudges = ['rules']\n"
        f"{judges}"
    )
    file = tmp_path / "study.toml"
    file.write_text(text, encoding="utf-8")
    for command in ("run", "report", "power"):
        done = faultpair(command, file)
        assert done.code == 0, done
        assert is_safe(done)
    file.write_text(text + contrast, encoding="utf-8")
    done = faultpair("report", file)
    assert done.code == 2
    assert is_safe(done)
