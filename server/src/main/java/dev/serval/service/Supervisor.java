package dev.serval.service;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.net.epoll.NotifySocket;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The program that supervises this process, such as systemd. It learns the state of the server by
/// messages to the socket in NOTIFY_SOCKET (`sd_notify(3)`). Without that variable, nothing is sent.
/// Any thread.
public final class Supervisor {
    private static final System.Logger LOG = System.getLogger(Supervisor.class.getName());
    private static final String VARIABLE = "NOTIFY_SOCKET";

    private final @Nullable String socket;

    private Supervisor(@Nullable String socket) {
        this.socket = socket;
    }

    /// Returns the supervisor that the variables of this process name.
    public static Supervisor of(Map<String, String> environment) {
        @Nullable String named = environment.get(VARIABLE);
        boolean usable = named != null && (named.startsWith("/") || named.startsWith("@"));
        return new Supervisor(usable ? named : null);
    }

    /// Tells that the server serves, after its start or a reload.
    public void ready() {
        send("READY=1");
    }

    /// Tells that the server reads its configuration again. [#ready] ends that.
    public void reloading() {
        // On Linux, nanoTime reads CLOCK_MONOTONIC, which the manual asks for.
        send("RELOADING=1\nMONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime()));
    }

    /// Tells that the server stops.
    ///
    /// @param atMost how long that may take; a manager that gives it less time than that waits longer
    public void stopping(Duration atMost) {
        send("STOPPING=1\nEXTEND_TIMEOUT_USEC=" + TimeUnit.NANOSECONDS.toMicros(atMost.toNanos()));
    }

    /// Tells that another process is the server from now on.
    public void succeeded(long pid) {
        send("MAINPID=" + pid);
    }

    private void send(String text) {
        if (socket == null) {
            return;
        }
        try {
            NotifySocket.send(socket, text);
        } catch (IOException | RuntimeException e) {
            LOG.log(WARNING, "The supervisor was not told " + text + " (" + e + ")");
        }
    }
}
