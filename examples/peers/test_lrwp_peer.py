"""Tests of lrwp_peer.py against a scripted agent: python3 -m unittest test_lrwp_peer -v"""

from __future__ import annotations

import contextlib
import io
import logging
import pathlib
import random
import socket
import tempfile
import threading
import unittest
from collections.abc import Iterator, Mapping
from unittest import mock

import lrwp_peer
from lrwp_peer import Limits, Peer, Refused, Request, Response

PATIENCE = 20.0
GET = {"REQUEST_METHOD": "GET"}


def encode(variables: Mapping[str, str], body: bytes = b"") -> bytes:
    environment = b"".join(f"{k}={v}\0".encode() for k, v in variables.items()) + b"\0"
    return b"%09d" % len(environment) + environment + b"%09d" % len(body) + body


class Line:
    """One connection of a peer, from the agent's side."""

    def __init__(self, opened: socket.socket) -> None:
        opened.settimeout(PATIENCE)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = opened
        self.source = opened.makefile("rb")

    def startup(self, marks: int = 2) -> bytes:
        read = b""
        while marks:
            byte = self.source.read(1)
            if not byte:
                raise EOFError("the peer closed in its registration")
            read += byte
            marks -= byte == b"\xff"
        return read

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def send_slowly(self, data: bytes) -> None:
        for byte in data:
            self.socket.sendall(bytes([byte]))

    def answer(self) -> bytes:
        size = int(self.source.read(9))
        data = self.source.read(size)
        if len(data) != size:
            raise EOFError("the peer closed in its answer")
        return data

    def body(self) -> bytes:
        return self.answer().partition(b"\r\n\r\n")[2]

    def is_end(self) -> bool:
        return self.source.read(1) == b""

    def close(self) -> None:
        self.source.close()
        self.socket.close()


class PeerTest(unittest.TestCase):
    def setUp(self) -> None:
        logging.getLogger("lrwp_peer").setLevel(logging.CRITICAL)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.listener.settimeout(PATIENCE)
        self.addCleanup(self.listener.close)
        self.pauses: list[float] = []
        self.attempts_left = 1_000
        self.over = threading.Event()
        self.paused = threading.Condition()

    def wait(self, seconds: float) -> None:
        """Notes a pause and does not wait, up to a number of attempts; then waits for the end."""
        with self.paused:
            self.pauses.append(seconds)
            self.attempts_left -= 1
            self.paused.notify_all()
        if self.attempts_left <= 0:
            self.over.wait(PATIENCE)

    @contextlib.contextmanager
    def peer(self, handler: lrwp_peer.Handler = lrwp_peer.echo, **settings: object) -> Iterator[Peer]:
        port = self.listener.getsockname()[1]
        peer = Peer(
            ("127.0.0.1", port),
            {"app": handler},
            wait=self.wait,
            generator=random.Random(1),
            **settings,  # type: ignore[arg-type]
        )
        with peer:
            try:
                yield peer
            finally:
                self.over.set()

    def accept(self) -> Line:
        line = Line(self.listener.accept()[0])
        self.addCleanup(line.close)
        return line

    def register(self) -> Line:
        line = self.accept()
        self.assertEqual(line.startup(), b"app\xff\xff")
        line.send(b"OK")
        return line

    def until_pauses(self, count: int) -> None:
        with self.paused:
            self.assertTrue(self.paused.wait_for(lambda: len(self.pauses) >= count, PATIENCE))

    def test_echoes_bodies_with_every_byte(self) -> None:
        with self.peer() as peer:
            line = self.register()
            self.assertTrue(peer.await_connected(PATIENCE))
            for size in (0, 1, 1200, 8192, 70_000, 3_000_000):
                body = random.Random(size).randbytes(size)
                line.send(encode(GET, body))
                self.assertEqual(line.body(), body)
            self.assertEqual(peer.failed_count, 0)

    def test_sees_the_request(self) -> None:
        def show(request: Request) -> Response:
            return Response.text(
                f"{request.name} {request.method} {request.path_after_name} {request.query} {request.header('x-one')}"
            )

        with self.peer(show):
            line = self.register()
            line.send_slowly(
                encode({**GET, "PATH_INFO": "/p", "QUERY_STRING": "a=b%20c", "HTTP_X_ONE": "1", "EMPTY": ""})
            )
            self.assertEqual(line.body(), b"app GET /p a=b%20c 1")

    def test_serves_request_that_came_with_the_ok(self) -> None:
        with self.peer():
            line = self.accept()
            line.startup()
            line.send(b"OK" + encode(GET, b"x"))
            self.assertEqual(line.body(), b"x")

    def test_sends_digits_and_content_by_one_call(self) -> None:
        encoded = Response.text("hello").encode()
        self.assertEqual(encoded, b"000000048Content-Type: text/plain; charset=utf-8\r\n\r\nhello")

    def test_location_does_not_change_the_status(self) -> None:
        made = Response.text("x").add("location", "/made/1").encode()
        self.assertTrue(made[9:].startswith(b"Status: 200 OK\r\n"))
        named = Response.text("x").add("Content-Location", "/made/1").encode()
        self.assertNotIn(b"Status", named)

    def test_answers_challenge(self) -> None:
        challenge = bytes(range(32))
        with self.peer(passphrase=b"key") as peer:
            line = self.accept()
            self.assertEqual(line.startup(4), b"\xff2.0\xffapp\xff\xff")
            line.send_slowly(b"CHALLENGE\xff000000032" + challenge)
            answer = line.source.read(41)
            self.assertEqual(answer[:9], b"000000032")
            self.assertEqual(answer[9:], bytes(c ^ b"key"[i % 3] for i, c in enumerate(challenge)))
            line.send(b"OK\xff")
            self.assertTrue(peer.await_connected(PATIENCE))
            line.send(encode(GET, b"x"))
            self.assertEqual(line.body(), b"x")

    def test_reports_rejection_and_slows_down(self) -> None:
        self.attempts_left = 3
        with self.peer(passphrase=b"wrong") as peer:
            for _ in range(3):
                line = self.accept()
                line.startup(4)
                line.send(b"REJECTED\xffIncorrect LRWP challenge response\xff")
                line.close()
            self.until_pauses(3)
            with self.assertRaisesRegex(Refused, "Incorrect LRWP challenge response"):
                peer.await_connected(PATIENCE)
            self.assertTrue(1.0 <= self.pauses[0] <= 2.0)
            self.assertTrue(4.0 <= self.pauses[2] <= 8.0)

    def test_reports_error_of_version_1(self) -> None:
        self.attempts_left = 1
        with self.peer() as peer:
            line = self.accept()
            line.startup()
            line.send(b"ERROR: Application not permitted")
            line.close()
            with self.assertRaisesRegex(Refused, "ERROR: Application not permitted"):
                peer.await_connected(PATIENCE)

    def test_does_not_spin_if_the_agent_closes_at_once(self) -> None:
        self.attempts_left = 5
        with self.peer():
            for _ in range(5):
                self.register().close()
            self.until_pauses(5)
            for i, pause in enumerate(self.pauses):
                self.assertTrue(0.05 * 2**i <= pause <= 0.1 * 2**i, self.pauses)

    def test_ends_connection_that_is_out_of_step(self) -> None:
        with self.peer():
            for wrong in (b"GET / HTTP/1.1\r\n\r\n", b"016777217", b" 00000054"):
                line = self.register()
                line.send(wrong)
                self.assertTrue(line.is_end())
            line = self.register()
            line.send(encode(GET, b"x"))
            self.assertEqual(line.body(), b"x")

    def test_request_with_too_many_variables_gets_431(self) -> None:
        with self.peer(limits=Limits(environment_max_bytes=1000)):
            line = self.register()
            line.send(encode({"REQUEST_METHOD": "GET", "HTTP_X": "x" * 100_000}, bytes(50_000)))
            self.assertTrue(line.answer().startswith(b"Status: 431 Request Header Fields Too Large\r\n"))
            line.send(encode(GET, b"next"))
            self.assertEqual(line.body(), b"next")

    def test_takes_as_many_variables_as_the_agent_sends(self) -> None:
        with self.peer():
            line = self.register()
            line.send(b"%09d" % (1 << 20) + b"A=" + bytes(1 << 20)[2:] + b"%09d" % 2 + b"ok")
            self.assertEqual(line.body(), b"ok")

    def test_failed_handler_answers_500(self) -> None:
        def fail(_: Request) -> Response:
            raise KeyError("on purpose")

        with self.peer(fail) as peer:
            line = self.register()
            for _ in range(2):
                line.send(encode(GET))
                answer = line.answer()
                self.assertTrue(answer.startswith(b"Status: 500 Internal Server Error\r\n"))
                self.assertNotIn(b"on purpose", answer)
            self.assertEqual(peer.failed_count, 2)

    def test_handler_that_exits_or_returns_no_answer_is_answered_500(self) -> None:
        failures: list[BaseException] = [SystemExit(1), KeyboardInterrupt(), GeneratorExit()]

        def leave(_: Request) -> Response:
            if failures:
                raise failures.pop()
            return None  # type: ignore[return-value]

        with self.peer(leave) as peer:
            line = self.register()
            for _ in range(4):
                line.send(encode(GET))
                self.assertTrue(line.answer().startswith(b"Status: 500 Internal Server Error\r\n"))
            self.assertEqual(peer.failed_count, 4)

    def test_connects_again_after_an_unexpected_error(self) -> None:
        def spoil(request: Request) -> Response:
            request.body.close()  # what is left of it cannot be skipped
            return Response.text("never sent")

        with self.peer(spoil, limits=Limits(body_memory_max_bytes=10)):
            for _ in range(2):
                line = self.register()
                line.send(encode(GET, bytes(1000)))
                self.assertTrue(line.is_end())

    def test_body_past_memory_limit_is_a_stream(self) -> None:
        def show(request: Request) -> Response:
            return Response.text(str(len(request.bytes())))

        with self.peer(show, limits=Limits(body_memory_max_bytes=10)):
            line = self.register()
            line.send(encode(GET, bytes(10)))
            self.assertEqual(line.body(), b"10")
            line.send(encode(GET, bytes(100_000)))
            self.assertTrue(line.answer().startswith(b"Status: 413"))
            line.send(encode(GET, b"next"))
            self.assertEqual(line.body(), b"4")

    def test_leaves_idle_connection_at_once(self) -> None:
        with self.peer() as peer:
            line = self.register()
            self.assertTrue(peer.await_connected(PATIENCE))
            self.over.set()
            peer.close()
            self.assertTrue(line.is_end())

    def test_finishes_request_in_progress_before_it_leaves(self) -> None:
        entered, proceed = threading.Event(), threading.Event()

        def slow(_: Request) -> Response:
            entered.set()
            proceed.wait(PATIENCE)
            return Response.text("done")

        with self.peer(slow) as peer:
            line = self.register()
            line.send(encode(GET))
            self.assertTrue(entered.wait(PATIENCE))
            closing = threading.Thread(target=peer.close)
            closing.start()
            while not peer.is_leaving:
                closing.join(0.01)
            proceed.set()
            self.assertEqual(line.body(), b"done")
            self.assertTrue(line.is_end())
            closing.join(PATIENCE)
            self.assertFalse(closing.is_alive())

    def test_registers_each_path_and_names_with_blanks(self) -> None:
        for name, sent in (("/", b"/"), ("/app", b"app"), ("/a b", b"a b")):
            self.assertEqual(lrwp_peer.startup(name, "", None), sent + b"\xff\xff")

    def test_limits_the_fields_of_an_answer(self) -> None:
        full = Response(200, "")
        for _ in range(98):
            full.add("a", "1")
        full.add("a", "x" * (lrwp_peer.FIELDS_MAX_CHARS - 98 * len("a: 1\r\n") - len("a: \r\n")))
        for answer in (full, Response(200, "").add("a", "x" * (lrwp_peer.FIELDS_MAX_CHARS - 10))):
            with self.assertRaises(ValueError):
                answer.add("a", "123456")
        short = Response(200, "")
        for _ in range(99):
            short.add("a", "1")
        with self.assertRaises(ValueError):
            short.add("a", "1")

    def test_refuses_what_cannot_be_sent(self) -> None:
        for name, value in (("a b", "x"), ("Content-Length", "1"), ("a", "x\r\nb: c"), ("a", "\u0394")):
            with self.assertRaises(ValueError):
                Response.text("x").add(name, value)
        for status in (0, 199, 600):
            with self.assertRaises(ValueError):
                Response.text("x", status)
        for name in ("", "a\tb", "a\x7f", "a" * 201):
            with self.assertRaises(ValueError):
                Peer(("127.0.0.1", 1), {name: lrwp_peer.echo})
        for host in ("w w", "w\t"):
            with self.assertRaises(ValueError):
                Peer(("127.0.0.1", 1), {"a": lrwp_peer.echo}, host=host)
        with self.assertRaises(ValueError):
            Peer(("127.0.0.1", 1), {"a": lrwp_peer.echo}, connections=0)
        with self.assertRaises(ValueError):
            Limits(retry_min=0)

    def test_command_line_explains_mistakes(self) -> None:
        for arguments, expected in (
            (["--agent", "nowhere", "hello"], "is not an address and a port"),
            (["--connections", "x", "hello"], "invalid int value"),
            (["bye"], "invalid choice"),
        ):
            with contextlib.redirect_stderr(io.StringIO()) as errors, self.assertRaises(SystemExit):
                lrwp_peer.main(arguments)
            self.assertIn(expected, errors.getvalue())
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(lrwp_peer.main(["--connections", "0", "hello"]), 2)
        self.assertIn("from 1 to 10000", errors.getvalue())

    def test_passphrase_is_the_first_line_of_its_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(lrwp_peer, "Peer") as made:
            made.side_effect = ValueError("stop")
            for content, expected in (
                (b" a b \r\nnote\n", b" a b "),
                (b"\xe9 \n", b"\xe9 "),
                (b"plain", b"plain"),
                (b"\nplain\n", None),
                (b"", None),
            ):
                made.reset_mock()
                file = pathlib.Path(folder, "pass")
                file.write_bytes(content)
                with contextlib.redirect_stderr(io.StringIO()) as errors:
                    self.assertEqual(lrwp_peer.main(["--passphrase-file", str(file), "hello"]), 2)
                if expected is None:
                    made.assert_not_called()
                    self.assertIn("has no passphrase", errors.getvalue())
                else:
                    self.assertEqual(made.call_args.kwargs["passphrase"], expected)


if __name__ == "__main__":
    unittest.main()
