package dev.serval.app;

import java.util.concurrent.TimeUnit;

/// The limits of what an [AppExchange] keeps in memory. The server's own limits
/// ([dev.serval.policy.Limits]) apply first. Immutable; change one with the `with…` methods.
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
    public static final AppLimits DEFAULT =
            new AppLimits(1 << 20, 256 << 10, 1000, 100, TimeUnit.SECONDS.toNanos(15));

    /// Checks the values.
    public AppLimits {
        check("bodyMaxBytes", bodyMaxBytes, Integer.MAX_VALUE - 16);
        check("formMaxBytes", formMaxBytes, Integer.MAX_VALUE - 16);
        check("parametersMax", parametersMax, Integer.MAX_VALUE - 16);
        check("cookiesMax", cookiesMax, Integer.MAX_VALUE - 16);
        check("eventSilenceNanos", eventSilenceNanos, Long.MAX_VALUE);
    }

    /// Returns a copy with another limit of content.
    public AppLimits withBodyMaxBytes(int other) {
        return new AppLimits(other, formMaxBytes, parametersMax, cookiesMax, eventSilenceNanos);
    }

    /// Returns a copy with another limit of forms.
    public AppLimits withFormMaxBytes(int other) {
        return new AppLimits(bodyMaxBytes, other, parametersMax, cookiesMax, eventSilenceNanos);
    }

    /// Returns a copy with another number of parameters.
    public AppLimits withParametersMax(int other) {
        return new AppLimits(bodyMaxBytes, formMaxBytes, other, cookiesMax, eventSilenceNanos);
    }

    /// Returns a copy with another number of cookies.
    public AppLimits withCookiesMax(int other) {
        return new AppLimits(bodyMaxBytes, formMaxBytes, parametersMax, other, eventSilenceNanos);
    }

    /// Returns a copy with another time without an event.
    public AppLimits withEventSilenceNanos(long other) {
        return new AppLimits(bodyMaxBytes, formMaxBytes, parametersMax, cookiesMax, other);
    }

    private static void check(String name, long value, long most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + ": it must be from 1 to " + most + ".");
        }
    }
}
