package dev.serval.gateway.lrwp;

import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.policy.AddressRange;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The settings of an [LrwpAgent]. Immutable.
///
/// @param allowed which names may be registered
/// @param from the addresses of peers; empty for all. Peers at a Unix-domain socket are always allowed
/// @param startup limits of peers that have not registered yet
/// @param answers limits of bodies and answers
/// @param pool limits of each name: its connections, its queue, its answer deadline
/// @param spool how much content may wait in memory and in files
public record LrwpSettings(
        AllowedNames allowed,
        List<AddressRange> from,
        Startups startup,
        Contents answers,
        PoolLimits pool,
        SpoolLimits spool) {
    /// The settings that apply if nothing else is set.
    public static final LrwpSettings DEFAULT =
            new LrwpSettings(
                    AllowedNames.ALL,
                    List.of(),
                    Startups.DEFAULT,
                    Contents.DEFAULT,
                    PoolLimits.DIAL_IN,
                    SpoolLimits.DEFAULT);

    /// Copies the list.
    public LrwpSettings {
        from = List.copyOf(from);
    }

    /// Limits of peers that have not registered yet. Immutable; [#with] returns a changed copy.
    ///
    /// @param nanos from the connection to the end of the registration
    /// @param maxBytes of the startup message
    /// @param holdNanos from `OK` to the first request, because peers read both as one message
    ///     otherwise
    /// @param unregisteredMax connections that have not registered yet
    /// @param names limits of the names
    /// @param peersMax registered connections of all names
    public record Startups(
            long nanos,
            int maxBytes,
            long holdNanos,
            int unregisteredMax,
            Names names,
            int peersMax) {
        /// The limits of a [Draft] in which nothing was set.
        public static final Startups DEFAULT = new Draft().build();

        /// Checks the numbers.
        public Startups {
            boolean timed = nanos >= 1 && holdNanos >= 0;
            boolean counted = unregisteredMax >= 1 && peersMax >= 1;
            if (!timed || !counted || maxBytes < 8) {
                throw new IllegalArgumentException("A limit of registrations is too small");
            }
        }

        /// Returns a copy in which `change` has set some limits, such as
        /// `limits.with(draft -> draft.peersMax = 10)`.
        public Startups with(Consumer<Draft> change) {
            Draft draft = new Draft();
            draft.nanos = nanos;
            draft.maxBytes = maxBytes;
            draft.holdNanos = holdNanos;
            draft.unregisteredMax = unregisteredMax;
            draft.names = names;
            draft.peersMax = peersMax;
            change.accept(draft);
            return draft.build();
        }

        /// Limits while they are chosen, at first the usual ones. Used by one thread, within
        /// [#with].
        public static final class Draft {
            public long nanos = TimeUnit.SECONDS.toNanos(5);
            public int maxBytes = 1024;
            public long holdNanos = TimeUnit.MILLISECONDS.toNanos(50);
            public int unregisteredMax = 256;
            public Names names = Names.DEFAULT;
            public int peersMax = 4096;

            private Draft() {}

            private Startups build() {
                return new Startups(nanos, maxBytes, holdNanos, unregisteredMax, names, peersMax);
            }
        }
    }

    /// Limits of the registered names. The same name on two hosts counts twice.
    ///
    /// @param max the most names
    /// @param forgetNanos how long a name stays in the status after its last peer has left
    public record Names(int max, long forgetNanos) {
        /// 1000 names, 1 hour.
        public static final Names DEFAULT = new Names(1000, TimeUnit.HOURS.toNanos(1));

        /// Checks the numbers.
        public Names {
            if (max < 1 || forgetNanos < 0) {
                throw new IllegalArgumentException("A limit of names is too small");
            }
        }
    }

    /// Limits of bodies and answers.
    ///
    /// @param bodyMaxBytes of a request's content; the server's own limit also applies
    /// @param answerMaxBytes of what a peer sends for one request, with its head
    public record Contents(long bodyMaxBytes, long answerMaxBytes) {
        /// The most that the protocol allows.
        public static final Contents DEFAULT = new Contents(LengthField.MAX, LengthField.MAX);

        /// Checks the numbers.
        public Contents {
            boolean sized = bodyMaxBytes >= 0 && answerMaxBytes >= 1;
            if (!sized || bodyMaxBytes > LengthField.MAX || answerMaxBytes > LengthField.MAX) {
                throw new IllegalArgumentException(
                        "A body or an answer of LRWP has at most " + LengthField.MAX + " bytes");
            }
        }
    }

    /// Returns a copy with other allowed names.
    public LrwpSettings withAllowed(AllowedNames names) {
        return new LrwpSettings(names, from, startup, answers, pool, spool);
    }

    /// Returns a copy with other addresses of peers.
    public LrwpSettings withFrom(List<AddressRange> ranges) {
        return new LrwpSettings(allowed, ranges, startup, answers, pool, spool);
    }

    /// Returns a copy with other limits of registrations.
    public LrwpSettings withStartup(Startups other) {
        return new LrwpSettings(allowed, from, other, answers, pool, spool);
    }

    /// Returns a copy with other limits of contents.
    public LrwpSettings withAnswers(Contents other) {
        return new LrwpSettings(allowed, from, startup, other, pool, spool);
    }

    /// Returns a copy with other limits of each name.
    public LrwpSettings withPool(PoolLimits other) {
        return new LrwpSettings(allowed, from, startup, answers, other, spool);
    }

    /// Returns a copy with another spool.
    public LrwpSettings withSpool(SpoolLimits other) {
        return new LrwpSettings(allowed, from, startup, answers, pool, other);
    }
}
