package dev.serval.server;

import dev.serval.Serval;
import dev.serval.accesslog.LogChoice;
import dev.serval.backend.Backends;
import dev.serval.command.Version;
import dev.serval.http.PercentEncoding;
import dev.serval.policy.Limits;
import dev.serval.rule.Redirect;
import dev.serval.settings.AdminChoice;
import dev.serval.settings.ListenAddress;
import dev.serval.settings.Mount;
import dev.serval.settings.MountRules;
import dev.serval.settings.Numbers;
import dev.serval.settings.Origin;
import dev.serval.settings.Place;
import dev.serval.settings.RunOptions;
import dev.serval.settings.SystemLimits;
import dev.serval.site.Listening;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The text that is printed after the server has started to listen: versions, limits, and a line
/// for each address and mount. Stateless.
final class StartScreen {
    private static final String UTF_8 = "UTF-8";

    private StartScreen() {}

    /// Returns the text, with its last line end.
    ///
    /// @param backends applications in other processes
    /// @param listening has the addresses
    /// @param logs of the applications
    /// @param options how the applications run
    static String text(
            Serval serval,
            Backends backends,
            Listening listening,
            List<Mount> mounts,
            List<Path> logs,
            RunOptions options) {
        Duration timeLimit = options.apps().requestTimeLimit();
        StringBuilder text = new StringBuilder(1024);
        text.append("Serval ").append(Version.TEXT);
        text.append(" on JDK ").append(System.getProperty("java.version")).append('\n');
        @Nullable Origin origin = options.origin();
        if (origin != null) {
            line(text, "file", origin.file().toString());
        }
        line(text, "transport", serval.transport());
        line(text, "loops", Integer.toString(serval.loops()));
        line(text, "workers", serval.workerThreads());
        limitsAndLogs(text, serval, options, logs);
        if (!timeLimit.isZero()) {
            line(
                    text,
                    "time limit",
                    timeLimit.toMillis() + " ms for each request of an application");
        }
        boolean reachable = false;
        for (SocketAddress address : listening.addresses()) {
            reachable |= ListenAddress.reachable(address);
        }
        for (String url : listening.urls()) {
            if (mounts.isEmpty() && backends.mountTexts().isEmpty()) {
                text.append("Ready: ").append(url);
                text.append(
                        options.served().rules().isEmpty()
                                ? "/  welcome page\n"
                                : "/  redirects\n");
            }
            ready(text, url, mounts, backends.mountTexts());
        }
        for (String line : backends.startLines()) {
            text.append(line).append('\n');
        }
        for (Map.Entry<Place, MountRules> each : options.served().rules().entrySet()) {
            for (Redirect.Rule rule : each.getValue().redirects()) {
                text.append("Redirect: ").append(each.getKey()).append("  ");
                text.append(rule.to()).append('\n');
            }
        }
        @Nullable AdminChoice admin = options.admin();
        if (admin != null) {
            text.append("Administration: ").append(ListenAddress.url(admin.address())).append('\n');
        }
        if (reachable) {
            text.append("Other machines can reach this server");
            text.append(
                    options.apps().dev()
                            ? ", and see why requests fail: leave out --dev.\n"
                            : ".\n");
        }
        text.append("Ctrl-C stops it.\n");
        return text.toString();
    }

    private static void limitsAndLogs(
            StringBuilder text, Serval serval, RunOptions options, List<Path> logs) {
        line(
                text,
                "at most",
                counts(
                                serval.limits().counts(),
                                options.engine().limits().counts().connectionsMax(),
                                SystemLimits.files())
                        + atWork(serval.limits().workers().workingMax()));
        limits(text, serval.limits());
        names(text, System.getProperty("sun.jnu.encoding", UTF_8));
        if (options.logs().isEmpty()) {
            line(text, "access log", "none");
        }
        for (LogChoice log : options.logs()) {
            line(text, "access log", log.toString());
        }
        for (Path log : logs) {
            line(text, "app log", log.toString());
        }
    }

    /// Tells that some names of files are not found. The launcher chooses a locale by which all are; `java
    /// -jar` has that of its caller, and services often have none.
    static void names(StringBuilder text, String encoding) {
        if (!encoding.equals(UTF_8)) {
            line(text, "file names", "only in " + encoding + "; set LC_ALL=C.UTF-8 for all others");
        }
    }

    /// Returns how many connections and requests there may be, and why fewer than asked.
    ///
    /// @param asked the connections that the configuration allows
    /// @param files how many the process may open
    static String counts(Limits.Counts counts, int asked, long files) {
        return counts.connectionsMax()
                + (counts.connectionsMax() < asked
                        ? " connections (of " + files + " open files), "
                        : " connections, ")
                + counts.exchangesMax()
                + " requests in progress";
    }

    /// Returns on how many of these requests applications work at once; nothing if there is no limit.
    static String atWork(int most) {
        return most == Integer.MAX_VALUE ? "" : ", of which applications work on " + most;
    }

    private static void limits(StringBuilder text, Limits limits) {
        line(
                text,
                "a request",
                "head "
                        + bytes(limits.head().maxBytes())
                        + " within "
                        + time(limits.pace().headNanos())
                        + ", content "
                        + bytes(limits.content().maxBytes())
                        + " at "
                        + limits.pace().minBytesPerSecond()
                        + " B/s or faster");
        line(
                text,
                "memory",
                bytes(limits.buffers().heldMaxBytes() & -(1 << 20))
                        + " for incomplete requests and unread responses");
        line(text, "idle", "connections are closed after " + time(limits.pace().idleNanos()));
    }

    private static void ready(
            StringBuilder text, String url, List<Mount> mounts, Map<Place, String> neighbours) {
        neighbours.forEach((place, what) -> {
            text.append("Ready: ").append(at(url, place)).append(place.isRoot() ? "  " : "/  ");
            text.append(what).append('\n');
        });
        for (Mount mount : mounts) {
            boolean folder = mount.application() || Files.isDirectory(mount.path());
            boolean closed = mount.place().isRoot() || !folder;
            text.append("Ready: ").append(at(url, mount.place()));
            text.append(closed ? "  " : "/  ");
            text.append(mount.path()).append(mount.application() ? "  (application)" : "");
            text.append('\n');
        }
    }

    /// Returns the URL of a place: that of its own host, if it has one.
    private static String at(String url, Place place) {
        int port = url.lastIndexOf(':');
        boolean tls = url.startsWith("https");
        boolean usual = url.endsWith(tls ? ":443" : ":80") || !url.startsWith("http");
        String path = PercentEncoding.path(place.prefix()); // so that a terminal sees one link
        return place.isDefaultHost()
                ? url + path
                : (tls ? "https://" : "http://")
                        + place.host()
                        + (usual ? "" : url.substring(port))
                        + path;
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("  ").append(name).repeat(' ', 12 - name.length()).append(value).append('\n');
    }

    private static String time(long nanos) {
        return Numbers.text(Duration.ofNanos(nanos));
    }

    private static String bytes(long bytes) {
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        return bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
    }
}
