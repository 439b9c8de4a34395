package dev.serval.config;

import java.time.Duration;
import java.util.List;

/// The keys of HTTP/2, for the server and for one listener. Stateless.
final class Http2Keys {
    private static final int STREAMS_MAX = 10_000;
    private static final int LEAST_WINDOW = 65_535; // RFC 9113 §6.9.2
    private static final int MOST_WINDOW = 1 << 30;
    private static final Duration DAY = Duration.ofDays(1);

    static final Section HTTP2 =
            new Section(
                    "http2",
                    false,
                    "HTTP/2. The limits of its heads are those of HTTP/1.1, in [limits].",
                    List.of(
                            Key.of(
                                    "enabled",
                                    KeyType.FLAG,
                                    "true",
                                    "Whether HTTP/2 is served. If not, clients use HTTP/1.1."),
                            Key.of(
                                    "streams",
                                    KeyType.number(1, STREAMS_MAX),
                                    "100",
                                    "Requests in progress of one connection. Past it, they are refused"
                                            + " with REFUSED_STREAM, and clients may send them again."),
                            Key.of(
                                    "window",
                                    KeyType.size(LEAST_WINDOW, MOST_WINDOW),
                                    "\"1m\"",
                                    "The most content of one request that waits for its handler. Each"
                                            + " request begins with 64k, and grows while its handler"
                                            + " keeps up."),
                            Key.of(
                                    "connection-window",
                                    KeyType.size(LEAST_WINDOW, MOST_WINDOW),
                                    "\"2m\"",
                                    "The same of all requests of one connection together, which begins"
                                            + " with 256k."),
                            Key.of(
                                    "frame",
                                    KeyType.size(1 << 10, 16 << 10),
                                    "\"16k\"",
                                    "The most content that the server sends in one frame. With less, an"
                                            + " urgent answer waits less for others."),
                            Key.of(
                                    "ping-time",
                                    KeyType.time(DAY, "never"),
                                    "\"60s\"",
                                    "How long a client that waits for answers may send nothing, until a"
                                            + " PING asks whether it is there. If nothing comes for"
                                            + " limits.stall-time after it, the connection ends.")),
                    List.of());

    private Http2Keys() {}
}
