package dev.serval;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.net.epoll.EpollNetwork;
import dev.serval.worker.WorkerThreads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The missing JVM flags that a fast server needs, and the warning about them. Immutable.
///
/// The JDK has no public API yet to choose what carries a virtual thread, or to get the descriptor
/// of a file. It opens these internals to programs that are started with these flags.
///
/// @param carriers whether `java.lang` is not open, so that event loops cannot carry handlers
/// @param epoll packages of java.base that are not open, so that epoll is not available
/// @param nativeAccess whether native access is not enabled, so that epoll is not available
/// @param module the engine's name on the module path; null on the class path
record StartFlags(
        boolean carriers, List<String> epoll, boolean nativeAccess, @Nullable String module) {
    private static final System.Logger LOG = System.getLogger(Serval.class.getName());
    private static final List<String> EPOLL_PACKAGES = List.of("java.io", "sun.nio.ch");
    private static final Path LINUX = Path.of("/proc/sys/kernel/ostype");

    /// Logs the warning when this class is loaded, so once per process.
    private static final class Said {
        private static final String TEXT = say();

        private static String say() {
            String text = missing().text();
            LOG.log(WARNING, text);
            return text;
        }
    }

    /// Logs a warning, once per process, if flags are missing and the server is slower without
    /// them.
    ///
    /// @param transport whether the server would have used epoll
    /// @param workers whether its event loops would have carried handlers
    /// @return the logged text, or null
    static @Nullable String warn(boolean transport, boolean workers) {
        StartFlags missing = missing();
        boolean slower = (transport && missing.noEpoll()) || (workers && missing.carriers());
        return slower ? Said.TEXT : null;
    }

    /// Returns the flags that this process was started without.
    static StartFlags missing() {
        Module own = StartFlags.class.getModule();
        Module base = Object.class.getModule();
        boolean epollHelps = Files.exists(LINUX) && EpollNetwork.unavailable() != null;
        return new StartFlags(
                WorkerThreads.closed() != null && !base.isOpen("java.lang", own),
                EPOLL_PACKAGES.stream()
                        .filter(name -> epollHelps && !base.isOpen(name, own))
                        .toList(),
                epollHelps && !own.isNativeAccessEnabled(),
                own.isNamed() ? own.getName() : null);
    }

    private boolean noEpoll() {
        return nativeAccess || !epoll.isEmpty();
    }

    /// Returns the text of the warning.
    String text() {
        String target = module == null ? "ALL-UNNAMED" : module;
        StringBuilder slower = new StringBuilder();
        StringBuilder flags = new StringBuilder();
        StringBuilder opens = new StringBuilder();
        if (carriers) {
            slower.append(": handlers run on the JDK's scheduler instead of the event loops");
            open("java.lang", target, flags, opens);
        }
        if (noEpoll()) {
            slower.append(carriers ? ", and " : ": ")
                    .append("sockets use java.nio instead of epoll");
        }
        epoll.forEach(name -> open(name, target, flags, opens));
        if (nativeAccess) {
            flags.append(" --enable-native-access=").append(target);
        }
        String sentence =
                "Serval is slower than it could be" + slower + ". Start java with" + flags + ".";
        return module == null ? sentence + manifest(opens) : sentence;
    }

    /// Returns the manifest entries that an executable jar can have instead of the flags.
    private String manifest(StringBuilder opens) {
        StringBuilder lines = new StringBuilder(" Or give an executable jar a manifest with");
        if (!opens.isEmpty()) {
            lines.append(" Add-Opens:").append(opens);
        }
        if (nativeAccess) {
            lines.append(opens.isEmpty() ? "" : " and")
                    .append(" Enable-Native-Access: ALL-UNNAMED");
        }
        return lines.append('.').toString();
    }

    private static void open(String name, String target, StringBuilder flags, StringBuilder opens) {
        flags.append(" --add-opens java.base/").append(name).append('=').append(target);
        opens.append(" java.base/").append(name);
    }
}
