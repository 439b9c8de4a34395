/// A slow application under the load of users who think between requests, and the ideal queue to
/// which its latency is compared.
///
/// Entry types: [dev.serval.bench.slow.ThinkLoad] and [dev.serval.bench.slow.IdealQueue].
/// [dev.serval.bench.slow.BurnTime] is also a program. Owner thread: the caller's. Depends on
/// `client` and `peer`, and on the class `Burn` of `war`.
@NullMarked
package dev.serval.bench.slow;

import org.jspecify.annotations.NullMarked;
