package dev.serval.config;

import java.util.List;

/// The keys of the rate at which each client may send requests, for listeners and mounts. Stateless.
final class RateKeys {
    private static final long MOST = 10_000_000;

    private RateKeys() {}

    /// Returns the keys.
    ///
    /// @param range the type of an address range
    static List<Key> keys(KeyType.Scalar range) {
        return List.of(
                Key.of(
                        "rate",
                        KeyType.text(
                                "rate",
                                "a number of requests in a second, minute or hour, such as \"50/s\","
                                        + " \"100/m\" or \"1000/h\", or \"none\"",
                                "none|[1-9]\\d{0,6}/[smh]"),
                        "\"none\"",
                        "How many requests one client address may send. Past it, the answer is 429 with"
                                + " Retry-After. Addresses of IPv6 count by their first 64 bits."),
                Key.of(
                        "rate-burst",
                        KeyType.number(1, MOST),
                        "(the requests of one second, at least 1)",
                        "How many requests a client may send at once that has sent none for a while."),
                Key.of(
                        "rate-except",
                        new KeyType.Several(range),
                        "",
                        "The clients without this limit."));
    }
}
