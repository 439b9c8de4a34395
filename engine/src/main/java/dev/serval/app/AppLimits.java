package dev.serval.app;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The limits of what an [AppExchange] keeps in memory. The server's own limits
/// ([dev.serval.policy.Limits]) apply first. Immutable; [#with] returns a changed copy.
///
/// @param bodyMaxBytes content that [AppExchange#body] and [AppExchange#bodyText] read; beyond it
///     413
/// @param formMaxBytes content that [AppExchange#form] reads; beyond it 413
/// @param parametersMax parameters of a query, beyond it 400, and of a form, beyond it 413
/// @param cookiesMax cookies of a request; beyond it 431
/// @param eventSilenceNanos time without an event after which [EventStream] sends a comment, or at
///     the latest after twice this time. The comment keeps proxies from closing the connection, and
///     detects a lost client
public record AppLimits(
        int bodyMaxBytes,
        int formMaxBytes,
        int parametersMax,
        int cookiesMax,
        long eventSilenceNanos) {
    /// 1 MiB of content, 256 KiB of form, 1,000 parameters, 100 cookies, 15 s without an event.
    public static final AppLimits DEFAULT = new Draft().build();

    /// Checks the values.
    public AppLimits {
        check("bodyMaxBytes", bodyMaxBytes, Integer.MAX_VALUE - 16);
        check("formMaxBytes", formMaxBytes, Integer.MAX_VALUE - 16);
        check("parametersMax", parametersMax, Integer.MAX_VALUE - 16);
        check("cookiesMax", cookiesMax, Integer.MAX_VALUE - 16);
        check("eventSilenceNanos", eventSilenceNanos, Long.MAX_VALUE);
    }

    /// Returns a copy in which `change` has set some limits.
    public AppLimits with(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.bodyMaxBytes = bodyMaxBytes;
        draft.formMaxBytes = formMaxBytes;
        draft.parametersMax = parametersMax;
        draft.cookiesMax = cookiesMax;
        draft.eventSilenceNanos = eventSilenceNanos;
        change.accept(draft);
        return draft.build();
    }

    /// These limits while they are chosen, with the defaults at first. Each is a field, so that wherever a
    /// value is set, its name stands beside it. Used by one thread, within [#with].
    public static final class Draft {
        public int bodyMaxBytes = 1 << 20;
        public int formMaxBytes = 256 << 10;
        public int parametersMax = 1000;
        public int cookiesMax = 100;
        public long eventSilenceNanos = TimeUnit.SECONDS.toNanos(15);

        private Draft() {}

        private AppLimits build() {
            return new AppLimits(
                    bodyMaxBytes, formMaxBytes, parametersMax, cookiesMax, eventSilenceNanos);
        }
    }

    private static void check(String name, long value, long most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + ": it must be from 1 to " + most + ".");
        }
    }
}
