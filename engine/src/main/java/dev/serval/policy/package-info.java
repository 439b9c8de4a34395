/// Holds what a server allows and what it reports: limits, error pages, counters and the record of
/// each exchange.
///
/// Entry types: [dev.serval.policy.Limits] and [dev.serval.policy.Metrics]. Owner thread: records are immutable, and each counting type names
/// the threads that may use it. Depends on `http` and `handler`.
@NullMarked
package dev.serval.policy;

import org.jspecify.annotations.NullMarked;
