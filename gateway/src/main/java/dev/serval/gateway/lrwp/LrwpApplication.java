package dev.serval.gateway.lrwp;

import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.relay.Failures;
import dev.serval.http.TargetPath;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One registered path of one host, and the peers that serve it. Any thread.
final class LrwpApplication {
    private final Registration registration;
    private final PeerPool pool;
    private final Failures failures;
    private final boolean named;

    /// Creates an application without peers.
    ///
    /// @param named whether a rule of [AllowedNames] names it
    LrwpApplication(Registration registration, PeerPool pool, boolean named) {
        this.registration = registration;
        this.pool = pool;
        this.failures = new Failures(pool, "The application");
        this.named = named;
    }

    /// Returns the path as in [Registration#prefix]. Not to be changed.
    byte[] prefix() {
        return registration.prefix();
    }

    String host() {
        return registration.host();
    }

    boolean isSuffix() {
        return registration.isSuffix();
    }

    /// Returns the bytes of the path that are compared with the prefix of a mount: none of a suffix.
    int pathLength() {
        return isSuffix() ? 0 : prefix().length;
    }

    /// Returns whether a path is its own or below it, or ends with its suffix.
    boolean serves(TargetPath path) {
        return isSuffix() ? hasSuffix(path, path.to()) : path.isBelow(prefix());
    }

    /// Returns whether it serves a path, or would serve it without the parameters of its segments
    /// (`;…`). See [TargetPath#hidesPrefix].
    boolean concerns(TargetPath path) {
        return serves(path)
                || (isSuffix()
                        ? hasSuffix(path, lastParameters(path))
                        : path.hidesPrefix(prefix()));
    }

    /// Returns whether the path ends with the suffix if it is cut at `end`.
    private boolean hasSuffix(TargetPath path, int end) {
        byte[] suffix = prefix();
        int from = end - suffix.length;
        return from > path.from()
                && path.buffer()[from - 1] != '/'
                && Arrays.equals(path.buffer(), from, end, suffix, 0, suffix.length);
    }

    /// Returns where the parameters of the last segment begin; the end of the path if it has none.
    private static int lastParameters(TargetPath path) {
        int at = path.to();
        for (int i = path.to() - 1; i > path.from() && path.buffer()[i] != '/'; i--) {
            if (path.buffer()[i] == ';') {
                at = i;
            }
        }
        return at;
    }

    PeerPool pool() {
        return pool;
    }

    Failures failures() {
        return failures;
    }

    /// Returns whether it may take requests from guarded mounts.
    boolean isNamed() {
        return named;
    }

    /// Returns whether it has peers.
    boolean isPresent() {
        return pool.open() > 0;
    }

    /// Returns how long ago its last peer left, or -1 if it has peers or has had none yet.
    ///
    /// @param nowNanos a reading of the clock of the loops
    long absentNanos(long nowNanos) {
        @Nullable Long left = pool.emptySinceNanos();
        return left == null || isPresent() ? -1 : Math.max(0, nowNanos - left);
    }

    /// Returns whether a registration is for this application.
    boolean isFor(Registration other) {
        return Arrays.equals(prefix(), other.prefix()) && host().equals(other.host());
    }
}
