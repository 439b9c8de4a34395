package dev.serval.settings;

import dev.serval.net.Descriptors;
import dev.serval.policy.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Compares a configuration with the limits of the system. Stateless.
public final class SystemLimits {
    private static final int KEPT_DESCRIPTORS = 500;
    private static final int FEW = 4096;
    private static final int NUMBER_MAX_BYTES = 32;
    private static final Path SOMAXCONN = Path.of("/proc/sys/net/core/somaxconn");
    private static final Path FIRST_PORT = Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");

    private SystemLimits() {}

    /// Returns a sentence for each limit of the system that the configuration exceeds.
    public static List<String> warnings(RunOptions options) {
        EngineChoice engine = options.engine();
        List<String> warnings = new ArrayList<>();
        descriptors(engine, Descriptors.limit(), warnings);
        backlog(engine, number(SOMAXCONN), warnings);
        boolean root = "root".equals(System.getProperty("user.name"));
        ports(engine, root ? 0 : number(FIRST_PORT), warnings);
        if (!options.served().neighbours().isEmpty()) {
            temporary(Path.of(System.getProperty("java.io.tmpdir")), warnings);
        }
        return warnings;
    }

    /// Content for upstreams, and answers for slow clients, wait in that folder.
    static void temporary(Path folder, List<String> warnings) {
        if (!Files.isWritable(folder)) {
            warnings.add(
                    "Nothing can be written to the folder for temporary files "
                            + folder
                            + ", so requests with more than 64 KiB of content for an upstream get 503:"
                            + " mount a file system there, or name another folder by"
                            + " -Djava.io.tmpdir in JAVA_OPTS.");
        }
    }

    /// Returns how many files this process may open.
    public static long files() {
        return Descriptors.limit();
    }

    static void descriptors(EngineChoice engine, long limit, List<String> warnings) {
        long asked = engine.limits().counts().connectionsMax();
        boolean usual = asked == Limits.DEFAULT.counts().connectionsMax();
        if (limit - KEPT_DESCRIPTORS < asked && (!usual || limit <= FEW)) {
            warnings.add(
                    "limits.connections is "
                            + asked
                            + ", but this process may open only "
                            + limit
                            + " files, of which "
                            + KEPT_DESCRIPTORS
                            + " are kept for others: set LimitNOFILE= of systemd, or ulimit -n, to "
                            + (asked + KEPT_DESCRIPTORS)
                            + ".");
        }
    }

    static void backlog(EngineChoice engine, long most, List<String> warnings) {
        for (ListenerChoice listener : engine.listeners()) {
            if (most > 0 && listener.backlog() > most) {
                warnings.add(
                        "The backlog of "
                                + listener.text()
                                + " is "
                                + listener.backlog()
                                + ", but the system allows "
                                + most
                                + ": set net.core.somaxconn to "
                                + listener.backlog()
                                + ".");
                return;
            }
        }
    }

    static void ports(EngineChoice engine, long first, List<String> warnings) {
        for (ListenerChoice listener : engine.listeners()) {
            if (listener.address() instanceof InetSocketAddress internet
                    && internet.getPort() > 0
                    && internet.getPort() < first) {
                warnings.add(
                        "Port "
                                + internet.getPort()
                                + " needs root or CAP_NET_BIND_SERVICE, because it is below "
                                + first
                                + ".");
            }
        }
    }

    /// Returns the number in a file of the system; 0 if it has none. Such a file has to be read at
    /// once: a second read finds its end.
    static long number(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = new byte[NUMBER_MAX_BYTES];
            int length = Math.max(in.read(bytes), 0);
            return Long.parseLong(new String(bytes, 0, length, StandardCharsets.US_ASCII).trim());
        } catch (IOException | NumberFormatException e) { // another system than Linux
            return 0;
        }
    }
}
