/// The process as a service: what it tells its service manager, which listening sockets it takes
/// over, and how it hands them to its successor.
///
/// Entry types: [dev.serval.service.Supervisor], [dev.serval.service.TakenSockets],
/// [dev.serval.service.Upgrade] in the process that ends, [dev.serval.service.Predecessor] in the one
/// that begins. The main thread uses them, and a thread of the control socket upgrades. Depends on
/// the engine's listeners and on `control`.
@NullMarked
package dev.serval.service;

import org.jspecify.annotations.NullMarked;
