package dev.serval.access;

import static java.util.Objects.requireNonNull;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Task;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HeadCopy;
import dev.serval.http.Status;
import dev.serval.servlet.login.Answers;
import dev.serval.servlet.login.BasicLogin;
import dev.serval.servlet.password.KeyedHash;
import dev.serval.servlet.password.Verdict;
import dev.serval.servlet.password.Verifier;
import dev.serval.servlet.request.Identity;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Lets in who sends the name and the password of a user (BASIC, RFC 7617), and perhaps a role. The
/// handlers that follow get the name of the user ([RequestHead#user]) and no password: the field
/// Authorization ends here. An application behind FastCGI, SCGI or LRWP gets REMOTE_USER and
/// AUTH_TYPE.
///
/// Hashing a password takes a while by intention, and guesses are slowed down by waiting. Both happen
/// on Workers, because each wait would occupy a whole thread of `ExecutorKind.BLOCKING`, and two
/// clients that guess could take all of them.
public final class BasicAccess implements Handler {
    private static final Fields RETRY = Fields.of(FieldName.RETRY_AFTER, "2");

    private final Verifier verifier;
    private final Set<String> roles;
    private final Fields challenge;
    private final RecentLogins recent = new RecentLogins();
    private final Mapping mapping = new Mapping("login");

    /// Creates the handler.
    ///
    /// @param realm the name of what is protected, which browsers show
    /// @param roles of which a user needs one; empty for every user
    /// @throws IllegalArgumentException if the realm has other characters than those of ASCII
    public BasicAccess(SiteUsers users, String realm, Set<String> roles) {
        if (!Answers.isPlain(realm)) {
            throw new IllegalArgumentException(
                    "A realm must have only letters, digits and signs of ASCII, because challenges"
                            + " have no charset, but is \""
                            + realm
                            + "\"");
        }
        this.verifier = users.verifier();
        this.roles = Set.copyOf(roles);
        this.challenge = Fields.of(FieldName.WWW_AUTHENTICATE, BasicLogin.challenge(realm));
    }

    @Override
    public void handle(Exchange exchange) {
        EngineExchange x = EngineExchange.of(exchange);
        @Nullable String field = x.request().fields().first(FieldName.AUTHORIZATION);
        if (field == null || field.length() > verifier.limits().credentialsMaxChars()) {
            challenge(x);
            return;
        }
        KeyedHash.Value key = verifier.key(field);
        @Nullable Identity known = recent.get(key, x.nowNanos());
        if (known != null) {
            admit(x, known);
            return;
        }
        String address =
                x.connection().peer() instanceof InetSocketAddress inet
                        ? inet.getAddress().getHostAddress()
                        : "local";
        Task task =
                () -> {
                    Checked checked = check(field, key, address);
                    return same -> answer(EngineExchange.of(same), key, checked);
                };
        x.run(mapping, task);
    }

    @Override
    public boolean takesOtherMethods() {
        return true; // a later handler may take them
    }

    @Override
    public boolean takesTrace() {
        return true; // likewise
    }

    /// The result of a check.
    ///
    /// @param user whose credentials they are; null if they are wrong or were not checked
    /// @param refusal why they were not checked; null if they were
    private record Checked(@Nullable Identity user, @Nullable Status refusal) {}

    /// Checks credentials. Blocks.
    private Checked check(String field, KeyedHash.Value key, String address) {
        @Nullable Identity known = verifier.remembered(key);
        if (known != null) {
            return new Checked(known, null);
        }
        BasicLogin.@Nullable Credentials sent = BasicLogin.Credentials.parse(field);
        if (sent == null) {
            return new Checked(null, null);
        }
        long version = verifier.version(); // before the check
        Verdict verdict = verifier.verify(sent.name(), sent.password(), address);
        @Nullable Identity user = Answers.identity(verdict, BasicLogin.SCHEME);
        if (user != null) {
            verifier.remember(key, user, version);
        }
        return new Checked(user, refusal(verdict));
    }

    private static @Nullable Status refusal(Verdict verdict) {
        if (verdict instanceof Verdict.Refused(boolean guessing)) {
            return guessing ? Status.TOO_MANY_REQUESTS : Status.SERVICE_UNAVAILABLE;
        }
        return verdict instanceof Verdict.Unavailable ? Status.SERVICE_UNAVAILABLE : null;
    }

    private void answer(EngineExchange x, KeyedHash.Value key, Checked checked) {
        @Nullable Identity user = checked.user();
        @Nullable Status refusal = checked.refusal();
        if (user != null) {
            recent.put(key, user, x.nowNanos());
            admit(x, user);
        } else if (refusal != null) {
            x.refuse(refusal, RETRY, "The password cannot be checked now; please try again.");
        } else {
            challenge(x);
        }
    }

    private void challenge(EngineExchange x) {
        x.refuse(Status.UNAUTHORIZED, challenge, "Log in to use this part of the site.");
    }

    private void admit(EngineExchange x, Identity user) {
        if (!roles.isEmpty() && Collections.disjoint(roles, user.roles())) {
            x.refuse(
                    Status.FORBIDDEN, Fields.EMPTY, "This user may not use this part of the site.");
            return;
        }
        Principal principal = requireNonNull(user.principal());
        x.replaceHead(requireNonNull(HeadCopy.of(x.request()).user(principal.getName()).make()));
        x.pass();
    }
}
