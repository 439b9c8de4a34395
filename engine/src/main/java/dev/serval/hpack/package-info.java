/// RFC 7541: HPACK, the compression of field lines in HTTP/2, in both directions. It needs nothing of
/// HTTP/2, and can be used alone.
///
/// Entry types: [dev.serval.hpack.HpackDecoder], which calls a [dev.serval.hpack.FieldSink] for each
/// field line, and [dev.serval.hpack.HpackEncoder], which is such a sink and writes to a
/// [dev.serval.hpack.HeaderBlock]. The codecs are pure: they have no socket, clock or log, and
/// allocate nothing after their memory has grown. Owner thread: a connection owns its decoder and its
/// encoder, because both depend on all earlier blocks of the connection. Depends on `http`.
@NullMarked
package dev.serval.hpack;

import org.jspecify.annotations.NullMarked;
