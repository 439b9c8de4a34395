/// RFC 9112: encodes and decodes HTTP/1.1 messages in both directions. The codecs are pure and
/// incremental. They consume bytes and return "done", "more" or a [dev.serval.http.ProtocolError].
/// They have no socket, clock or log, and allocate nothing per call after their memory has grown.
///
/// Entry types: [dev.serval.http1.RequestParser], [dev.serval.http1.BodyDecoder] and
/// [dev.serval.http1.ResponseEncoder] for a server; [dev.serval.http1.RequestEncoder] and
/// [dev.serval.http1.ResponseParser] for a client of another server. [dev.serval.policy.Leniency]
/// lists what is accepted beyond the RFC's grammar; everything else is refused. Owner thread: an
/// event loop owns parsers and encoders, a connection owns body decoders. Depends on `http` and
/// `policy`.
@NullMarked
package dev.serval.http1;

import org.jspecify.annotations.NullMarked;
