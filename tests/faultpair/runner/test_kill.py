"""Runs that are killed, by every signal and with every kind of judge: nothing is lost or doubled.

A killed run is stopped first, so that what it was doing at that instant can be told: whether it
waited for answers, and whether a file was half written.
"""

import json
import os
import select
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic, sleep

import pytest

ROOT = Path(__file__).resolve().parents[3]
PARALLEL = 3
ANSWER_S = 0.008
N_KILLS = 25
"""Of each kind; a run in eight kinds is killed 200 times, and 3 times each in the short form."""
LEFT_S = 2.0
"""Seconds after the end of a run in which the last of its processes ends."""

SIGNALS = {
    "KILL": [signal.SIGKILL],
    "INT": [signal.SIGINT],
    "TERM": [signal.SIGTERM],
    "INT twice": [signal.SIGINT, signal.SIGINT],
    "HUP": [signal.SIGHUP],
    "QUIT": [signal.SIGQUIT],
}
IN_FLIGHT, WRITE_OPEN, ANY_TIME = "a request in flight", "a write open", "any time"
INSTANTS = (IN_FLIGHT, WRITE_OPEN, IN_FLIGHT, ANY_TIME, IN_FLIGHT)

DESK = """\
title = "Killed"
domain = "support_desk"
seed = 7
world = 2
judges = ["rules"]
"""
FAULTS = """\
clean = 6

[[faults]]
name = "wrong_tool"
count = 6

[[faults]]
name = "unsupported_claim"
variant = "four"
count = 6
"""
AGENT = """\

[agent]
engine = "openai:player"
episodes = 12
"""
PLANS = """\
title = "Killed"
domain = "workflow"
seed = 5
world = 2
clean = { fan_in = 6, linear = 4 }
tiers = ["easy", "hard"]
judges = ["flag-all"]

[[planners]]
id = "small"
engine = "scripted:slow-plan"

[[plan_judges]]
id = "grader"
engine = "scripted:slow"
"""
JUDGE = """\

[[model_judges]]
id = "slow"
engine = "{engine}"
samples = 2
repeats = 2
{more}

[[model_judges]]
id = "reply"
engine = "scripted:coin"
view = "goal-and-reply"
task = "judge-reply"

[[votes]]
id = "vote"
of = "slow"
k = 3

[[contrasts]]
name = "c"
judge = "slow"
against = "reply"
"""
EXTERNAL = """\
import json, sys, time

def judge(exhibit):
    with open("calls", "a") as calls:
        calls.write(".")
    time.sleep(DELAY)
    return {"faulty": len(exhibit["reply"]) % 2 == 0, "confidence": 0.9}

if __name__ == "__main__":
    for line in sys.stdin:
        exhibit = json.loads(line)
        number = {"n": exhibit["n"]} if sys.argv[1] == "numbered" else {}
        print(json.dumps(number | judge(exhibit)), flush=True)
""".replace("DELAY", str(ANSWER_S))

# Python starts once; each run is a process forked from it, so that two hundred take no hour.
# The time that an answer takes in the records is that of its request, so that those of two runs
# are equal.
NURSERY = """\
import os, resource, sys, time
import faultpair.cli.display.run_summary, faultpair.cli.run
import faultpair.calls.recorded_model, faultpair.runner.verdicts, faultpair.studies.append_log
import faultpair.engines.external.command, faultpair.engines.external.endpoint
import faultpair.engines.external.function, faultpair.engines.openai_compatible
from faultpair.cli import main
from faultpair.engines.scripted import SCRIPTS, _coin
from msgspec.structs import replace

delay = float(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
faultpair.studies.append_log.RENEWED_EVERY = 5
record_fields = faultpair.calls.client.record_fields
faultpair.calls.recorded_model.record_fields = (
    lambda *made: record_fields(*made) | {"latency_s": 0.25}
)
exchange_of = faultpair.runner.verdicts.exchange_of

def timeless(*made, **more):
    exchange = exchange_of(*made, **more)
    return replace(exchange, latency_s=int(exchange.request_hash[:4], 16) / 1e6)

faultpair.runner.verdicts.exchange_of = timeless

def slowly(script):
    def answer(request):
        with open("calls", "a") as calls:
            calls.write(".")
        time.sleep(delay)
        return script(request)
    return answer

SCRIPTS.add("slow", slowly(_coin))
SCRIPTS.add("slow-plan", slowly(lambda request: '[{"tool": "none", "args": {}}]'))
for line in sys.stdin:
    child = os.fork()
    if not child:
        os.dup2(os.open("said", os.O_CREAT | os.O_TRUNC | os.O_WRONLY), 1)
        os.dup2(1, 2)
        main(["run", *line.split()])
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds processes by /proc")


class Kind:
    """A kind of judge or of set: its study, and the further options of its command."""

    def __init__(self, study, *options):
        self.study, self.options = study, options

    @classmethod
    def judge(cls, engine, *options, more=""):
        return cls(DESK + FAULTS + JUDGE.format(engine=engine, more=more), *options)


BASE = ("--base-url", "{server}/v1")
PROGRAM = f"cmd:{sys.executable} external.py"
KINDS = {
    "http": Kind.judge("{server}/judge"),
    "openai": Kind.judge("openai:coin", *BASE),
    "python": Kind.judge("python:external:judge", more='folder = "."'),
    "cmd numbered": Kind.judge(f"{PROGRAM} numbered", more='folder = "."'),
    "cmd unnumbered": Kind.judge(f"{PROGRAM} plain", more='folder = "."'),
    "scripted": Kind.judge("scripted:slow"),
    "agent": Kind(
        DESK + AGENT + JUDGE.format(engine="openai:coin", more=""), *BASE, "-j", str(PARALLEL)
    ),
    "planner": Kind(PLANS),
}


class Server:
    """Answers on loopback as a judge and as a model, after a short time, and counts requests."""

    def __init__(self):
        self.numbers = count()
        self.n_calls = self.n_held = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.reply({"data": []})

            def do_POST(self):
                content = self.rfile.read(int(self.headers["Content-Length"]))
                server.n_calls = next(server.numbers) + 1
                sleep(ANSWER_S)
                self.reply(server.answer(json.loads(content)))

            def reply(self, answer):
                content = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                """Print nothing."""

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                """A run that was killed reads no answer."""

        self._http = Quiet(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    def answer(self, asked):
        if "messages" not in asked:
            return {"faulty": len(asked["reply"]) % 2 == 0, "confidence": 0.9}
        text = played(asked["messages"]) if asked["model"] == "player" else graded(asked)
        return {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}

    def close(self):
        self._http.shutdown()
        self._http.server_close()


def played(messages):
    """Return the next call of an agent: each always makes the same four."""
    calls = (
        ("get_policy", {"sku": "SKU-1"}),
        ("get_customer", {"email": "a@example.org"}),
        ("escalate", {"reason": "unclear"}),
        ("reply", {"text": "It is passed on."}),
    )
    tool, args = calls[sum(message["role"] == "assistant" for message in messages)]
    return json.dumps({"thought": "So.", "tool": tool, "args": args})


def graded(asked):
    """Return a verdict that follows from the prompt."""
    is_faulty = len(asked["messages"][-1]["content"]) % 2 == 0
    return json.dumps({
        "reasoning": "So.", "faulty": is_faulty, "failure_step": 0 if is_faulty else None,
        "failure_type": "wrong_tool" if is_faulty else None, "confidence": 0.9,
    })  # fmt: skip


@dataclass
class Killed:
    """How a run ended, and what it was doing when it was stopped."""

    code: int
    said: str
    is_in_flight: bool = False
    is_write_open: bool = False


class Laboratory:
    """A folder with a study, and a process from which its runs are forked."""

    def __init__(self, folder, kind, server):
        self.folder, self._server = folder, server
        self.n_needed = 0  # calls of an unbroken run
        self._options = " ".join(kind.options).format(server=server.address)
        (folder / "external.py").write_text(EXTERNAL)
        (folder / "study.toml").write_text(kind.study.replace("{server}", server.address))
        paths = os.pathsep.join([str(ROOT), str(folder)])
        self._parent = subprocess.Popen(
            [sys.executable, "-c", NURSERY, str(ANSWER_S)], cwd=folder,
            env=os.environ | {"PYTHONPATH": paths, "OPENAI_API_KEY": "none", "TMPDIR": str(folder)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        )  # fmt: skip

    @property
    def n_calls(self):
        calls = self.folder / "calls"
        return self._server.n_calls + (calls.stat().st_size if calls.exists() else 0)

    def run(self, out, *, j=PARALLEL):
        """Run the study to its end."""
        child = self._started(out, j)
        return self._ended(child)

    def kill(self, out, signals, instant, random):
        """Start a run, stop it at an instant, and send it signals."""
        out_folder = self.folder / out
        n_calls, n_kept = self.n_calls, n_answers(out_folder)
        child = self._started(out, PARALLEL)
        n_left = max(1, self.n_needed - n_kept)
        self._wait_for(instant, out_folder, n_calls + random.randint(1, min(12, n_left)), random)
        send(child, signal.SIGSTOP)
        wait_until(lambda: state_of(child) in "TZX", 5)
        is_stopped = state_of(child) == "T"
        n_open = self.n_calls - n_calls - (n_answers(out_folder) - n_kept)
        is_write_open = is_stopped and has_open_write(out_folder)
        for n_sent, number in enumerate(signals):
            send(child, number)
            send(child, signal.SIGCONT)
            if n_sent < len(signals) - 1 and self._has_ended(random.uniform(0.0, 0.03)):
                break
        ended = self._ended(child)
        ended.is_in_flight, ended.is_write_open = is_stopped and n_open > 0, is_write_open
        return ended

    def _wait_for(self, instant, folder, wanted, random):
        """Wait until a run is at an instant, or has ended."""
        if instant == ANY_TIME:
            self._has_ended(random.uniform(0.0, 0.5))
            return
        while self.n_calls < wanted and not self._has_ended(0.0005):
            pass
        if instant == IN_FLIGHT:
            self._has_ended(random.uniform(0.0, ANSWER_S / 2))
            return
        until = monotonic() + 0.05
        while not has_open_write(folder) and monotonic() < until:
            pass

    def _has_ended(self, seconds):
        """Wait for the end of a run for a time."""
        return bool(select.select([self._parent.stdout], [], [], seconds)[0])

    def _started(self, out, j):
        self._parent.stdin.write(f"study.toml --out {out} -j {j} {self._options}\n".encode())
        return int(self._parent.stdout.readline())

    def _ended(self, child):
        code = int(self._parent.stdout.readline())
        return Killed(code, (self.folder / "said").read_text())

    def is_gone(self):
        """Return whether nothing runs any more; a process that forks may be missed once."""
        return not self.left_behind() and not self.left_behind()

    def left_behind(self):
        """Return the command lines of the processes that run in this folder or know of it."""
        apart = {os.getpid(), self._parent.pid}
        return [line for line in marked(os.fsencode(self.folder), apart) if line]

    def close(self):
        self._parent.stdin.close()
        self._parent.wait()
        self._parent.stdout.close()


def marked(mark, apart):
    """Yield the command line of each process whose files in /proc hold a mark."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) in apart:
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            known = command + os.fsencode((entry / "cwd").readlink())
            known += (entry / "environ").read_bytes()
        except OSError:  # it has ended, or its environment is its own: a supervisor names a folder
            known = command = _command_of(entry)
        if mark in known:
            yield command.decode(errors="replace").replace("\0", " ") or entry.name


def _command_of(entry):
    try:
        return (entry / "cmdline").read_bytes()
    except OSError:
        return b""


def send(pid, number):
    """Send a signal to a run, which may have ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def state_of(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def wait_until(condition, seconds):
    until = monotonic() + seconds
    while not condition():
        if monotonic() > until:
            return False
        sleep(0.005)
    return True


def has_open_write(folder):
    """Return whether a file is not complete, or a line of a log is torn."""
    try:
        if any(file.suffix == ".partial" for file in folder.iterdir()):
            return True
    except OSError:
        return False
    return any(
        (folder / log).exists() and (folder / log).read_bytes()[-1:] not in (b"", b"\n")
        for log in LOGS
    )


LOGS = ("replies.jsonl", "turns.jsonl")
KEY = ("trajectory_id", "judge_id", "sample", "repeat")


def whole_lines(path):
    """Return the whole lines of a file; a kill may leave a torn one."""
    if not path.exists():
        return []
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def n_answers(folder):
    return sum(len(whole_lines(folder / log)) for log in LOGS)


def answers(folder):
    """Return the answers that are kept, in an order of their own, without numbers of processes."""
    kept = []
    for log in LOGS:
        for line in whole_lines(folder / log):
            record = json.loads(line)
            record.pop("process", None)
            kept.append(json.dumps(record, sort_keys=True))
    return sorted(kept)


def check_kept(folder, before):
    """Hold what a kill left to what was kept before, and return what is kept now."""
    kept = {log: whole_lines(folder / log) for log in LOGS}
    for log in LOGS:
        assert kept[log][: len(before.get(log, ()))] == before.get(log, []), "an answer was lost"
    replies = [json.loads(line) for line in kept["replies.jsonl"]]
    turns = [json.loads(line) for line in kept["turns.jsonl"]]
    assert all(one["error"] is None for one in replies + turns)
    keys = {tuple(one[part] for part in KEY) for one in replies}
    keys |= {(one["trajectory_id"], one["index"]) for one in turns}
    assert len(keys) == len(replies) + len(turns), "an answer is kept twice"
    return kept


def records_of(folder):
    """Return what two runs have in common: all their files without the order of answers."""
    files = {
        file.name: file.read_bytes() for file in folder.glob("*.jsonl") if file.name not in LOGS
    }
    manifest = json.loads((folder / "manifest.json").read_bytes())
    del manifest["sealed_logs"], manifest["digest"]
    manifest["sha256"].pop("turns.jsonl", None)
    manifest.pop("generated", None)
    return files | {"manifest.json": manifest, "answers": answers(folder)}


def tables_of(folder, faultpair):
    done = faultpair("rebuild", "--results", folder.parent, "--study", folder.name, "--no-figures")
    assert done.code == 0, done
    files = [file for file in folder.rglob("*") if file.parent.name == "tables"]
    files += [folder / "numbers.json", folder / "macros.tex"]
    return {file.name: file.read_bytes() for file in files if file.exists()}


def check_readers(laboratory, out, faultpair):
    """Let each command that reads records read what a kill left."""
    folder, study = laboratory.folder / out, laboratory.folder / "study.toml"
    if not (folder / "manifest.json").exists():
        return
    before = {file: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    runs = folder / "trajectories.jsonl"
    commands = [("report", study, "--out", folder), ("verify", study, "--out", folder)]
    if runs.exists():
        labels = {run["trajectory_id"]: run["label"] for run in map(json.loads, whole_lines(runs))}
        planted = [name for name, label in labels.items() if label["parent_id"] in labels]
        commands += [("show", name, "--study", folder) for name in planted[:1]]
        instances = folder / "instances.jsonl"
        commands.append(("replay", "--trajectories", runs, "--instances", instances))
    for command in commands:
        done = faultpair(*command)
        said = f"{command}\n{done.code}\n{done.out}\n{done.err}"
        if command[0] == "verify":
            assert done.code in (0, 3), said  # 3: a part is not there yet
            assert "DIFFERS" not in done.out, said
        else:
            assert done.code == 0 or any(words in done.err for words in UNMADE), said
    assert before == {file: file.read_bytes() for file in folder.iterdir() if file.is_file()}


UNMADE = ("no verdicts.jsonl", "no trajectories.jsonl")


@pytest.fixture
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, where a program of a judge is found by its name."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check_kills(kind, n_kills, folder, server, faultpair):
    """Kill runs of a kind; return how many there were, and how many in a request or a write."""
    laboratory = Laboratory(folder, KINDS[kind], server)
    try:
        return _check_kills(laboratory, kind, n_kills, faultpair)
    finally:
        laboratory.close()


def _check_kills(laboratory, kind, n_kills, faultpair):
    whole = laboratory.run("whole/study")
    assert whole.code == 0, whole.said
    root = laboratory.folder
    expected = records_of(root / "whole" / "study")
    tables = tables_of(root / "whole" / "study", faultpair)
    n_requests, laboratory.n_needed = n_answers(root / "whole" / "study"), laboratory.n_calls
    first_signal = list(KINDS).index(kind)
    random, rounds, kept, ended = Random(20 + first_signal), count(), {}, []
    out = f"broken-{next(rounds)}/study"

    def finish():
        done = laboratory.run(out)
        assert done.code == 0, done.said
        found = records_of(root / out)
        assert found.keys() == expected.keys()
        assert [name for name in found if found[name] != expected[name]] == []
        assert not list((root / out).glob("*.partial"))
        assert tables_of(root / out, faultpair) == tables

    for number in range(10 * n_kills):
        if len(ended) == n_kills:
            break
        name, signals = list(SIGNALS.items())[(first_signal + len(ended)) % len(SIGNALS)]
        done = laboratory.kill(out, signals, INSTANTS[number % len(INSTANTS)], random)
        case = (name, done.code, done.said)
        assert "Traceback" not in done.said, case
        # A Ctrl-C after the last line of the command ends the interpreter, as it ends any.
        is_stopped = done.code == 3 and signals[0] == signal.SIGINT
        assert is_stopped or done.code in (0, -signals[0]), case
        assert wait_until(laboratory.is_gone, LEFT_S), (case, laboratory.left_behind())
        kept = check_kept(root / out, kept)
        if done.code:
            ended.append(done)
            if len(ended) % 3 == 1:
                check_readers(laboratory, out, faultpair)
        if done.code == 0 or n_answers(root / out) == n_requests:
            finish()
            out, kept = f"broken-{next(rounds)}/study", {}
    finish()
    n_rounds = next(rounds)
    most = laboratory.n_needed * (n_rounds + 1) + len(ended) * PARALLEL
    assert laboratory.n_calls <= most, "more was asked again than was in flight"
    return len(ended), sum(one.is_in_flight or one.is_write_open for one in ended)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_is_killed_three_times_ends_as_one_that_is_not(kind, folder, server, faultpair):
    n_killed, n_open = check_kills(kind, 3, folder, server, faultpair)
    assert n_killed == 3
    assert n_open >= 1


@pytest.mark.extra
@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_kills_of_all_kinds_lose_and_double_nothing(kind, folder, server, faultpair):
    """The kinds share 200 kills, of which at least 152 are in mid-request or in mid-write."""
    n_killed, n_open = check_kills(kind, N_KILLS, folder, server, faultpair)
    assert n_killed == N_KILLS
    assert n_open >= 19
