package dev.serval.rule;

import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.Recent;
import dev.serval.http.Status;
import dev.serval.policy.AddressRange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets in clients by their address, and answers 403 to the others. The first rule that covers the
/// address decides. If none does, the client is let in, unless a rule allows some addresses: then all
/// others are refused.
///
/// A client at a Unix-domain socket has no address, so only a rule for all covers it.
public final class AddressRules implements Handler {
    /// A rule. Immutable.
    ///
    /// @param allows whether the addresses are let in
    /// @param range the addresses; null for all
    public record Rule(boolean allows, @Nullable AddressRange range) {
        /// Returns a rule that lets in the addresses of a range such as `10.0.0.0/8`, or `all`.
        ///
        /// @throws IllegalArgumentException if the text is neither
        public static Rule allow(String range) {
            return new Rule(true, range(range));
        }

        /// Returns a rule that refuses the addresses of a range such as `10.0.0.0/8`, or `all`.
        ///
        /// @throws IllegalArgumentException if the text is neither
        public static Rule deny(String range) {
            return new Rule(false, range(range));
        }

        private static @Nullable AddressRange range(String text) {
            return text.equals("all") ? null : AddressRange.of(text);
        }

        private boolean covers(@Nullable InetAddress address) {
            return range == null || (address != null && range.contains(address));
        }
    }

    private final List<Rule> rules;
    private final boolean otherwise;
    private final Recent<InetAddress> recent = new Recent<>(this::allows);

    /// Creates the handler of these rules.
    public AddressRules(List<Rule> rules) {
        this.rules = List.copyOf(rules);
        this.otherwise = rules.stream().noneMatch(Rule::allows);
    }

    @Override
    public void handle(Exchange x) {
        @Nullable InetAddress address =
                x.connection().peer() instanceof InetSocketAddress inet ? inet.getAddress() : null;
        if (address == null ? allows(null) : recent.of(address)) {
            x.pass();
        } else {
            x.refuse(
                    Status.FORBIDDEN,
                    Fields.EMPTY,
                    "Your address may not use this part of the site.");
        }
    }

    @Override
    public boolean takesOtherMethods() {
        return true; // a later handler may take them
    }

    @Override
    public boolean takesTrace() {
        return true; // likewise
    }

    private boolean allows(@Nullable InetAddress address) {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).covers(address)) {
                return rules.get(i).allows();
            }
        }
        return otherwise;
    }
}
