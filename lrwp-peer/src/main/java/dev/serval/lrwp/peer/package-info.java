/// An application that dials in to a web server by LRWP 1.0 or 2.0 and serves the paths that it
/// registers. Each connection is one virtual thread, which serves one request at a time.
///
/// Entry type: [dev.serval.lrwp.peer.LrwpPeer]. The codecs `RequestDecoder`, `HandshakeDecoder` and
/// `Registration` are pure; `PeerConnection` is the only class that uses a socket. A connection's
/// virtual thread owns everything below its `PeerConnection`, except the state, which the thread
/// that stops the peer also changes. The package uses only the JDK.
@NullMarked
package dev.serval.lrwp.peer;

import org.jspecify.annotations.NullMarked;
