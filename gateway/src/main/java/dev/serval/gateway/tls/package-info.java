/// TLS to upstreams: which certificates they may show, which one they are shown, and why a handshake
/// with one failed.
///
/// Entry types: [dev.serval.gateway.tls.TlsTarget], which has the settings, and
/// [dev.serval.gateway.tls.UpstreamTls], which creates engines. Owner threads: any. The bytes of a
/// connection are those of [dev.serval.tls.TlsTransport]. Depends on `tls` and `loop` of the engine. See
/// docs/internals/gateway.md, RFC 8446 and RFC 9110 §4.3.4.
@NullMarked
package dev.serval.gateway.tls;

import org.jspecify.annotations.NullMarked;
