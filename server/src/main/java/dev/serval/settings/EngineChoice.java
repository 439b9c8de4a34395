package dev.serval.settings;

import dev.serval.policy.Limits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;

/// How the engine runs. Immutable.
///
/// @param listeners where it listens; at least one
/// @param transport `auto`, `nio` or `epoll`
/// @param loops the number of event loops; 0 for one per processor
/// @param limits of connections and requests
/// @param stopTime how long requests in progress may still take at a stop
public record EngineChoice(
        List<ListenerChoice> listeners,
        String transport,
        int loops,
        Limits limits,
        Duration stopTime) {
    private static final int PORT = 8080;
    private static final int STOP_SECONDS = 5;

    /// Port 8080 of 127.0.0.1, and the usual limits.
    public static final EngineChoice STANDARD =
            new EngineChoice(
                    List.of(
                            new ListenerChoice(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT))),
                    "auto",
                    0,
                    Limits.DEFAULT,
                    Duration.ofSeconds(STOP_SECONDS));

    /// Copies the list.
    public EngineChoice {
        listeners = List.copyOf(listeners);
    }

    /// Returns the addresses of the listeners.
    public List<SocketAddress> addresses() {
        return listeners.stream().map(ListenerChoice::address).toList();
    }
}
