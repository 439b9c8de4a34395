/// Sockets of Linux by epoll, through system calls of the foreign-function API, and the state of
/// open files.
///
/// Entry types: [dev.serval.net.epoll.EpollNetwork], [dev.serval.net.epoll.FileState]. Owner thread:
/// a network and its sockets belong to their loop. Depends on `net`.
@NullMarked
package dev.serval.net.epoll;

import org.jspecify.annotations.NullMarked;
