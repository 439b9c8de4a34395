package dev.serval.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/// Applications in other processes that answer the first request with the first output of CGI, and so
/// on. Each request has no content and a connection of its own.
final class CgiScripts {
    private static final int STDIN = 5;
    private static final int STDOUT = 6;
    private static final int END_REQUEST = 3;
    private static final int HEAD_BYTES = 8;

    private CgiScripts() {}

    /// Listens for FastCGI. Each output fits into a record.
    static ScriptedPeer fastcgi(String... outputs) {
        Step noContent = new Step.ReadUntil(new String(record(STDIN, ""), ISO_8859_1));
        return playing(
                noContent,
                output -> record(STDOUT, output),
                new Step.Send(record(END_REQUEST, "\0".repeat(HEAD_BYTES))),
                outputs);
    }

    /// Listens for SCGI.
    static ScriptedPeer scgi(String... outputs) {
        return playing(
                new Step.ReadUntil("\0SCGI\0" + "1\0,"),
                output -> output.getBytes(ISO_8859_1),
                new Step.Send(new byte[0]),
                outputs);
    }

    private interface Framing {
        byte[] framed(String output);
    }

    private static ScriptedPeer playing(Step head, Framing framing, Step end, String... outputs) {
        return ScriptedPeer.playing(
                Arrays.stream(outputs)
                        .map(output -> List.of(head, new Step.Send(framing.framed(output)), end))
                        .toList());
    }

    private static byte[] record(int type, String content) {
        byte[] bytes = content.getBytes(ISO_8859_1);
        return ByteBuffer.allocate(HEAD_BYTES + bytes.length)
                .put((byte) 1)
                .put((byte) type)
                .putShort((short) 1)
                .putShort((short) bytes.length)
                .putShort((short) 0)
                .put(bytes)
                .array();
    }
}
