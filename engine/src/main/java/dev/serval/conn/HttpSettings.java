package dev.serval.conn;

import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.http1.Leniency;
import dev.serval.policy.AccessRecord;
import dev.serval.policy.Admission;
import dev.serval.policy.ErrorPages;
import dev.serval.policy.Limits;
import dev.serval.policy.Metrics;
import java.util.Set;

/// What all HTTP connections of a server share. Immutable but for the counts behind it.
///
/// @param limits every bound
/// @param leniency deviations from RFC 9112 that are accepted
/// @param handler sees every exchange first: the router
/// @param executors where work may run besides the loop
/// @param pages content of error answers
/// @param accessLog hears of every exchange that ended
/// @param admission who is let in
/// @param metrics where is counted
/// @param mapping what is known of application code behind no mount
public record HttpSettings(
        Limits limits,
        Set<Leniency> leniency,
        Handler handler,
        ExecutorKind.Pools executors,
        ErrorPages pages,
        AccessRecord.Listener accessLog,
        Admission admission,
        Metrics metrics,
        Mapping mapping) {}
