/// Whole-server tests over sockets: the rules of RFC 9110 and RFC 9112 as tables, behaviour with
/// hostile and slow clients, and real clients.
///
/// Entry types: `Table` (the rows), `Site` (the server of the tables) and `Served` (a server that
/// checks for leaks when it closes). Owner thread: each test's own. May depend on the engine's
/// public types and the test kit.
@NullMarked
package dev.serval.conformance;

import org.jspecify.annotations.NullMarked;
