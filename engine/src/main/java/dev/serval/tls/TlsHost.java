package dev.serval.tls;

import java.io.IOException;
import java.net.SocketAddress;
import java.security.cert.CRLException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertStoreException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;

/// What a [TlsTransport] needs of the listener that has accepted its connection, or of what has
/// connected. Owned by the loop.
public interface TlsHost {
    /// How a handshake ended.
    enum End {
        /// Both sides have agreed, and the connection carries content.
        DONE,
        /// One side has refused, or the client has left.
        FAILED,
        /// It was not complete in time.
        LATE,
        /// The client has sent plain HTTP.
        PLAIN_HTTP,
        /// Too many handshakes were in progress.
        REFUSED
    }

    /// Why the handshake of a client failed. Immutable.
    ///
    /// @param sentence for the log: what happened, and what to do if the operator can change it
    record Trouble(Kind kind, String sentence, IOException thrown) {
        private static final int REASON_MAX = 300;
        private static final Pattern CONTROLS = Pattern.compile("\\p{Cntrl}+");

        /// The kinds that are counted.
        public enum Kind {
            /// Its certificate is not accepted, such as one that has expired or was revoked.
            CLIENT_CERTIFICATE,
            /// An authority of its certificate has no list of revoked certificates that is valid now.
            REVOCATION_LIST,
            /// It has shown no certificate, and the listener needs one.
            NO_CLIENT_CERTIFICATE,
            /// It has sent an alert, such as because it does not accept the certificate of the server.
            ALERT,
            /// It has left.
            LEFT,
            /// Anything else, such as no version or cipher that both sides know.
            HANDSHAKE;

            /// Returns the name in exports.
            public String text() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        /// Finds the reason in what an engine has thrown.
        static Trouble of(IOException thrown) {
            Throwable root = thrown;
            boolean certificate = false;
            boolean list = false;
            for (Throwable each = thrown; each != null; each = each.getCause()) {
                root = each;
                certificate |= isOfCertificate(each);
                list |=
                        each instanceof CertPathValidatorException path
                                && path.getReason() == BasicReason.UNDETERMINED_REVOCATION_STATUS;
            }
            if (list) {
                return new Trouble(
                        Kind.REVOCATION_LIST,
                        "an authority of its certificate has no list of revoked certificates that is"
                                + " valid now. Replace the lists in client-revocations",
                        thrown);
            }
            String reason = plain(String.valueOf(root.getMessage()));
            return certificate
                    ? new Trouble(
                            Kind.CLIENT_CERTIFICATE,
                            "its certificate is not accepted: "
                                    + reason
                                    + ". It needs one that is valid now, of an authority in"
                                    + " client-authorities",
                            thrown)
                    : new Trouble(kind(thrown, reason.toLowerCase(Locale.ROOT)), reason, thrown);
        }

        /// Other exceptions of security tell of bytes that cannot be decrypted, or of a signature.
        private static boolean isOfCertificate(Throwable thrown) {
            return thrown instanceof CertificateException
                    || thrown instanceof CertPathBuilderException
                    || thrown instanceof CertPathValidatorException
                    || thrown instanceof CertStoreException
                    || thrown instanceof CRLException;
        }

        /// Returns whether the operator of the server can do something about it.
        public boolean isOurs() {
            return kind == Kind.CLIENT_CERTIFICATE || kind == Kind.REVOCATION_LIST;
        }

        /// @param reason as the engine of the JDK or BoringSSL words it, in lower case
        private static Kind kind(IOException thrown, String reason) {
            if (!(thrown instanceof TlsFault)) {
                return Kind.LEFT;
            }
            if (reason.contains("empty client certificate chain")
                    || reason.contains("peer did not return a certificate")) {
                return Kind.NO_CLIENT_CERTIFICATE;
            }
            return reason.contains("fatal alert: ") || reason.contains("sent the alert ")
                    ? Kind.ALERT
                    : Kind.HANDSHAKE;
        }

        /// The client has chosen a part of it.
        private static String plain(String reason) {
            String line = CONTROLS.matcher(reason).replaceAll(" ");
            return line.length() > REASON_MAX ? line.substring(0, REASON_MAX) + "…" : line;
        }
    }

    /// Returns whether this is the client's side, which sends the first record.
    default boolean isClient() {
        return false;
    }

    /// Creates the engine of a connection with `peer`. Called when its first byte has arrived, and on
    /// the client's side at the first read.
    SSLEngine engine(SocketAddress peer);

    /// Has another thread do work of a handshake with `peer` that takes long.
    ///
    /// @return false if too much waits already; then it will not run
    boolean submit(SocketAddress peer, Runnable work);

    /// Returns how long a handshake may take from the accept to its end, in nanoseconds.
    long handshakeNanos();

    /// Notes why the handshake of a client failed, before [End#FAILED].
    default void failed(SocketAddress peer, Trouble why) {}

    /// Notes how a handshake ended. Called at most once for each connection.
    void ended(End how);

    /// Notes why a connection ends: a fault of the peer in the handshake or later, or the loss of its
    /// socket in the handshake. Called at most once, before [#ended] or [#faulted].
    default void broken(IOException why) {}

    /// Notes that the peer of a complete handshake has broken the rules of TLS or a limit, so that the
    /// connection ends. Called at most once for each connection.
    ///
    /// @param flood whether it was a limit of records
    void faulted(boolean flood);
}
