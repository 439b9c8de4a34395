package dev.serval.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Chooses the credential of a handshake by the name that the client asks for (SNI, RFC 6066 §3):
/// one for exactly that name, otherwise one with a wildcard for its first label, otherwise the first
/// of all. Of those that fit, it is one whose kind of key the client supports. Any thread. The JDK
/// requires this superclass.
final class ServerKeys extends X509ExtendedKeyManager {
    private final List<Credential> all;
    private final Map<String, List<Integer>> byName = new HashMap<>();

    ServerKeys(List<Credential> all) {
        this.all = List.copyOf(all);
        for (int i = 0; i < all.size(); i++) {
            for (String name : CertificateNames.of(all.get(i).certificate())) {
                byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(i);
            }
        }
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        for (int index : candidates(requested(engine))) {
            if (all.get(index).key().getAlgorithm().equals(keyType)) {
                return Integer.toString(index);
            }
        }
        return null;
    }

    private List<Integer> candidates(String name) {
        List<Integer> exact = byName.getOrDefault(name, List.of());
        if (!exact.isEmpty()) {
            return exact;
        }
        int dot = name.indexOf('.');
        List<Integer> wild = byName.getOrDefault("*" + name.substring(Math.max(0, dot)), List.of());
        if (dot > 0 && !wild.isEmpty()) {
            return wild;
        }
        return allFor(CertificateNames.of(all.getFirst().certificate()));
    }

    /// Returns the first credential and those for the same names with another kind of key.
    private List<Integer> allFor(List<String> names) {
        return names.isEmpty() ? List.of(0) : byName.getOrDefault(names.getFirst(), List.of(0));
    }

    private static String requested(SSLEngine engine) {
        if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
            for (SNIServerName name : session.getRequestedServerNames()) {
                if (name.getType() == StandardConstants.SNI_HOST_NAME
                        && name instanceof SNIHostName host) {
                    return host.getAsciiName().toLowerCase(Locale.ROOT);
                }
            }
        }
        return "";
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return of(alias).chain().toArray(new X509Certificate[0]);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return of(alias).key();
    }

    private Credential of(String alias) {
        return all.get(Integer.parseInt(alias));
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
