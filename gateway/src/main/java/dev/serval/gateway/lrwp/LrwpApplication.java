package dev.serval.gateway.lrwp;

import dev.serval.gateway.peer.PeerPool;
import java.util.Arrays;

/// One registered path of one host, and the peers that serve it. Any thread.
final class LrwpApplication {
    private final Registration registration;
    private final PeerPool pool;

    LrwpApplication(Registration registration, PeerPool pool) {
        this.registration = registration;
        this.pool = pool;
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

    PeerPool pool() {
        return pool;
    }

    /// Returns whether it has peers.
    boolean isPresent() {
        return pool.open() > 0;
    }

    /// Returns whether a registration is for this application.
    boolean isFor(Registration other) {
        return Arrays.equals(prefix(), other.prefix()) && host().equals(other.host());
    }
}
