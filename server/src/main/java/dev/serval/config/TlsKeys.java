package dev.serval.config;

import java.time.Duration;
import java.util.List;

/// The keys of TLS of a listener. Stateless.
final class TlsKeys {
    private static final KeyType.Scalar FILE =
            new KeyType.Scalar(
                    "path", "the path of a file, such as \"cert.pem\"", KeyType.PATH.reader());

    /// A key of the listener itself.
    static final Key REDIRECT =
            Key.of(
                    "https-redirect",
                    KeyType.number(0, 65_535),
                    "(that of the listener with tls, if all hosts have a certificate)",
                    "The port with TLS, such as 443, to which all requests of this listener are"
                            + " redirected (308); 0 if it serves them.");

    private static final Key HSTS =
            Key.of(
                    "hsts",
                    KeyType.seconds(Duration.ofDays(730), "no such field"),
                    "(30d if clients reach the listener at port 443 and an authority has signed its"
                            + " certificates, otherwise 0)",
                    "How long browsers use only https for a host after one of its answers"
                            + " (Strict-Transport-Security).");

    private static final Section OF_EVERY_PROTOCOL =
            new Section(
                    "tls",
                    false,
                    "TLS of a listener. Without this table it speaks plain HTTP.",
                    List.of(
                            Key.of(
                                            "certificate",
                                            new KeyType.Several(FILE),
                                            "",
                                            "PEM files, each with a certificate and then its chain, or"
                                                    + " files of PKCS#12, whose names end with .p12 or"
                                                    + " .pfx. A client gets the one for the name that"
                                                    + " it asks for, otherwise the first. Only"
                                                    + " \"auto\": those of the hosts with tls ="
                                                    + " \"auto\".")
                                    .asRequired(),
                            Key.of(
                                    "key",
                                    new KeyType.Several(FILE),
                                    "",
                                    "PEM files with the private keys (PKCS#8, PKCS#1 or SEC 1), in the"
                                            + " order of their certificates. PKCS#12 has its own."),
                            Key.of(
                                    "passphrase-file",
                                    FILE,
                                    "",
                                    "A file whose first line is the passphrase of encrypted keys and of"
                                            + " PKCS#12."),
                            Key.of(
                                    "profile",
                                    KeyType.choice("intermediate", "modern"),
                                    "\"intermediate\"",
                                    "The versions and ciphers: intermediate is TLS 1.3 and 1.2, modern is"
                                            + " TLS 1.3 only."),
                            Key.of(
                                    "provider",
                                    KeyType.choice("jdk", "boringssl"),
                                    "\"jdk\"",
                                    "The library that encrypts: jdk is the one of the JDK; boringssl is"
                                            + " faster, and needs serval-tls-boringssl.jar beside"
                                            + " serval.jar."),
                            Key.of(
                                    "client-certificate",
                                    KeyType.choice("no", "want", "need"),
                                    "\"no\"",
                                    "Whether clients are asked for a certificate. With need, one"
                                            + " without gets no connection."),
                            Key.of(
                                    "client-authorities",
                                    FILE,
                                    "",
                                    "A PEM file with the authorities that sign the certificates of"
                                            + " clients."),
                            Key.of(
                                    "client-revocations",
                                    new KeyType.Several(FILE),
                                    "",
                                    "Files with the lists of certificates that these authorities have"
                                            + " revoked (CRL, as PEM or DER): one of each authority.")),
                    List.of());

    /// TLS of a listener for HTTP.
    static final Section TLS = OF_EVERY_PROTOCOL.with(List.of(HSTS));

    /// TLS of the listeners for applications that dial in.
    static final Section LRWP =
            new Section(
                    "tls",
                    false,
                    "TLS of the addresses where applications dial in. Without this table they speak"
                            + " plain LRWP.",
                    OF_EVERY_PROTOCOL.keys().stream().map(Key::asRestart).toList(),
                    List.of());

    /// TLS to the servers of a mount.
    static final Section UPSTREAM =
            new Section(
                    "tls",
                    false,
                    "TLS to servers whose addresses begin with https://.",
                    List.of(
                            Key.of(
                                    "verify",
                                    KeyType.FLAG,
                                    "true",
                                    "Whether the certificate of a server must be valid, signed by a known"
                                            + " authority and for its name. Without that, anyone on the"
                                            + " way can read and change what is sent."),
                            Key.of(
                                    "authorities",
                                    FILE,
                                    "(those that the JDK knows)",
                                    "A PEM file with the authorities that may sign the certificates."),
                            Key.of(
                                    "name",
                                    KeyType.TEXT,
                                    "(the host of the address)",
                                    "The name that servers are asked for (SNI) and that their"
                                            + " certificates must have."),
                            Key.of(
                                    "certificate",
                                    FILE,
                                    "",
                                    "A PEM file with the certificate, and its chain, that servers are"
                                            + " shown if they ask for one; or a file of PKCS#12."),
                            Key.of("key", FILE, "", "A PEM file with its private key."),
                            Key.of(
                                    "passphrase-file",
                                    FILE,
                                    "",
                                    "A file whose first line is the passphrase of the key or of"
                                            + " PKCS#12.")),
                    List.of());

    private TlsKeys() {}
}
