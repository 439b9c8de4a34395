package dev.serval.servlet.login;

import dev.serval.handler.TlsFacts;
import dev.serval.servlet.password.Verdict;
import dev.serval.servlet.password.Verifier;
import dev.serval.servlet.request.Identity;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.users.Account;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/// CLIENT-CERT: the certificate of the client names the user (Servlet 6.1 §13.6.4). The TLS handshake has
/// checked that an authority of the listener has signed it, and that the client has its key.
///
/// The user is the one whose name is the whole subject (RFC 2253), such as `CN=ada,O=Example`, or
/// otherwise the one whose name is the common name, such as `ada`.
public final class CertificateLogin implements Authenticator {
    /// The `auth-method` of a login-config.
    public static final String METHOD = "CLIENT-CERT";

    private final Verifier verifier;

    public CertificateLogin(Verifier verifier) {
        this.verifier = verifier;
    }

    @Override
    public String scheme() {
        return HttpServletRequest.CLIENT_CERT_AUTH;
    }

    @Override
    public boolean authenticate(
            ServletExchange exchange, HttpServletResponse response, boolean protects)
            throws IOException {
        @Nullable X509Certificate certificate = certificate(exchange);
        Verdict verdict = certificate == null ? new Verdict.Rejected() : verdict(certificate);
        @Nullable Identity user = Answers.identity(verdict, scheme());
        if (user != null) {
            Answers.accept(exchange, user);
            return true;
        }
        if (!Answers.refused(verdict, response)) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        }
        return false;
    }

    private static @Nullable X509Certificate certificate(ServletExchange exchange) {
        @Nullable TlsFacts tls = exchange.engine().connection().tls();
        List<X509Certificate> chain = tls == null ? List.of() : tls.peerCertificates();
        return chain.isEmpty() ? null : chain.getFirst();
    }

    private Verdict verdict(X509Certificate certificate) {
        String subject = certificate.getSubjectX500Principal().getName();
        try {
            @Nullable Account account = verifier.find(subject);
            @Nullable String common = account == null ? commonName(subject) : null;
            if (common != null) {
                account = verifier.find(common);
            }
            return account == null ? new Verdict.Rejected() : new Verdict.Accepted(account);
        } catch (IOException e) {
            verifier.reportUnreadable(e);
            return new Verdict.Unavailable();
        }
    }

    /// Returns the most specific common name; null if there is none.
    private static @Nullable String commonName(String subject) {
        try {
            List<Rdn> parts = new LdapName(subject).getRdns();
            for (Rdn part : parts.reversed()) { // the first of the text is the last of the list
                if (part.getType().equalsIgnoreCase("CN")
                        && part.getValue() instanceof String name
                        && !name.isEmpty()) {
                    return name;
                }
            }
        } catch (InvalidNameException e) {
            // It has no common name that could be read.
        }
        return null;
    }
}
