package dev.serval.servlet.login;

import dev.serval.servlet.password.DigestNonces;
import dev.serval.servlet.password.Verdict;
import dev.serval.servlet.password.Verifier;
import dev.serval.servlet.request.Identity;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.users.Account;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// DIGEST: the client proves that it knows the password, but does not send it (RFC 7616). Only
/// SHA-256 and the quality of protection "auth" are offered.
public final class DigestLogin implements Authenticator {
    public static final String SCHEME = "DIGEST";

    private static final DigestAlgorithm ALGORITHM = DigestAlgorithm.SHA_256;

    private final Verifier verifier;
    private final String realm;
    private final DigestNonces nonces;
    private final String opaque;
    private final String decoy;

    /// Creates the login of an application.
    ///
    /// @param keys returns texts that no client can guess
    public DigestLogin(Verifier verifier, String realm, Supplier<String> keys) {
        this.verifier = verifier;
        this.realm = realm;
        this.nonces = verifier.nonces();
        this.opaque = keys.get();
        this.decoy = ALGORITHM.hash(keys.get());
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public boolean authenticate(
            ServletExchange exchange, HttpServletResponse response, boolean protects)
            throws IOException {
        @Nullable String field = Answers.credentials(exchange, verifier.limits());
        @Nullable DigestResponse sent = field == null ? null : DigestResponse.parse(field);
        if (sent == null || !isForUs(sent, exchange)) {
            challenge(response, false);
            return false;
        }
        String method = exchange.request().getMethod();
        String address = exchange.request().getRemoteAddr();
        Verdict verdict = verifier.slowed(sent.name(), address, () -> check(sent, method));
        @Nullable Identity user = Answers.identity(verdict, SCHEME);
        if (user != null) {
            Answers.accept(exchange, user);
            return true;
        }
        if (!Answers.refused(verdict, response)) {
            challenge(response, verdict instanceof Verdict.Stale);
        }
        return false;
    }

    /// Returns whether the response is for this realm and this request (§3.4.6).
    private boolean isForUs(DigestResponse sent, ServletExchange exchange) {
        return sent.realm().equals(realm)
                && sent.uri().equals(exchange.request().head().target().text());
    }

    private Verdict check(DigestResponse sent, String method) throws IOException {
        @Nullable Account account = verifier.find(sent.name());
        @Nullable String known =
                account == null
                        ? null
                        : account.secret().digest(account.name(), realm, ALGORITHM.text());
        String expected = sent.expected(ALGORITHM, known == null ? decoy : known, method);
        boolean right =
                MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.US_ASCII),
                        sent.response().getBytes(StandardCharsets.US_ASCII));
        if (account == null || known == null || !right) {
            return new Verdict.Rejected();
        }
        if (!sent.opaque().equals(opaque)) {
            // An earlier version of the application has asked. The client repeats the request with
            // the new challenge, and does not ask its user again (§3.3, stale).
            return new Verdict.Stale();
        }
        if (nonces.use(sent.nonce(), sent.nonceCount())) {
            return new Verdict.Accepted(account);
        }
        if (nonces.isValid(sent.nonce())) {
            verifier.countReplay();
        }
        return new Verdict.Stale();
    }

    private void challenge(HttpServletResponse response, boolean stale) throws IOException {
        Answers.challenge(
                response,
                "Digest realm="
                        + Answers.quoted(realm)
                        + ", qop=\"auth\", algorithm="
                        + ALGORITHM.text()
                        + ", nonce=\""
                        + nonces.next()
                        + "\", opaque=\""
                        + opaque
                        + "\", charset=UTF-8"
                        + (stale ? ", stale=true" : ""));
    }
}
