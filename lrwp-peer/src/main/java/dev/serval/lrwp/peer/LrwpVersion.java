package dev.serval.lrwp.peer;

/// A version of LRWP. The versions differ only in the registration.
public enum LrwpVersion {
    /// Registration without authentication: `name FF host FF`.
    V1_0,

    /// Registration with an optional challenge, which needs a passphrase.
    V2_0
}
