package dev.serval.settings;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Administration by HTTP. Immutable.
///
/// @param address a loopback address or a Unix-domain socket
/// @param password of the user `admin`; null for a socket that only the user of the server can open
/// @param metricsPassword of the user `metrics`, who may read only metrics; null for none
public record AdminChoice(
        SocketAddress address, @Nullable String password, @Nullable String metricsPassword) {
    @Override
    public String toString() {
        return "AdminChoice[" + address + "]"; // without the passwords
    }
}
