/// What a server allows and what it tells: limits, admission, error pages, counters and the record
/// of each exchange.
///
/// Entry types: [dev.serval.policy.Limits], [dev.serval.policy.Admission] and
/// [dev.serval.policy.Metrics]. Owner thread: records are immutable; the counts say which threads may
/// use them. Depends on `http` and `handler`.
@NullMarked
package dev.serval.policy;

import org.jspecify.annotations.NullMarked;
