#!/usr/bin/env python3
"""An application that dials in to a web server by LRWP, the Long Running Web Process protocol.

The web server needs no configuration for it: the application connects, registers the path that it
serves, and answers requests until it leaves. This file needs Python 3.11 or later and nothing else.

    from lrwp_peer import Peer, Request, Response

    def hello(request: Request) -> Response:
        return Response.text("Hello")

    with Peer(("127.0.0.1", 1081), {"hello": hello}, connections=4) as peer:
        peer.join()

Or as a program, with one of two samples:

    python3 lrwp_peer.py --agent 127.0.0.1:1081 --name hello --connections 4 hello

Each connection is one thread and serves one request at a time, so the number of connections is the
number of requests in progress. A lost connection is opened again after a pause that grows. Handlers
are called by several threads at the same time.
"""

from __future__ import annotations

import argparse
import dataclasses
import io
import logging
import random
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import BinaryIO, Final

LOG: Final = logging.getLogger("lrwp_peer")

DIGITS: Final = 9
MARK: Final = b"\xff"
CHALLENGE_BYTES: Final = 32
# A longer environment shows that the agent is out of step.
ENVIRONMENT_SKIPPED_MAX_BYTES: Final = 16 << 20
PART_MAX_BYTES: Final = 200
ANSWER_MAX_BYTES: Final = 1024

# The agent takes 100 fields and 32 KiB, with the status and the empty line.
FIELDS_MAX: Final = 99
FIELDS_MAX_CHARS: Final = (32 << 10) - 64
# The agent sets these fields itself.
REFUSED_FIELDS: Final = frozenset(
    ("content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "trailer", "status")
)
REASONS: Final[Mapping[int, str]] = {
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 301: "Moved Permanently",
    302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 409: "Conflict", 413: "Content Too Large",
    429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
}  # fmt: skip


class Refused(Exception):
    """The agent refused the registration. The text is the agent's."""


class OutOfStep(Exception):
    """The agent sent something that is not LRWP, or closed within a request."""


class BodyTooLarge(Exception):
    """A body is larger than the peer holds in memory. If a handler lets it pass: 413."""


@dataclasses.dataclass(frozen=True)
class Limits:
    """The limits of a peer. Sizes are bytes, times are seconds."""

    environment_max_bytes: int = 1 << 20  # as much as the agent of Serval sends
    body_memory_max_bytes: int = 1 << 20
    connect_timeout: float = 5.0
    handshake_timeout: float = 10.0
    read_timeout: float = 60.0
    retry_min: float = 0.1
    refused_min: float = 2.0
    retry_max: float = 30.0
    stable_after: float = 10.0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if getattr(self, field.name) <= 0:
                raise ValueError(f"{field.name} is {getattr(self, field.name)}: it must be above 0")


class Request:
    """One request of a client. All values come from the client: check them."""

    def __init__(self, name: str, environment: bytes, body_bytes: int, body: BinaryIO, in_memory: bool):
        self.name: Final = name
        self.body_bytes: Final = body_bytes
        self.body: Final = body
        self.is_in_memory: Final = in_memory
        self._variables: dict[str, str] = {}
        for entry in environment.split(b"\0"):
            key, equals, value = entry.partition(b"=")
            if equals and key:
                self._variables.setdefault(key.decode(errors="replace"), value.decode(errors="replace"))

    @property
    def method(self) -> str:
        return self.variable("REQUEST_METHOD")

    @property
    def path_after_name(self) -> str:
        """The decoded path after the registered name, such as /x."""
        return self.variable("PATH_INFO")

    @property
    def query(self) -> str:
        """The query as the client encoded it, without the question mark."""
        return self.variable("QUERY_STRING")

    @property
    def content_type(self) -> str:
        return self.variable("CONTENT_TYPE")

    @property
    def variables(self) -> Mapping[str, str]:
        return self._variables

    def variable(self, name: str, otherwise: str = "") -> str:
        return self._variables.get(name, otherwise)

    def header(self, field: str) -> str | None:
        """A field of the client's head, whatever its case, or None."""
        return self._variables.get("HTTP_" + field.upper().replace("-", "_"))

    def bytes(self) -> bytes:
        """The whole body. Raises BodyTooLarge if it is not in memory; then read body instead."""
        if not self.is_in_memory:
            raise BodyTooLarge(f"the body has {self.body_bytes} bytes")
        data = self.body.read()
        self.body.seek(0)
        return data


class Response:
    """An answer: status, fields, and a body in memory or as pieces of a known total size."""

    def __init__(self, status: int, content_type: str, body: bytes = b"") -> None:
        if not 200 <= status <= 599:
            raise ValueError(f"status {status}: it must be from 200 to 599")
        self.status: Final = status
        self._fields: list[str] = []
        self.body: Final = body
        if content_type:
            self.add("Content-Type", content_type)

    @staticmethod
    def text(text: str, status: int = 200) -> Response:
        return Response(status, "text/plain; charset=utf-8", text.encode())

    @staticmethod
    def html(html: str, status: int = 200) -> Response:
        """HTML. The caller escapes what comes from outside, by html.escape."""
        return Response(status, "text/html; charset=utf-8", html.encode())

    def add(self, name: str, value: str) -> Response:
        """Adds a field and returns this answer. Raises ValueError for what HTTP does not allow, and
        for more than the agent takes."""
        if not re.fullmatch(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+", name):
            raise ValueError(f"{name!r} is not a field name")
        if name.lower() in REFUSED_FIELDS:
            raise ValueError(f"the agent sets {name}: leave it out")
        if any((ord(c) < 32 and c != "\t") or ord(c) == 127 or ord(c) > 255 for c in value):
            raise ValueError(f"the value of {name} has a character that a field value cannot have")
        field = f"{name}: {value}\r\n"
        if len(self._fields) == FIELDS_MAX:
            raise ValueError(f"an answer has at most {FIELDS_MAX} fields")
        if sum(map(len, self._fields)) + len(field) > FIELDS_MAX_CHARS:
            raise ValueError(f"the fields of an answer have at most {FIELDS_MAX_CHARS} characters")
        self._fields.append(field)
        return self

    def encode(self) -> bytes:
        """The digits, the head and the body, to be sent by one call."""
        head = ""
        located = any(field.lower().startswith("location:") for field in self._fields)
        if self.status != 200 or not self._fields or located:  # a Location alone means 302
            head = f"Status: {self.status} {REASONS.get(self.status, 'Status')}\r\n"
        output = (head + "".join(self._fields) + "\r\n").encode("latin-1")
        return b"%09d" % (len(output) + len(self.body)) + output + self.body


Handler = Callable[[Request], Response]


def startup(name: str, host: str, passphrase: bytes | None) -> bytes:
    """The bytes that register: LRWP 2.0 with a passphrase, else 1.0."""
    name = name.removeprefix("/") or name  # "/" serves each path
    for what, part, lowest in (("name", name, " "), ("host", host, "!")):
        if len(part.encode()) > PART_MAX_BYTES:
            raise ValueError(f"the {what} has more than {PART_MAX_BYTES} bytes")
        if any(c < lowest or c == "\x7f" for c in part):
            raise ValueError(f"the {what} has a character that cannot be registered")
    if not name:
        raise ValueError("the name is empty: give the first part of the path, such as hello, or /")
    if passphrase is not None and not passphrase:
        raise ValueError("the passphrase is empty")
    version = b"" if passphrase is None else MARK + b"2.0" + MARK
    return version + name.encode() + MARK + host.encode() + MARK


def answer_challenge(challenge: bytes, passphrase: bytes) -> bytes:
    """Nine digits, and the challenge combined with the passphrase by exclusive or."""
    mixed = bytes(c ^ passphrase[i % len(passphrase)] for i, c in enumerate(challenge))
    return b"%09d" % len(challenge) + mixed


def length(digits: bytes, what: str) -> int:
    """The value of nine digits."""
    if len(digits) != DIGITS or not all(48 <= d <= 57 for d in digits):
        raise OutOfStep(f"{digits!r} as the length of the {what}: nine digits belong there")
    return int(digits)


def _keep_alive(opened: socket.socket) -> None:
    """Finds within two minutes that the agent's machine has vanished, or that a firewall has
    forgotten the connection. By itself the system would look after two hours."""
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 6)):
        if hasattr(socket, name):  # not on every system
            opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def printable(text: bytes) -> str:
    """Text of the agent for the log, without control characters."""
    return "".join(chr(b) if 32 <= b < 127 else "." for b in text[:200]).strip()


class _Body(io.RawIOBase):
    """A body of a known size that is read as it arrives."""

    def __init__(self, source: BinaryIO, size: int) -> None:
        super().__init__()
        self._source = source
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._left == 0:
            return 0
        piece = self._source.read(min(len(buffer), self._left))
        if not piece:
            raise OutOfStep("the agent closed within a body")
        buffer[: len(piece)] = piece
        self._left -= len(piece)
        return len(piece)


class _Connection:
    """One connection with all its attempts: connect, register, serve, pause, again. One thread."""

    def __init__(self, peer: Peer, name: str, handler: Handler) -> None:
        self._peer = peer
        self._name = name
        self._handler = handler
        self._startup = startup(name, peer.host, peer.passphrase)
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._busy = False
        self._failures = 0
        self._served = 0
        self.thread = threading.Thread(target=self._run, name=f"lrwp-{name}", daemon=True)

    def leave(self) -> None:
        """Closes an idle connection; a busy one closes after its answer."""
        with self._lock:
            if not self._busy:
                self._shut()

    def abort(self) -> None:
        with self._lock:
            self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed already

    def _run(self) -> None:
        while not self._peer.is_leaving:
            refused = self._attempt()
            self._peer.pause(self._next_pause(refused))

    def _next_pause(self, refused: bool) -> float:
        limits = self._peer.limits
        first = limits.refused_min if refused else limits.retry_min
        bound = min(first * 2.0 ** min(self._failures, 30), limits.retry_max)
        self._failures += 1
        return bound * self._peer.random.uniform(0.5, 1.0)

    def _attempt(self) -> bool:
        """Connects, registers and serves until the end. Returns whether it was refused."""
        start = time.monotonic()
        registered = False
        self._served = 0
        try:
            with socket.create_connection(self._peer.agent, self._peer.limits.connect_timeout) as opened:
                opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                _keep_alive(opened)
                with self._lock:
                    self._socket = opened
                    self._busy = False
                if self._peer.is_leaving:
                    return False
                with opened.makefile("rb", buffering=16 << 10) as source:
                    self._register(opened, source)
                    registered = True
                    self._peer.registered(self._name)
                    self._serve(opened, source)
                self._peer.problem(self._name, "the agent closed the connection")
        except Refused as e:
            self._peer.refused(self._name, str(e))
            return True
        except (OSError, OutOfStep) as e:
            self._peer.problem(self._name, str(e) or type(e).__name__)
        except BaseException as e:  # only this thread connects again, so nothing may end it
            LOG.exception("A request of %s could not be served", self._name)
            self._peer.problem(self._name, type(e).__name__)
        finally:
            with self._lock:
                self._socket = None
            if registered:
                self._peer.closed()
                if self._served or time.monotonic() - start > self._peer.limits.stable_after:
                    self._failures = 0
        return False

    def _register(self, opened: socket.socket, source: BinaryIO) -> None:
        opened.settimeout(self._peer.limits.handshake_timeout)
        opened.sendall(self._startup)
        if self._peer.passphrase is None:
            self._expect_ok(source, b"")
            return
        word = self._word(source)
        if word == b"CHALLENGE":
            if length(source.read(DIGITS), "challenge") != CHALLENGE_BYTES:
                raise Refused("a challenge of a form that LRWP 2.0 does not have")
            challenge = source.read(CHALLENGE_BYTES)
            if len(challenge) != CHALLENGE_BYTES:
                raise OutOfStep("the agent closed within its challenge")
            opened.sendall(answer_challenge(challenge, self._peer.passphrase))
            word = self._word(source)
        if word == b"REJECTED":
            raise Refused(printable(self._word(source)))
        if word != b"OK":
            self._expect_ok(source, word)

    @staticmethod
    def _expect_ok(source: BinaryIO, seen: bytes) -> None:
        """Reads exactly OK, because a request may follow at once; anything else is a refusal."""
        answer = seen or source.read(2)
        if answer == b"OK":
            return
        while len(answer) < ANSWER_MAX_BYTES:
            try:
                more = source.read(1)
            except OSError:
                break
            if not more:
                break
            answer += more
        raise Refused(printable(answer) or "no answer to the registration")

    @staticmethod
    def _word(source: BinaryIO) -> bytes:
        """Bytes up to a mark of 255 or the end."""
        word = b""
        while len(word) < ANSWER_MAX_BYTES:
            byte = source.read(1)
            if byte in (b"", MARK):
                break
            word += byte
        return word

    def _serve(self, opened: socket.socket, source: BinaryIO) -> None:
        first = True
        while not self._peer.is_leaving:
            opened.settimeout(None)
            digit = source.read(1)
            if first and digit == MARK:
                digit = source.read(1)  # some agents send the mark of 2.0 after OK of 1.0 too
            first = False
            if not digit:
                return
            with self._lock:
                self._busy = True
            opened.settimeout(self._peer.limits.read_timeout)
            self._serve_one(opened, source, digit)
            self._served += 1
            with self._lock:
                self._busy = False

    def _serve_one(self, opened: socket.socket, source: BinaryIO, digit: bytes) -> None:
        size = length(digit + source.read(DIGITS - 1), "environment")
        limits = self._peer.limits
        if size > ENVIRONMENT_SKIPPED_MAX_BYTES:
            raise OutOfStep(f"an environment of {size} bytes")
        if size > limits.environment_max_bytes:
            self._refuse_one(opened, source, size)
            return
        environment = self._exactly(source, size)
        body_bytes = length(self._exactly(source, DIGITS), "body")
        in_memory = body_bytes <= limits.body_memory_max_bytes
        body: BinaryIO
        if in_memory:
            body = io.BytesIO(self._exactly(source, body_bytes))
        else:
            body = io.BufferedReader(_Body(source, body_bytes))
        answer = self._answer(Request(self._name, environment, body_bytes, body, in_memory))
        if not in_memory:
            while body.read(16 << 10):
                pass  # what the handler did not read, so that the next request is found
        opened.sendall(answer)
        self._peer.served()

    def _refuse_one(self, opened: socket.socket, source: BinaryIO, size: int) -> None:
        """Skips a request with too many variables. The connection stays, because its client could
        otherwise close all of them."""
        self._skip(source, size)
        self._skip(source, length(self._exactly(source, DIGITS), "body"))
        LOG.warning("A request of %s has more variables than environment_max_bytes; answered 431", self._name)
        opened.sendall(Response.text("The fields of the request are too large.\n", 431).encode())
        self._peer.served()

    def _skip(self, source: BinaryIO, size: int) -> None:
        while size > 0:
            size -= len(self._exactly(source, min(size, 16 << 10)))

    def _answer(self, request: Request) -> bytes:
        try:
            return self._handler(request).encode()
        except BodyTooLarge:
            return Response.text("The content is too large.\n", 413).encode()
        except OutOfStep:
            raise
        except BaseException:  # also SystemExit, which would end only this thread, without a word
            LOG.exception("The handler of %s failed; answered 500", self._name)
            self._peer.failed()
            return Response.text("The application failed.\n", 500).encode()

    @staticmethod
    def _exactly(source: BinaryIO, size: int) -> bytes:
        data = source.read(size)
        if len(data) != size:
            raise OutOfStep("the agent closed within a request")
        return data


class Peer:
    """Connections to an agent that serve one or several names.

    agent: address and port of the agent. handlers: a handler for each name, which is a path prefix
    such as "osp", an extension such as ".abc", or "/" for each path. connections: how many for each
    name. host: serve only this virtual host. passphrase: answers the agent's challenge (LRWP 2.0).
    """

    def __init__(
        self,
        agent: tuple[str, int],
        handlers: Mapping[str, Handler],
        *,
        connections: int = 1,
        host: str = "",
        passphrase: bytes | None = None,
        limits: Limits | None = None,
        generator: random.Random | None = None,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        if not handlers:
            raise ValueError("no name is registered")
        if not 1 <= connections <= 10_000:
            raise ValueError(f"{connections} connections: there must be from 1 to 10000")
        if not agent[0] or not 1 <= agent[1] <= 65_535:
            raise ValueError(f"{agent} is not the address of an agent")
        self.agent: Final = agent
        self.host: Final = host
        self.passphrase: Final = passphrase
        self.limits: Final = limits or Limits()
        self.random: Final = generator or random.Random()
        self._wait = wait
        self._leaving = threading.Event()
        self._changed = threading.Condition()
        self._connected = 0
        self._served = 0
        self._failed = 0
        self._refusals = 0
        self._problem: str | None = None
        self._is_refusal = False
        self._logged = 0.0
        self._connections = [
            _Connection(self, name, handler) for _ in range(connections) for name, handler in handlers.items()
        ]

    def start(self) -> Peer:
        """Starts the connections and returns at once."""
        for connection in self._connections:
            connection.thread.start()
        return self

    def __enter__(self) -> Peer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self, patience: float = 10.0) -> None:
        """Leaves: idle connections at once, busy ones after their answer, at most after patience."""
        self._leaving.set()
        for connection in self._connections:
            connection.leave()
        end = time.monotonic() + patience
        for connection in self._connections:
            connection.thread.join(max(0.0, end - time.monotonic()))
        for connection in self._connections:
            if connection.thread.is_alive():
                connection.abort()

    def join(self) -> None:
        """Waits until the peer leaves."""
        self._leaving.wait()
        for connection in self._connections:
            connection.thread.join()

    def await_connected(self, patience: float) -> bool:
        """Waits until all connections are registered. Raises Refused with the agent's text."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._connected == len(self._connections) or self._is_refusal, patience
            )
            if self._is_refusal and self._problem is not None:
                raise Refused(self._problem)
            return self._connected == len(self._connections)

    @property
    def is_leaving(self) -> bool:
        return self._leaving.is_set()

    @property
    def connected_count(self) -> int:
        return self._connected

    @property
    def served_count(self) -> int:
        return self._served

    @property
    def failed_count(self) -> int:
        return self._failed

    @property
    def refused_count(self) -> int:
        return self._refusals

    @property
    def last_problem(self) -> str | None:
        return self._problem

    def pause(self, seconds: float) -> None:
        if self._wait is not None:
            self._wait(seconds)
        else:
            self._leaving.wait(seconds)

    def registered(self, name: str) -> None:
        with self._changed:
            self._connected += 1
            self._problem = None
            self._is_refusal = False
            complete = self._connected == len(self._connections)
            self._changed.notify_all()
        if complete:
            LOG.info("Connected to %s:%d with %d connections, last as %s",
                     *self.agent, len(self._connections), name)  # fmt: skip

    def closed(self) -> None:
        with self._changed:
            self._connected -= 1

    def served(self) -> None:
        with self._changed:
            self._served += 1

    def failed(self) -> None:
        with self._changed:
            self._failed += 1

    def refused(self, name: str, text: str) -> None:
        with self._changed:
            self._refusals += 1
        self.problem(name, f"refused: {text}", refusal=True)

    def problem(self, name: str, text: str, refusal: bool = False) -> None:
        """Notes what keeps the peer from its agent; logs it if it is new, or a minute has passed."""
        if self.is_leaving:
            return
        message = f"{name} at {self.agent[0]}:{self.agent[1]}: {text}"
        with self._changed:
            now = time.monotonic()
            is_new = message != self._problem or now - self._logged > 60
            self._problem = message
            self._is_refusal = refusal
            if is_new:
                self._logged = now
            self._changed.notify_all()
        if is_new:
            LOG.warning("%s; the next attempt is made after a pause", message)


def hello(request: Request) -> Response:
    """A sample: says hello."""
    return Response.text(f"Hello from Python, {request.method} {request.variable('SCRIPT_NAME')}\n")


def echo(request: Request) -> Response:
    """A sample: returns the body."""
    return Response(200, request.content_type or "application/octet-stream", request.body.read())


def address(text: str) -> tuple[str, int]:
    """HOST:PORT of the command line."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdigit() or not 1 <= int(port) <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not an address and a port, such as 127.0.0.1:1081")
    return host.removeprefix("[").removesuffix("]"), int(port)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Serves a path of a web server by LRWP.")
    parser.add_argument("--agent", type=address, default=("127.0.0.1", 1081), help="HOST:PORT (127.0.0.1:1081)")
    parser.add_argument("--name", help="the path to serve (that of the sample)")
    parser.add_argument("--connections", type=int, default=1, help="requests in progress (1)")
    parser.add_argument("--host", default="", help="serve only this virtual host")
    parser.add_argument("--passphrase-file", help="a file with the passphrase that the agent asks for")
    parser.add_argument("sample", choices=("hello", "echo"), help="what to answer")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    passphrase: bytes | None = None
    samples: dict[str, Handler] = {"hello": hello, "echo": echo}
    try:
        if given.passphrase_file:
            with open(given.passphrase_file, "rb") as file:
                passphrase = file.readline().split(b"\n")[0].split(b"\r")[0]
            if not passphrase:
                raise ValueError(f"the first line of {given.passphrase_file} has no passphrase")
        peer = Peer(
            given.agent,
            {given.name or given.sample: samples[given.sample]},
            connections=given.connections,
            host=given.host,
            passphrase=passphrase,
        )
    except (OSError, ValueError) as e:
        print(f"lrwp_peer: {e}", file=sys.stderr)
        return 2
    done = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: done.set())
    with peer:
        done.wait()
    LOG.info("Left after %d requests", peer.served_count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
