/// The application of `serval run --demo`: a page that a process of its own serves, because it has
/// dialled in by LRWP.
///
/// Entry types: [dev.serval.demo.Demo] in the server, [dev.serval.demo.DemoPeer] in the process.
/// Owner threads: the main thread starts and ends the demo; the thread `serval-demo` waits for its
/// process. Depends on the gateway's settings, package `settings` and the library lrwp-peer.
@NullMarked
package dev.serval.demo;

import org.jspecify.annotations.NullMarked;
