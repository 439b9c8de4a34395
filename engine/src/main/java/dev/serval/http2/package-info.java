/// RFC 9113: reads and writes the frames of HTTP/2 and the fields in them, from the server's side. The
/// codecs are pure and incremental. They have no socket, clock or log, and allocate nothing per frame.
///
/// Entry types: [dev.serval.http2.FrameReader], which calls a [dev.serval.http2.FrameSink], and
/// [dev.serval.http2.FrameWriter]; [dev.serval.http2.RequestFields] and
/// [dev.serval.http2.ResponseFields] for heads; [dev.serval.http2.FlowWindow],
/// [dev.serval.http2.StreamState], [dev.serval.http2.FloodGuard] and [dev.serval.http2.UnsentContent]
/// for what a connection counts. Owner thread: a connection and its loop own all of them. Depends on
/// `codec`, `http`, `policy` and `hpack`.
@NullMarked
package dev.serval.http2;

import org.jspecify.annotations.NullMarked;
