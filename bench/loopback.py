"""A model server for benchmarks: speaks just enough HTTP and OpenAI to answer at once.

It is a process of its own, so that it shares no interpreter with what is measured.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["serving"]

VERDICT = {"reasoning": "As ever.", "faulty": False, "failure_type": None, "confidence": 0.9}
ANSWER = json.dumps(
    {
        "choices": [{"message": {"content": json.dumps(VERDICT)}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 700, "completion_tokens": 30},
    }
).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


@contextmanager
def serving() -> Iterator[str]:
    """Yield the base URL of a server that lives as long as it is asked for."""
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        finally:
            server.kill()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while head := await _head(reader):
        length = next(
            (line for line in head.splitlines() if line.startswith(b"content-len")), b":0"
        )
        await reader.readexactly(int(length.partition(b":")[2]))
        writer.write(HEAD % len(ANSWER) + ANSWER)
    writer.close()


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        return (await reader.readuntil(b"\r\n\r\n")).lower()
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""


async def _serve() -> None:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
