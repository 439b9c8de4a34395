package dev.serval.boringssl;

import dev.serval.tls.ClientCertificates;
import dev.serval.tls.Credential;
import dev.serval.tls.ServerKeys;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import io.netty.internal.tcnative.CertificateCallback;
import io.netty.internal.tcnative.SSL;
import io.netty.internal.tcnative.SSLContext;
import io.netty.internal.tcnative.SessionTicketKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The native settings that connections share whose listener offers the same protocols by ALPN. They
/// are freed after the provider and the engines of all connections have dropped them, which a new
/// certificate may cause: the garbage collector notices that. Any thread.
final class BoringContext {
    private static final int CHAIN_MAX = 10; // certificates of a client's chain
    private static final byte[] ID = "serval".getBytes(StandardCharsets.US_ASCII);

    private final long address;
    private final boolean asks;
    private final boolean slow;

    /// @param keys chooses the credentials of a handshake
    /// @param material the native form of each
    /// @param check checks certificates of clients; null if they are not asked
    BoringContext(
            TlsSettings settings,
            List<String> protocols,
            ServerKeys keys,
            IdentityHashMap<Credential, KeyMaterial> material,
            @Nullable ClientCheck check)
            throws IOException {
        this.asks = check != null;
        this.slow = asks || hasRsa(material);
        long made = 0;
        try {
            made = SSLContext.make(versions(settings.profile()), SSL.SSL_MODE_SERVER);
            configure(made, settings, protocols);
            SSLContext.setCertificateCallback(made, new Choice(keys, material));
            if (check != null) {
                ask(made, settings.clients().asked(), check);
            }
        } catch (Exception e) { // the binding declares no other
            if (made != 0) {
                SSLContext.free(made);
            }
            throw new IOException(
                    "BoringSSL cannot use the settings of a listener: " + e.getMessage(), e);
        }
        this.address = made;
        long freed = made;
        Memory.freeAfter(this, () -> SSLContext.free(freed));
    }

    private static boolean hasRsa(IdentityHashMap<Credential, KeyMaterial> material) {
        return material.keySet().stream().anyMatch(each -> each.key().getAlgorithm().equals("RSA"));
    }

    private static int versions(TlsProfile profile) {
        return switch (profile) {
            case MODERN -> SSL.SSL_PROTOCOL_TLSV1_3;
            case INTERMEDIATE -> SSL.SSL_PROTOCOL_TLSV1_3 | SSL.SSL_PROTOCOL_TLSV1_2;
        };
    }

    private static void configure(long made, TlsSettings settings, List<String> protocols)
            throws Exception {
        String suites = Suites.ofTls12(settings.profile());
        if (!suites.isEmpty()) {
            SSLContext.setCipherSuite(made, suites, false);
        }
        SSLContext.setOptions(made, SSL.SSL_OP_CIPHER_SERVER_PREFERENCE);
        SSLContext.setMode(
                made, SSLContext.getMode(made) | SSL.SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        SSLContext.setSessionCacheMode(made, SSL.SSL_SESS_CACHE_OFF); // clients keep tickets
        SSLContext.setSessionCacheTimeout(
                made, TicketKeys.KEPT * TicketKeys.SEALS_NANOS / 1_000_000_000);
        SSLContext.setSessionIdContext(made, ID);
        SSLContext.setAlpnProtos(
                made, protocols.toArray(new String[0]), SSL.SSL_SELECTOR_FAILURE_NO_ADVERTISE);
    }

    private static void ask(long made, ClientCertificates.Asked asked, ClientCheck check)
            throws Exception {
        SSLContext.setVerify(
                made,
                asked == ClientCertificates.Asked.NEED
                        ? SSL.SSL_CVERIFY_REQUIRED
                        : SSL.SSL_CVERIFY_OPTIONAL,
                CHAIN_MAX);
        SSLContext.setCertVerifyCallback(made, check);
        long authorities = KeyMaterial.pem(check.authorities());
        try {
            SSLContext.setCACertificateBio(made, authorities);
        } finally {
            SSL.freeBIO(authorities);
        }
    }

    /// Seals tickets with the first of these keys, and opens them with all.
    void use(SessionTicketKey... keys) {
        SSLContext.setSessionTicketKeys(address, keys);
    }

    /// Creates the native side of a connection, which [SSL#freeSSL] frees. The engine must refer to this
    /// context for that long.
    long connection() {
        return SSL.newSSL(address, true);
    }

    /// Returns whether clients are asked for a certificate.
    boolean asks() {
        return asks;
    }

    /// Returns whether a handshake may need more than some hundred microseconds: a signature by RSA, or
    /// a look at the certificate of a client.
    boolean isSlow() {
        return slow;
    }

    /// Offers BoringSSL the credentials for the name that a client asks for. It takes the first one that
    /// the client supports.
    private record Choice(ServerKeys keys, IdentityHashMap<Credential, KeyMaterial> material)
            implements CertificateCallback {
        @Override
        public void handle(long ssl, byte @Nullable [] types, byte @Nullable [][] issuers)
                throws Exception {
            @Nullable String name = SSL.getSniHostname(ssl);
            List<KeyMaterial> fit = new ArrayList<>(1);
            for (Credential each :
                    keys.fitting(name == null ? "" : name.toLowerCase(Locale.ROOT))) {
                @Nullable KeyMaterial one = material.get(each);
                if (one != null) {
                    fit.add(one);
                }
            }
            fit.sort(Comparator.comparingInt(KeyMaterial::order));
            for (KeyMaterial each : fit) {
                SSL.addCredential(ssl, each.address());
            }
        }
    }
}
