package dev.serval.app;

import java.util.concurrent.TimeUnit;

/// The bounds of what an [AppExchange] keeps in memory. The bounds of the server, which are in
/// [dev.serval.policy.Limits], apply first. Immutable; change one with the `with…` methods.
///
/// @param bodyMaxBytes content that [AppExchange#body] and [AppExchange#bodyText] read; past it 413
/// @param formMaxBytes content that [AppExchange#form] reads; past it 413
/// @param parametersMax parameters of a query, past it 400, and of a form, past it 413
/// @param cookiesMax cookies of a request; past it 431
/// @param eventSilenceNanos time without an event after which [EventStream] sends a comment, so that
///     proxies keep the connection and a client that has gone is noticed
public record AppLimits(
        int bodyMaxBytes,
        int formMaxBytes,
        int parametersMax,
        int cookiesMax,
        long eventSilenceNanos) {
    /// 1 MiB, 256 KiB, 1,000, 100, 15 s.
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

    /// With another bound of content in memory.
    public AppLimits withBodyMaxBytes(int other) {
        return new AppLimits(other, formMaxBytes, parametersMax, cookiesMax, eventSilenceNanos);
    }

    /// With another bound of forms.
    public AppLimits withFormMaxBytes(int other) {
        return new AppLimits(bodyMaxBytes, other, parametersMax, cookiesMax, eventSilenceNanos);
    }

    /// With another number of parameters.
    public AppLimits withParametersMax(int other) {
        return new AppLimits(bodyMaxBytes, formMaxBytes, other, cookiesMax, eventSilenceNanos);
    }

    /// With another number of cookies.
    public AppLimits withCookiesMax(int other) {
        return new AppLimits(bodyMaxBytes, formMaxBytes, parametersMax, other, eventSilenceNanos);
    }

    /// With another time of silence.
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
