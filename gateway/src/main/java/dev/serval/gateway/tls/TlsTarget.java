package dev.serval.gateway.tls;

import dev.serval.tls.KeyFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How connections to an upstream are encrypted. Immutable.
///
/// @param verifies whether its certificate must be signed by an authority, be for its name and be
///     valid now. Without that, anyone on the way can read and change what is sent
/// @param authorities a PEM file with the authorities that may sign its certificate; null for those
///     that the JDK knows
/// @param name the name that it is asked for (SNI) and that its certificate must have; null for the host
///     of its address
/// @param own the certificate that it is shown if it asks for one; null for none
public record TlsTarget(
        boolean verifies,
        @Nullable Path authorities,
        @Nullable String name,
        @Nullable KeyFiles own) {
    /// Verifies certificates by the authorities that the JDK knows.
    public static final TlsTarget DEFAULT = new TlsTarget(true, null, null, null);

    /// Checks that authorities have an effect.
    public TlsTarget {
        if (!verifies && authorities != null) {
            throw new IllegalArgumentException(
                    "Authorities have no effect if certificates are not verified");
        }
        checkName(name);
    }

    /// Checks a name.
    ///
    /// @throws IllegalArgumentException if it is not a host name or an IP address
    public static void checkName(@Nullable String name) {
        if (name != null && !name.matches("[A-Za-z0-9.:_-]{1,255}")) {
            throw new IllegalArgumentException(
                    "The name of a certificate is a host name without a port, not \""
                            + name
                            + "\"");
        }
    }
}
