package dev.serval.server;

import dev.serval.control.ControlFolder;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;

/// Where the control sockets of this user's servers are, and how they are named. Stateless.
final class ControlPlace {
    private ControlPlace() {}

    static ControlFolder folder() {
        return ControlFolder.ofUser(System.getenv(), Path.of(System.getProperty("user.home", "/")));
    }

    /// Returns the name of a server's socket: its first port, or its process if it has none.
    static String name(List<SocketAddress> addresses) {
        for (SocketAddress address : addresses) {
            if (address instanceof InetSocketAddress internet) {
                return Integer.toString(internet.getPort());
            }
        }
        return "pid-" + ProcessHandle.current().pid();
    }
}
