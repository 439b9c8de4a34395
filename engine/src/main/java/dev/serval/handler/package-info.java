/// The contract between connections and handlers: an exchange, its content, its response, and the
/// executors of its code. No I/O, no clock.
///
/// Entry types: [dev.serval.handler.Handler] and [dev.serval.handler.Exchange]. Owner thread: the
/// event loop of its connection owns an exchange and its parts. Other types are immutable unless
/// their doc says otherwise. Depends on `http`, and on `codec` for
/// the keys of clients.
@NullMarked
package dev.serval.handler;

import org.jspecify.annotations.NullMarked;
