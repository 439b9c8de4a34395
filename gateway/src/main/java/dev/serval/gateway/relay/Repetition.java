package dev.serval.gateway.relay;

import dev.serval.gateway.peer.Peer;

/// Which attempt at a request this is, and when another one may follow. Immutable.
///
/// @param rule the same for all attempts of a protocol
/// @param attempt counts from 1
/// @param lostAt the upstreams at which earlier attempts were lost and which are to be left out, as
///     bits ([Peer#upstreamBit])
public record Repetition(Rule rule, int attempt, long lostAt) {
    /// When a request that was lost at a peer may be sent again.
    public enum Rule {
        /// Never: the protocol does not tell whether the peer has begun to serve it.
        NEVER(1),
        /// If the connection has served a request before, at any peer. A process of PHP that ends
        /// after `pm.max_requests` closes its connection when the next request may be on its way
        /// already; a script that crashes should not run again. After a restart each connection that
        /// was idle may be lost, one after the other.
        KEPT_CONNECTION(5),
        /// On any connection, and at another upstream while another one is up.
        OTHER_UPSTREAM(3);

        private final int attemptsMax;

        Rule(int attemptsMax) {
            this.attemptsMax = attemptsMax;
        }
    }

    /// Returns the first attempt.
    public static Repetition first(Rule rule) {
        return new Repetition(rule, 1, 0);
    }

    /// Returns whether the rule allows another attempt after this one was lost.
    boolean mayFollow(Peer lost) {
        return attempt < rule.attemptsMax && (rule != Rule.KEPT_CONNECTION || lost.hasServed());
    }

    /// Returns the attempt that follows after this one was lost.
    Repetition next(Peer lost) {
        long out = rule == Rule.OTHER_UPSTREAM ? lostAt | lost.upstreamBit() : lostAt;
        return new Repetition(rule, attempt + 1, out);
    }
}
