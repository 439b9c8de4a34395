/// RFC 9112: HTTP/1.1 messages as bytes, in both directions. Pure incremental codecs: bytes in,
/// "done", "more" or a [dev.serval.http.ProtocolError] out; no socket, no clock, no log, and no
/// allocation a call once their memory has grown.
///
/// Entry types: [dev.serval.http1.RequestParser], [dev.serval.http1.BodyDecoder] and
/// [dev.serval.http1.ResponseEncoder] for a server; [dev.serval.http1.RequestEncoder] and
/// [dev.serval.http1.ResponseParser] for its way to another one. What is accepted beyond the RFC's
/// grammar is listed in [dev.serval.policy.Leniency]; all else is refused. Owner thread: parsers and
/// encoders belong to an event loop, body decoders to a connection. Depends on `http`.
@NullMarked
package dev.serval.http1;

import org.jspecify.annotations.NullMarked;
