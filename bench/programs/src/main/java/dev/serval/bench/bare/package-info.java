/// Servers in Java as small programs, which scenario `static` measures beside other servers. Two do
/// the least work possible on one thread: [dev.serval.bench.bare.FloorServer] makes system calls and
/// sends prepared answers, and [dev.serval.bench.bare.NettyServer] is Netty with its HTTP codec.
/// [dev.serval.bench.bare.VertxServer], [dev.serval.bench.bare.HelidonServer] and
/// [dev.serval.bench.bare.JdkServer] serve files and `/hello`, as their users would.
@NullMarked
package dev.serval.bench.bare;

import org.jspecify.annotations.NullMarked;
