package dev.serval.settings;

import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.tls.TlsSettings;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the command line or a file says about LRWP. Immutable.
///
/// @param addresses where peers connect to; empty without LRWP
/// @param settings null without LRWP, so that no class of the gateway is loaded
/// @param tls encrypts the connections; null for plain ones
public record LrwpChoice(
        List<SocketAddress> addresses, @Nullable LrwpSettings settings, @Nullable TlsSettings tls) {
    /// No LRWP.
    public static final LrwpChoice NONE = new LrwpChoice(List.of(), null, null);

    /// Copies the list.
    public LrwpChoice {
        addresses = List.copyOf(addresses);
    }

    /// Returns this choice with encrypted connections.
    LrwpChoice withTls(@Nullable TlsSettings other) {
        return new LrwpChoice(addresses, settings, other);
    }
}
