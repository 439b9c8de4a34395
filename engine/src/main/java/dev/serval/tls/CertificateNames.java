package dev.serval.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The host names that a certificate is for (RFC 6125 §6.4): its alternative names. The common name
/// does not count.
public final class CertificateNames {
    private static final Integer DNS_NAME = 2;

    private CertificateNames() {}

    /// Returns the names in lower case, such as `example.org` or `*.example.org`.
    public static List<String> of(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        @Nullable Collection<List<?>> alternatives = alternatives(certificate);
        if (alternatives != null) {
            for (List<?> each : alternatives) {
                if (DNS_NAME.equals(each.getFirst()) && each.get(1) instanceof String name) {
                    names.add(name.toLowerCase(Locale.ROOT));
                }
            }
        }
        return names;
    }

    /// Returns whether one of these names is that of a host, or has a wildcard for its first label.
    ///
    /// @param host in lower case; one that begins with `*.` needs the same wildcard
    public static boolean cover(Collection<String> names, String host) {
        int dot = host.indexOf('.');
        return names.contains(host) || (dot > 0 && names.contains("*" + host.substring(dot)));
    }

    /// Returns the names for people; the subject if there are none.
    static String text(X509Certificate certificate) {
        List<String> names = of(certificate);
        return names.isEmpty()
                ? certificate.getSubjectX500Principal().getName()
                : String.join(", ", names);
    }

    private static @Nullable Collection<List<?>> alternatives(X509Certificate certificate) {
        try {
            return certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            return null;
        }
    }
}
