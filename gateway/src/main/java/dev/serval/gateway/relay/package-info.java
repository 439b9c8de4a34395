/// One attempt to have a peer answer an exchange, for every protocol of the gateway: the request's
/// content on its way, and what the client and the log are told if no answer comes.
///
/// Entry types: [dev.serval.gateway.relay.ContentPump] for the request's content, and
/// [dev.serval.gateway.relay.Failures] for requests without an answer. The loop of the exchange owns
/// all of them. Depends on `peer`, `spool` and the engine's `file`.
@NullMarked
package dev.serval.gateway.relay;

import org.jspecify.annotations.NullMarked;
