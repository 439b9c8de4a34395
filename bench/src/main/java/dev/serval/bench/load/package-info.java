/// Loads on one server: wrk, ab and the suite's own clients, each with a check of every answer.
///
/// Entry types: [dev.serval.bench.load.Client] for closed loads, [dev.serval.bench.load.OpenLoad] for
/// planned instants, and [dev.serval.bench.load.Browser]. Users of event-driven loads share a
/// [dev.serval.bench.load.Traffic], and each says on its [dev.serval.bench.load.Lane]s what it does
/// next. Owner thread: the caller's; paced and hogging loads have threads of their own. Depends on
/// `client`, `peer`, `scenario` and `servlet`.
@NullMarked
package dev.serval.bench.load;

import org.jspecify.annotations.NullMarked;
