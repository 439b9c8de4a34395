/// Applications and servers behind a mount, as people write them: `http://…`, `fastcgi://…` and
/// `scgi://…`.
///
/// Entry types: [dev.serval.gateway.neighbour.NeighbourSyntax], which reads an address with its
/// options, and [dev.serval.gateway.neighbour.OpenNeighbour], its handlers and connections.
/// Immutable settings; used at start and stop, by any thread. Depends on all other packages of the
/// gateway.
@NullMarked
package dev.serval.gateway.neighbour;

import org.jspecify.annotations.NullMarked;
