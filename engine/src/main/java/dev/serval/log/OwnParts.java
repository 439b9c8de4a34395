package dev.serval.log;

import dev.serval.handler.AccessRecord;
import dev.serval.handler.Fault;
import dev.serval.http.RequestHead;
import dev.serval.http.TraceParent;
import org.jspecify.annotations.Nullable;

/// The codes `%{NAME}x` of a pattern, which Apache leaves to modules. Times are in microseconds.
/// Stateless.
final class OwnParts {
    private static final String TIME = "-time";

    private OwnParts() {}

    /// Returns the part for a name; null if there is no such name.
    static @Nullable Part of(String name) {
        return switch (name) {
            case "fault" -> Part.brief(OwnParts::fault);
            case "upstream" -> Part.value(OwnParts::upstream);
            case "upstream-time" -> Part.duration(OwnParts::upstreamTime);
            case "trace" -> Part.brief(OwnParts::trace).thatTraces();
            default -> phase(name);
        };
    }

    private static @Nullable Part phase(String name) {
        for (Phase phase : Phase.values()) {
            if (name.equals(phase.key() + TIME)) {
                return Part.duration((x, line) -> duration(phase.nanos(x), line));
            }
        }
        return null;
    }

    private static void duration(long nanos, LogLine line) {
        if (nanos == Phase.UNKNOWN) {
            line.plain('-');
        } else {
            line.number(nanos / 1_000);
        }
    }

    private static void fault(AccessRecord x, LogLine line) {
        @Nullable Fault fault = x.fault();
        line.plain(fault == null ? "-" : fault.name());
    }

    private static void upstream(AccessRecord x, LogLine line) {
        @Nullable String upstream = x.upstream();
        if (upstream == null) {
            line.plain('-');
        } else {
            line.value(upstream, Escaping.HEX_AND_SPACES);
        }
    }

    private static void upstreamTime(AccessRecord x, LogLine line) {
        duration(x.upstream() == null ? Phase.UNKNOWN : x.upstreamNanos(), line);
    }

    private static void trace(AccessRecord x, LogLine line) {
        @Nullable RequestHead head = x.handledRequest();
        int from = head == null ? -1 : TraceParent.traceAt(head.fields());
        if (head == null || from < 0) {
            line.plain('-');
        } else {
            int end = from + TraceParent.TRACE_LENGTH;
            line.value(head.fields().buffer(), from, end, Escaping.HEX);
        }
    }
}
