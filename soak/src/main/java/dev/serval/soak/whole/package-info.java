/// Implements `serval soak` without a name: a server with everything that it can serve, clients that
/// compare every answer, and clients that do what clients should not do, for a long time.
///
/// Entry type: [dev.serval.soak.whole.WholeSoak] runs the course and judges it by
/// [dev.serval.soak.whole.Promises]. Owner threads: each client has its own virtual thread; the
/// course has the caller's. Depends on packages `subject`, `flood` and `war`, and on clients,
/// processes and tables of module bench.
@NullMarked
package dev.serval.soak.whole;

import org.jspecify.annotations.NullMarked;
