package dev.serval.settings;

import dev.serval.gateway.lrwp.LrwpSettings;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the command line says about LRWP. Immutable.
///
/// @param addresses where peers connect to; empty without LRWP
/// @param settings null without LRWP, so that no class of the gateway is loaded
public record LrwpChoice(List<SocketAddress> addresses, @Nullable LrwpSettings settings) {
    /// No LRWP.
    public static final LrwpChoice NONE = new LrwpChoice(List.of(), null);

    /// Copies the list.
    public LrwpChoice {
        addresses = List.copyOf(addresses);
    }
}
