/// For code that may block: streams over an exchange that wait, and the pools behind
/// `ExecutorKind.BLOCKING` and `ExecutorKind.DISK`.
///
/// Entry types: [dev.serval.blocking.BlockingHandler] and the
/// [dev.serval.blocking.BlockingExchange] it is given; [dev.serval.blocking.BlockingPool]. Owner
/// threads: an exchange is its handler's thread's, what is said to be the loop's is touched by
/// commands to the loop only, and neither waits for a lock of the other. Depends on `http`, `handler`, `exchange` and `worker`.
@NullMarked
package dev.serval.blocking;

import org.jspecify.annotations.NullMarked;
