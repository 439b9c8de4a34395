package dev.serval.examples.osp.call;

/// What a token says about a call. Immutable.
///
/// @param callId base64
/// @param validAfter seconds since 1970
/// @param validUntil seconds since 1970
/// @param transactionId unsigned, 64 bits
/// @param seconds how long the call may last
/// @param network the network id of the destination, or empty
public record TokenContent(
        String calling,
        String called,
        String callId,
        long validAfter,
        long validUntil,
        long transactionId,
        int seconds,
        String network) {}
