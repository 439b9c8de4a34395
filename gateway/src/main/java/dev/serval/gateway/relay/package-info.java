/// Carries content between an exchange and a peer, in both directions and with back-pressure, for
/// FastCGI, SCGI and the HTTP proxy.
///
/// Entry types: [dev.serval.gateway.relay.ContentPump] for the request's content,
/// [dev.serval.gateway.relay.OutputAnswer] for the output of an application, and
/// [dev.serval.gateway.relay.Failures] for requests without an answer. The loop of the exchange
/// owns all of them. Depends on `cgi`, `peer` and `spool`.
@NullMarked
package dev.serval.gateway.relay;

import org.jspecify.annotations.NullMarked;
