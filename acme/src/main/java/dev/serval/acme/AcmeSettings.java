package dev.serval.acme;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where certificates come from, and where they are kept. Who makes such settings agrees to the terms of
/// the authority. Immutable.
///
/// @param directory the URL of the authority's directory (RFC 8555 §7.1.1)
/// @param authorities a PEM file with those that sign the certificate of that URL; null for those that
///     the JDK knows
/// @param email where the authority sends warnings; null for nowhere
/// @param folder for the account, keys and certificates; it is created if it does not exist
/// @param challenge how the authority checks names
/// @param binding binds the account to one that exists at the authority; null for none
public record AcmeSettings(
        URI directory,
        @Nullable Path authorities,
        @Nullable String email,
        Path folder,
        ChallengeKind challenge,
        @Nullable AccountBinding binding) {
    /// An external account (RFC 8555 §7.3.4).
    ///
    /// @param keyId the name of the key, which the authority has given
    /// @param key the key for the MAC, in base64url
    public record AccountBinding(String keyId, String key) {
        /// Returns a text without the key.
        @Override
        public String toString() {
            return "AccountBinding[" + keyId + "]";
        }
    }
}
