package dev.serval.tls;

import java.util.List;
import java.util.Set;

/// The keys of a server whose certificates are issued while it runs. Immutable.
///
/// @param credentials those that there are; the first is for clients that ask for no name, or for one
///     that no certificate is for
/// @param awaited the host names, in lower case, whose certificates are to come: until then, handshakes
///     for them are refused
/// @param challenges one for each name that an authority is about to check (RFC 8737 §3). Only a
///     handshake that agrees on [#CHALLENGE_PROTOCOL] gets them
public record IssuedKeys(
        List<Credential> credentials, Set<String> awaited, List<Credential> challenges) {
    /// What an authority offers by ALPN when it checks a name (RFC 8737 §6.2).
    public static final String CHALLENGE_PROTOCOL = "acme-tls/1";

    /// No keys.
    public static final IssuedKeys NONE = new IssuedKeys(List.of(), Set.of(), List.of());

    /// Copies the lists.
    public IssuedKeys {
        credentials = List.copyOf(credentials);
        awaited = Set.copyOf(awaited);
        challenges = List.copyOf(challenges);
    }
}
