package dev.serval.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The keys of `[load]`: when each load mode begins, and what it changes. Stateless.
final class LoadKeys {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int PERCENT_MAX = 100;

    /// The table.
    static final Section LOAD =
            new Section(
                    "load",
                    false,
                    "How the server behaves under load. A mode begins at its delay, or at its part of"
                            + " the connections, and changes what its keys say.",
                    List.of(
                            Key.of(
                                    "mode",
                                    KeyType.choice("auto", "light", "normal", "heavy", "critical"),
                                    "\"auto\"",
                                    "The mode that is in force whatever the load is; auto for that of"
                                            + " the load."),
                            Key.of(
                                    "refuse",
                                    KeyType.choice("503", "reset"),
                                    "\"503\"",
                                    "How a request is refused that would wait for longer than"
                                            + " queue-time: by 503 with Retry-After, or by a reset of its"
                                            + " connection."),
                            Key.of(
                                    "refusing",
                                    KeyType.number(1, PERCENT_MAX),
                                    "10",
                                    "The percent of its time that an event loop may spend on these"
                                            + " refusals. Past it, accepting pauses.")),
                    List.of(
                            new Section(
                                    "light",
                                    false,
                                    "Light mode, which applies below the others.",
                                    queueTimes("\"2s\"", "\"3s\""),
                                    List.of()),
                            mode("normal", "\"5ms\"", "50", "\"30s\"", "true", "\"2s\"", "\"3s\""),
                            mode("heavy", "\"20ms\"", "80", "\"5s\"", "true", "\"2s\"", "\"3s\""),
                            mode(
                                    "critical",
                                    "\"500ms\"",
                                    "95",
                                    "\"1s\"",
                                    "false",
                                    "\"100ms\"",
                                    "\"3s\"")));

    private LoadKeys() {}

    private static Section mode(String name, String... usual) {
        List<Key> keys = new ArrayList<>();
        keys.add(
                Key.of(
                        "delay",
                        KeyType.time(MINUTE, ""),
                        usual[0],
                        "The delay of new requests from which the mode begins: no request has begun"
                                + " sooner for a tenth of a second."));
        keys.add(
                Key.of(
                        "connections",
                        KeyType.number(1, PERCENT_MAX),
                        usual[1],
                        "The percent of limits.connections from which the mode begins."));
        keys.add(
                Key.of(
                        "idle-time",
                        KeyType.time(DAY, ""),
                        usual[2],
                        "How long a connection may wait for its next request at most, while so many"
                                + " are open; limits.idle-time applies, too."));
        keys.add(
                Key.of(
                        "keep-alive",
                        KeyType.FLAG,
                        usual[3],
                        "Whether connections stay open after an answer, while so many are open."));
        keys.addAll(queueTimes(usual[4], usual[5]));
        return new Section(
                name,
                false,
                Character.toUpperCase(name.charAt(0)) + name.substring(1) + " mode.",
                List.copyOf(keys),
                List.of());
    }

    private static List<Key> queueTimes(String usual, String returning) {
        return List.of(
                Key.of(
                        "queue-time",
                        KeyType.time(MINUTE, ""),
                        usual,
                        "How long a request for an application may have to wait for its begin. Past"
                                + " it, it is refused at once."),
                Key.of(
                        "returning-queue-time",
                        KeyType.time(MINUTE, ""),
                        returning,
                        "The same for a request with a cookie, or from a page of the same host"
                                + " (Referer). The longer of the two counts."));
    }
}
