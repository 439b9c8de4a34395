package dev.serval.settings;

import dev.serval.policy.Limits;
import dev.serval.policy.TrustedProxies;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How the engine runs. Immutable.
///
/// @param listeners where it listens; at least one
/// @param transport `auto`, `nio` or `epoll`
/// @param loops the number of event loops; 0 for one per processor
/// @param limits of connections and requests
/// @param trusted proxies whose fields tell the client; null for none
/// @param stopTime how long requests in progress may still take at a stop
/// @param readiness how load balancers learn of a stop
public record EngineChoice(
        List<ListenerChoice> listeners,
        String transport,
        int loops,
        Limits limits,
        @Nullable TrustedProxies trusted,
        Duration stopTime,
        Readiness readiness) {
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
                    null,
                    Duration.ofSeconds(STOP_SECONDS),
                    Readiness.NONE);

    /// How load balancers learn of a stop.
    ///
    /// @param delay how long the server still serves everything, while it is not ready
    /// @param readyPath tells whether it is; null for none
    /// @param healthPath tells that it serves; null for none
    public record Readiness(
            Duration delay, @Nullable String readyPath, @Nullable String healthPath) {
        /// No delay and no paths.
        public static final Readiness NONE = new Readiness(Duration.ZERO, null, null);
    }

    /// Makes a choice without readiness.
    public EngineChoice(
            List<ListenerChoice> listeners,
            String transport,
            int loops,
            Limits limits,
            @Nullable TrustedProxies trusted,
            Duration stopTime) {
        this(listeners, transport, loops, limits, trusted, stopTime, Readiness.NONE);
    }

    /// Copies the list.
    public EngineChoice {
        listeners = List.copyOf(listeners);
    }

    /// Returns the most content of a request.
    public long contentMaxBytes() {
        return limits.content().maxBytes();
    }

    /// Returns this choice with another limit of content, also for listeners with limits of their own.
    public EngineChoice withContentLimit(long maxBytes) {
        return new EngineChoice(
                listeners.stream().map(each -> each.withContentLimit(maxBytes)).toList(),
                transport,
                loops,
                limits.with(draft -> draft.content.maxBytes = maxBytes),
                trusted,
                stopTime,
                readiness);
    }

    /// Returns this choice, in which mounts may allow more content than their listener.
    ///
    /// @param maxBytes the most that any mount allows; 0 if none has such a limit
    EngineChoice withMountContent(long maxBytes) {
        List<ListenerChoice> own =
                listeners.stream().map(each -> each.withMountContent(maxBytes)).toList();
        return new EngineChoice(
                own,
                transport,
                loops,
                limits.with(draft -> draft.content.mountMaxBytes = maxBytes),
                trusted,
                stopTime,
                readiness);
    }

    /// Returns the addresses of the listeners, without inherited ones.
    public List<SocketAddress> addresses() {
        return listeners.stream().map(ListenerChoice::address).filter(Objects::nonNull).toList();
    }

    /// Returns whether a listener has an address, so that nothing else can listen there. Any free port
    /// is a place of its own.
    boolean isTaken(SocketAddress address) {
        boolean anywhere = address instanceof InetSocketAddress inet && inet.getPort() == 0;
        return !anywhere
                && addresses().stream()
                        .anyMatch(each ->
                                each.equals(address) || ListenAddress.overlap(each, address));
    }
}
