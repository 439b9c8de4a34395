/// Sockets by java.nio, for systems without epoll.
///
/// Entry type: [dev.serval.net.nio.NioNetwork]. Owner thread: a network and its sockets belong to
/// their loop. Depends on `net`.
@NullMarked
package dev.serval.net.nio;

import org.jspecify.annotations.NullMarked;
