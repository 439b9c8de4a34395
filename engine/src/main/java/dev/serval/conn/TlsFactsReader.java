package dev.serval.conn;

import dev.serval.handler.TlsFacts;
import dev.serval.net.Encryption;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// Reads the facts about a connection's encryption from its session. Stateless; any thread.
final class TlsFactsReader {
    private static final Pattern KEY_BITS = Pattern.compile("_(128|256)_");
    private static final int CHACHA20_BITS = 256;

    private TlsFactsReader() {}

    /// Returns the facts; null if the connection is not encrypted, or its handshake is not complete.
    static @Nullable TlsFacts read(@Nullable Encryption encryption) {
        @Nullable SSLSession session = encryption == null ? null : encryption.session();
        if (encryption == null || session == null) {
            return null;
        }
        String suite = session.getCipherSuite();
        return new TlsFacts(
                session.getProtocol(),
                suite,
                keyBits(suite),
                HexFormat.of().formatHex(session.getId()),
                encryption.applicationProtocol(),
                certificates(session));
    }

    private static int keyBits(String suite) {
        Matcher bits = KEY_BITS.matcher(suite);
        return bits.find() ? Integer.parseInt(bits.group(1)) : CHACHA20_BITS;
    }

    private static List<X509Certificate> certificates(SSLSession session) {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            for (Certificate each : session.getPeerCertificates()) {
                if (each instanceof X509Certificate x509) {
                    chain.add(x509);
                }
            }
        } catch (SSLPeerUnverifiedException e) { // the JDK's way to say that there is none
            return List.of();
        }
        return chain;
    }
}
