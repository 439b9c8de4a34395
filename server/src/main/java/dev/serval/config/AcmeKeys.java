package dev.serval.config;

import java.util.List;

/// The keys of automatic certificates. Stateless.
final class AcmeKeys {
    /// The key of a host.
    static final Key HOST =
            Key.of(
                    "tls",
                    KeyType.choice("files", "auto"),
                    "\"files\"",
                    "With auto, the names of this host get certificates from the authority of [acme].");

    private static final KeyType.Scalar NAME =
            KeyType.text("text", "a text without blanks, such as \"kid-1\"", "[!-~]{1,1000}");

    static final Section ACME =
            new Section(
                    "acme",
                    false,
                    "Automatic certificates, from an authority that speaks ACME (RFC 8555), for each"
                            + " host with tls = \"auto\".",
                    List.of(
                            Key.of(
                                            "terms-agreed",
                                            KeyType.FLAG,
                                            "false",
                                            "Whether you agree to the terms of the authority. It must"
                                                    + " be true.")
                                    .asRestart(),
                            Key.of(
                                            "email",
                                            KeyType.text(
                                                    "e-mail address",
                                                    "an address such as \"admin@example.org\"",
                                                    "[!-?A-~]{1,100}@[A-Za-z0-9.-]{1,200}"),
                                            "",
                                            "Where the authority sends warnings.")
                                    .asRestart(),
                            Key.of(
                                            "directory",
                                            KeyType.text(
                                                    "URL",
                                                    "a URL that begins with https://",
                                                    "https://[!-~]{1,2000}"),
                                            "\"https://acme-v02.api.letsencrypt.org/directory\"",
                                            "The directory of the authority.")
                                    .asRestart(),
                            Key.of(
                                            "authorities",
                                            KeyType.PATH,
                                            "",
                                            "A PEM file with those that sign the certificate of the"
                                                    + " directory, if the JDK does not know them.")
                                    .asRestart(),
                            Key.of(
                                            "folder",
                                            KeyType.PATH,
                                            "(acme in the folder of server.state)",
                                            "The folder for the account, keys and certificates. Several"
                                                    + " servers may use the same one.")
                                    .asRestart(),
                            Key.of(
                                            "challenge",
                                            KeyType.choice("http-01", "tls-alpn-01"),
                                            "\"http-01\"",
                                            "How the authority checks a name: http-01 by a request to"
                                                    + " port 80, tls-alpn-01 by a handshake at port 443.")
                                    .asRestart(),
                            Key.of(
                                            "account-id",
                                            NAME,
                                            "",
                                            "The id of an external account at the authority, if it needs"
                                                    + " one.")
                                    .asRestart(),
                            Key.of(
                                            "account-key-file",
                                            KeyType.PATH,
                                            "",
                                            "A file whose first line is the key of that account, in"
                                                    + " base64url.")
                                    .asRestart()),
                    List.of());

    private AcmeKeys() {}
}
