/// Programs that do the least work possible for a server. Scenario `static` measures them beside
/// other servers. [dev.serval.bench.bare.FloorServer] makes system calls and sends prepared
/// answers. [dev.serval.bench.bare.NettyServer] is Netty with its HTTP codec. Each uses one thread.
@NullMarked
package dev.serval.bench.bare;

import org.jspecify.annotations.NullMarked;
