/// The agent of LRWP, the Long-Running Web Process protocol, versions 1.0 and 2.0: applications dial
/// in, register the paths that they serve, and get one request at a time on each connection.
///
/// Entry type: [dev.serval.gateway.lrwp.LrwpAgent]. The codecs ([dev.serval.gateway.lrwp.Startup],
/// [dev.serval.gateway.lrwp.LengthField], [dev.serval.gateway.lrwp.Challenge]) have no I/O. Owner
/// threads: a connection belongs to its loop; the table of routes is immutable and swapped at once.
/// Depends on `peer`, `cgi` and `spool`, and on the engine. The wire format is described in
/// docs/internals/gateway.md.
@NullMarked
package dev.serval.gateway.lrwp;

import org.jspecify.annotations.NullMarked;
