/// The contract between connections and handlers: an exchange, its content, its response, and where
/// its code runs. No I/O, no clock.
///
/// Entry types: [dev.serval.handler.Handler] and [dev.serval.handler.Exchange]. Owner thread: an
/// exchange and all below it belong to the event loop of its connection; the rest is immutable or
/// says otherwise. Depends on `http`.
@NullMarked
package dev.serval.handler;

import org.jspecify.annotations.NullMarked;
