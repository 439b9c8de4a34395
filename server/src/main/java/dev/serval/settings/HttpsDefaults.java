package dev.serval.settings;

import dev.serval.config.Values;
import dev.serval.tls.CertificateNames;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What holds for browsers if a configuration does not say it: that they use https where they can. A
/// certificate that has signed itself is one for development, so nothing holds for it: a browser that
/// has been told to use only https lets no user accept such a certificate. Stateless.
public final class HttpsDefaults {
    private static final long HSTS_SECONDS = Duration.ofDays(30).toSeconds();

    private HttpsDefaults() {}

    /// Returns for how long browsers use only https after an answer of a listener; 0 for nothing.
    ///
    /// @param tls null without TLS
    public static long hstsSeconds(@Nullable TlsSettings tls) {
        return tls != null && isPublic(certificates(tls)) ? HSTS_SECONDS : 0;
    }

    /// Returns the listeners, of which those with plain HTTP redirect to one with TLS if
    ///
    /// - they do not say otherwise (`https-redirect`);
    /// - other machines reach both, without a proxy that may have decrypted before;
    /// - all hosts of the configuration have a certificate there.
    ///
    /// @param listeners with the tables that they come from, in the same order
    static List<ListenerChoice> redirecting(
            List<ListenerChoice> listeners, List<Values> tables, Values root, Problems problems) {
        @Nullable ListenerChoice target = target(listeners, hosts(root));
        if (target == null || !(target.address() instanceof InetSocketAddress https)) {
            return listeners;
        }
        List<ListenerChoice> all = new ArrayList<>();
        for (int i = 0; i < listeners.size(); i++) {
            ListenerChoice each = listeners.get(i);
            boolean redirects =
                    each.tls() == null
                            && each.proxy() == null
                            && isReachable(each)
                            && !tables.get(i).has("https-redirect");
            if (redirects) {
                problems.note(
                        tables.get(i).where("address"),
                        "This listener redirects all requests to https at port "
                                + https.getPort()
                                + ": https-redirect = 0 has it serve them.");
            }
            all.add(redirects ? each.withHttpsPort(https.getPort()) : each);
        }
        return all;
    }

    /// Returns the listener to redirect to, or null.
    private static @Nullable ListenerChoice target(
            List<ListenerChoice> listeners, Set<String> hosts) {
        for (ListenerChoice each : listeners) {
            @Nullable TlsSettings tls = each.tls();
            if (tls == null || !isReachable(each)) {
                continue;
            }
            List<X509Certificate> certificates = certificates(tls);
            Set<String> names = new HashSet<>();
            certificates.forEach(one -> names.addAll(CertificateNames.of(one)));
            if (isPublic(certificates)
                    && hosts.stream().allMatch(host -> CertificateNames.cover(names, host))) {
                return each;
            }
        }
        return null;
    }

    private static boolean isReachable(ListenerChoice choice) {
        return choice.address() instanceof InetSocketAddress inet
                && ListenAddress.reachable(inet)
                && inet.getPort() != 0;
    }

    private static Set<String> hosts(Values root) {
        Set<String> hosts = new HashSet<>();
        for (Values host : root.tables("host")) {
            if (host.has("name")) {
                host.texts("name").forEach(name -> hosts.add(name.toLowerCase(Locale.ROOT)));
            }
        }
        return hosts;
    }

    private static boolean isPublic(List<X509Certificate> certificates) {
        return !certificates.isEmpty()
                && certificates.stream()
                        .noneMatch(one ->
                                one.getIssuerX500Principal().equals(one.getSubjectX500Principal()));
    }

    /// Returns the servers' own certificates; none if a file cannot be read, which was reported before.
    private static List<X509Certificate> certificates(TlsSettings tls) {
        List<X509Certificate> all = new ArrayList<>();
        for (KeyFiles files : tls.keys()) {
            try {
                files.read().forEach(each -> all.add(each.certificate()));
            } catch (IOException e) {
                return List.of();
            }
        }
        return all;
    }
}
