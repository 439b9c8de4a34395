package dev.serval.http;

import org.jspecify.annotations.Nullable;

/// What [Exchange#run] carries out at a [Place]. It may not touch the exchange, which stays its
/// loop's; what is to happen there next is the Handler it returns.
@FunctionalInterface
public interface Task {
    /// Runs once, at the place asked for.
    ///
    /// @return the Handler that goes on with the exchange on its loop (not called if the exchange
    ///     was aborted meanwhile), or null where the task saw to the answer itself
    /// @throws Exception answered 500 and logged with its trace
    @Nullable Handler run() throws Exception;
}
