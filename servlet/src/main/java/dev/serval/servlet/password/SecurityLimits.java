package dev.serval.servlet.password;

import java.util.concurrent.TimeUnit;

/// The limits of logins. Immutable.
///
/// @param credentialsMaxChars of the field Authorization, and of a form's name and password
///   together
/// @param cachedMax the passwords that are remembered as right
/// @param cachedNanos how long they are
/// @param checksMax the passwords that are checked at a time
/// @param checksWaitingMax the requests that wait for that
/// @param checkWaitNanos how long a request waits for that
/// @param failuresMax the names and addresses whose failures are remembered
/// @param failuresNanos how long they are
/// @param savedMaxBytes of the content of a request that waits for a login by form
/// @param savedAllMaxBytes of all such requests of an application
/// @param nonceNanos how long a nonce of DIGEST is valid
/// @param noncesMax the nonces whose use is remembered
public record SecurityLimits(
        int credentialsMaxChars,
        int cachedMax,
        long cachedNanos,
        int checksMax,
        int checksWaitingMax,
        long checkWaitNanos,
        int failuresMax,
        long failuresNanos,
        int savedMaxBytes,
        int savedAllMaxBytes,
        long nonceNanos,
        int noncesMax) {
    /// The limits of a machine with as many processors.
    public static SecurityLimits standard(int processors) {
        return new SecurityLimits(
                8 << 10,
                1_000,
                TimeUnit.SECONDS.toNanos(60),
                Math.max(1, processors / 2), // the others are left to requests without logins
                64 * Math.max(1, processors),
                TimeUnit.SECONDS.toNanos(5),
                10_000,
                TimeUnit.MINUTES.toNanos(10),
                64 << 10,
                16 << 20,
                TimeUnit.MINUTES.toNanos(5),
                10_000);
    }
}
