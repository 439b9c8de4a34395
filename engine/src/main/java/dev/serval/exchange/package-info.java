/// One exchange for every protocol: its chain of handlers, permit, tasks, faults, callbacks,
/// content length, error responses and access record; and the admission of connections and
/// exchanges. A protocol adds its framing through three small ports. No API: only the engine and its
/// modules see this package.
///
/// Entry types: [dev.serval.exchange.ServerExchange], which a protocol drives; its ports
/// [dev.serval.exchange.ExchangePort], [dev.serval.exchange.ContentPort] and
/// [dev.serval.exchange.ResponsePort]; and [dev.serval.exchange.EngineExchange], which the engine's
/// own handlers use. Owner thread: an exchange belongs to the event loop of its connection. Source:
/// RFC 9110. Depends on `loop`, `worker`, `http`, `handler` and `policy`.
@NullMarked
package dev.serval.exchange;

import org.jspecify.annotations.NullMarked;
