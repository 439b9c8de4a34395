/// Servers in Java as small programs, which scenario `static` measures beside other servers. Two do
/// the least work possible on one thread: [dev.serval.bench.bare.FloorServer] makes system calls and
/// sends prepared answers, and [dev.serval.bench.bare.NettyServer] is Netty with its HTTP codec.
/// [dev.serval.bench.bare.VertxServer], [dev.serval.bench.bare.HelidonServer] and
/// [dev.serval.bench.bare.JdkServer] serve files and `/hello`, as their users would.
///
/// [dev.serval.bench.bare.EchoPeer] is the program of scenario `lrwp` that dials in to the gateway.
///
/// [dev.serval.bench.bare.Listener] tells the programs here and in `container` about HTTP/2 and TLS.
@NullMarked
package dev.serval.bench.bare;

import org.jspecify.annotations.NullMarked;
