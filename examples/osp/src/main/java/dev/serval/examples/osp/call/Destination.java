package dev.serval.examples.osp.call;

import java.math.BigDecimal;
import java.math.MathContext;

/// A place that takes calls for a prefix. Immutable.
///
/// @param address such as `[192.0.2.7]:5060`
/// @param weight the part of the calls among destinations of equal price; 0 takes calls only after
///     the others
/// @param rate the price of `perSeconds`
/// @param currency three letters
/// @param seconds how long a call may last
/// @param protocol the signalling protocol; empty if the table names none
/// @param network the network id in the token; empty if the table names none
public record Destination(
        String address,
        int weight,
        BigDecimal rate,
        int perSeconds,
        String currency,
        int seconds,
        String protocol,
        String network) {
    /// Returns the price of one second, to compare destinations.
    double perSecond() {
        return rate.divide(BigDecimal.valueOf(perSeconds), MathContext.DECIMAL64).doubleValue();
    }
}
