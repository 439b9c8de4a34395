/// The HTTP/1.1 reverse proxy (RFC 9110 §7.6, RFC 9112).
///
/// Entry types: [dev.serval.gateway.proxy.ProxyHandler] and its settings,
/// [dev.serval.gateway.proxy.ProxyTarget]. Every message is parsed and framed again, so a message
/// that two servers could read differently is never forwarded. Everything of one request happens on
/// the loop of its exchange; only [dev.serval.gateway.proxy.HealthChecks] has a thread. Depends on
/// `peer`, `relay`, `spool` and the engine.
@NullMarked
package dev.serval.gateway.proxy;

import org.jspecify.annotations.NullMarked;
