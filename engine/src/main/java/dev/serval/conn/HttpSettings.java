package dev.serval.conn;

import dev.serval.http.AccessRecord;
import dev.serval.http.Admission;
import dev.serval.http.ErrorPages;
import dev.serval.http.Handler;
import dev.serval.http.Limits;
import dev.serval.http.Mapping;
import dev.serval.http.Metrics;
import dev.serval.http.Place;
import dev.serval.http1.Leniency;
import java.util.Set;

/// What all HTTP connections of a server share. Immutable but for the counts behind it.
///
/// @param limits every bound
/// @param leniency deviations from RFC 9112 that are accepted
/// @param handler sees every exchange first: the router
/// @param places where work may run besides the loop
/// @param pages content of error answers
/// @param accessLog hears of every exchange that ended
/// @param admission who is let in
/// @param metrics where is counted
/// @param mapping what is known of application code behind no mount
public record HttpSettings(
        Limits limits,
        Set<Leniency> leniency,
        Handler handler,
        Place.Pools places,
        ErrorPages pages,
        AccessRecord.Listener accessLog,
        Admission admission,
        Metrics metrics,
        Mapping mapping) {}
