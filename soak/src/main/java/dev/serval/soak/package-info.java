/// Implements the command line `serval soak`, and `serval soak workers` and `serval soak servlets`,
/// which compare every answer of a long load and then look for what is left.
///
/// Entry types: [dev.serval.soak.WorkerSoak] runs a server whose application code does
/// everything that it can do to its threads, with clients and a hammer in one JVM.
/// [dev.serval.soak.ServletSoak] runs a server in a process of its own with the servlets of
/// package `war`. Owner threads: each client has its own virtual thread. Depends on `client` and
/// `peer`, and on the engine.
@NullMarked
package dev.serval.soak;

import org.jspecify.annotations.NullMarked;
