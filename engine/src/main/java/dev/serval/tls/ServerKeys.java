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
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Chooses the credential of a handshake by the name that the client asks for (SNI, RFC 6066 §3):
/// one for exactly that name, otherwise one with a wildcard for its first label, otherwise the first
/// of all. Of those that fit, it is one whose kind of key the client supports. There is none for a name
/// whose certificate is awaited. The authority that checks a name gets the credential for that (RFC
/// 8737). Any thread. The JDK requires this superclass.
public final class ServerKeys extends X509ExtendedKeyManager {
    private final List<Credential> all; // those for clients, then those for authorities
    private final int forClients;
    private final Map<String, List<Integer>> byName = new HashMap<>();
    private final Map<String, List<Integer>> challenged = new HashMap<>();
    private final Set<String> awaited;
    private final Consumer<String> refused;

    ServerKeys(List<Credential> all) {
        this(new IssuedKeys(all, Set.of(), List.of()), _ -> {});
    }

    /// Serves these keys.
    ///
    /// @param refused takes the name for which there is no certificate yet, at each handshake
    public ServerKeys(IssuedKeys keys, Consumer<String> refused) {
        this.all = new ArrayList<>();
        this.forClients = keys.credentials().size();
        this.awaited = keys.awaited();
        this.refused = refused;
        keys.credentials().forEach(each -> add(each, byName));
        keys.challenges().forEach(each -> add(each, challenged));
    }

    private void add(Credential credential, Map<String, List<Integer>> names) {
        for (String name : CertificateNames.of(credential.certificate())) {
            names.computeIfAbsent(name, _ -> new ArrayList<>()).add(all.size());
        }
        all.add(credential);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        String name = requested(engine);
        boolean checks =
                IssuedKeys.CHALLENGE_PROTOCOL.equals(engine.getHandshakeApplicationProtocol());
        for (int index : checks ? challenged.getOrDefault(name, List.of()) : clients(name)) {
            if (all.get(index).key().getAlgorithm().equals(keyType)) {
                return Integer.toString(index);
            }
        }
        return null;
    }

    /// Returns those that fit a name. There are none while the certificate of the name is awaited.
    ///
    /// @param name in lower case; empty if the client has asked for none
    public List<Credential> fitting(String name) {
        return clients(name).stream().map(all::get).toList();
    }

    private List<Integer> clients(String name) {
        List<Integer> fit = candidates(name);
        if (fit.isEmpty()) {
            refused.accept(name);
        }
        return fit;
    }

    private List<Integer> candidates(String name) {
        List<Integer> exact = byName.getOrDefault(name, List.of());
        if (!exact.isEmpty() || awaited.contains(name)) {
            return exact;
        }
        int dot = Math.max(0, name.indexOf('.'));
        List<Integer> wild = byName.getOrDefault("*" + name.substring(dot), List.of());
        if (!wild.isEmpty()) {
            return wild;
        }
        return forClients == 0
                ? List.of()
                : allFor(CertificateNames.of(all.getFirst().certificate()));
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
