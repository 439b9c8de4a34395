package dev.serval.gateway.lrwp;

import dev.serval.gateway.peer.Peer;
import dev.serval.loop.Deadline;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Input;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Drives a connection until its peer has registered. Then the [Peer] drives it.
///
/// ```
///   STARTUP ── 1.0, or no passphrase ─────────────────────▶ OVER (a Peer)
///      ├────── 2.0 with passphrase ──▶ CHALLENGED ── right ──▶ OVER (a Peer)
///      │                                   │
///      └── refused, late, end ─────────────┴──▶ OVER (closed after the text)
/// ```
/// Owned by the loop of the connection.
final class Registrar implements Driver {
    private enum State {
        STARTUP,
        CHALLENGED,
        OVER
    }

    private static final String GUARDED =
            "Application not permitted: this path belongs to a web application or another server;"
                    + " start the server with --lrwp-allow and this name";

    private final LrwpEntrance entrance;
    private final Connection connection;
    private final Startup startup;
    private final Deadline deadline = new Deadline(this::late);
    private final LengthField length = new LengthField();
    private State state = State.STARTUP;
    private @Nullable Challenge challenge;
    private byte[] passphrase = {};

    Registrar(LrwpEntrance entrance, Connection connection) {
        this.entrance = entrance;
        this.connection = connection;
        this.startup = new Startup(entrance.settings().startup().maxBytes());
        long nanos = entrance.settings().startup().nanos();
        connection.loop().timers().set(deadline, connection.loop().nowNanos() + nanos);
    }

    @Override
    public void readable() {
        int n = connection.in().fill();
        if (n > 0) {
            switch (state) {
                case STARTUP -> startup();
                case CHALLENGED -> challenged();
                case OVER -> connection.in().consume(connection.in().length());
            }
        } else if (n == Input.END) {
            if (state == State.STARTUP && connection.in().received() > 0) {
                refuse(startup.end() == Startup.Outcome.REFUSED ? startup.refusal() : "");
            } else {
                over();
                connection.close();
            }
        }
    }

    @Override
    public void blocked() {}

    @Override
    public void drained() {}

    @Override
    public void closed(boolean byPeer) {
        over();
    }

    @Override
    public void drain() {
        over();
        connection.close();
    }

    private void startup() {
        Input in = connection.in();
        Startup.Outcome outcome = startup.take(in.array(), in.from(), in.to());
        in.consume(in.length()); // past the second FF, it is the filter
        switch (outcome) {
            case MORE -> {}
            case REFUSED -> refuse(startup.refusal());
            case COMPLETE -> check(startup.registration());
        }
    }

    private void check(Registration registration) {
        switch (entrance.settings().allowed().rule(registration.name())) {
            case AllowedNames.Rule.Open _ -> accept(registration);
            case AllowedNames.Rule.Unnamed _ -> {
                if (entrance.mounts().get().guard(registration)) {
                    refuse(GUARDED);
                } else {
                    accept(registration);
                }
            }
            case AllowedNames.Rule.Forbidden _ -> refuse("Application not permitted");
            case AllowedNames.Rule.Secret secret -> {
                if (registration.second()) {
                    challenge(secret.passphrase());
                } else {
                    refuse("Connection requires LRWP2 authentication");
                }
            }
        }
    }

    private void challenge(byte[] secret) {
        Challenge made = new Challenge(entrance.random());
        challenge = made;
        passphrase = secret;
        state = State.CHALLENGED;
        ByteBuffer out = connection.out().room(64);
        put(out, "CHALLENGE");
        out.put((byte) Startup.SEPARATOR);
        LengthField.write(out, Challenge.BYTES);
        out.put(made.sent());
    }

    private void challenged() {
        Input in = connection.in();
        int used = length.take(in.array(), in.from(), in.to());
        if (used < 0
                || challenge == null
                || (length.isComplete() && length.value() != Challenge.BYTES)) {
            in.consume(in.length());
            refuse("Incorrect LRWP challenge response");
            return;
        }
        in.consume(used);
        if (!length.isComplete() || in.length() < Challenge.BYTES) {
            return;
        }
        boolean right = challenge.isAnswered(in.array(), in.from(), passphrase);
        in.consume(in.length());
        if (right) {
            accept(startup.registration());
        } else {
            refuse("Incorrect LRWP challenge response");
        }
    }

    private void accept(Registration registration) {
        @Nullable Peer peer = entrance.registry().join(registration, connection);
        if (peer == null) {
            refuse("Out of resources");
            return;
        }
        connection.driver(peer); // first, so that it leaves the pool if anything below fails
        over();
        ByteBuffer out = connection.out().room(3);
        put(out, "OK");
        if (registration.second()) {
            out.put((byte) Startup.SEPARATOR);
        }
        LrwpSettings.Startups limits = entrance.settings().startup();
        peer.startAfter(limits.holdNanos(), limits.maxBytes());
    }

    /// Sends why the peer is refused, and closes the connection.
    private void refuse(String why) {
        if (state == State.OVER) {
            return;
        }
        over();
        entrance.registry().countRefusal();
        connection.loop().reportLost("An LRWP peer was refused", new IOException(why));
        ByteBuffer out = connection.out().room(why.length() + 16);
        if (startup.isSecond()) {
            put(out, "REJECTED");
            out.put((byte) Startup.SEPARATOR);
            put(out, why);
            out.put((byte) Startup.SEPARATOR);
        } else {
            put(out, "ERROR: ");
            put(out, why);
        }
        connection.close();
    }

    private void late() {
        refuse("Malformed startup string");
    }

    /// Ends the registration, once.
    private void over() {
        if (state != State.OVER) {
            state = State.OVER;
            connection.loop().timers().cancel(deadline);
            entrance.registry().leave();
        }
    }

    private static void put(ByteBuffer out, String text) {
        out.put(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
