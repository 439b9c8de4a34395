/// Support for code that may block: streams over an exchange that wait.
///
/// Entry types: [dev.serval.blocking.BlockingHandler] and the
/// [dev.serval.blocking.BlockingExchange] that it receives;
/// [dev.serval.blocking.BlockingTunnel] after an upgrade.
/// Owner threads: an exchange belongs to the thread of its handler. That thread reaches what
/// belongs to the loop only by commands. Neither of the two threads waits for a lock that the other
/// holds. Depends on `http`, `handler` and `exchange`.
@NullMarked
package dev.serval.blocking;

import org.jspecify.annotations.NullMarked;
