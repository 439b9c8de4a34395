/// Connections without sockets, for tests and for programs that call a server in the same process.
///
/// Entry types: [dev.serval.net.memory.MemoryNetwork], [dev.serval.net.memory.MemoryPeer]. Owner
/// thread: a network and its transports belong to their loop; a peer belongs to the thread that uses
/// it. Depends on `net`.
@NullMarked
package dev.serval.net.memory;

import org.jspecify.annotations.NullMarked;
