package dev.serval.log;

import dev.serval.handler.AccessRecord;
import dev.serval.handler.Fault;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.RequestHead;
import dev.serval.http.Target;
import dev.serval.http.TraceParent;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The format `json`: each line is an object of JSON (RFC 8259) with the same names in the same
/// order. Times are in microseconds; what is not known is null. Used once, to make the format.
final class JsonFormat {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final List<Part> parts = new ArrayList<>();
    private char before = '{';

    private JsonFormat() {}

    /// Returns the format.
    static LogFormat of() {
        JsonFormat json = new JsonFormat();
        TimeFormat time = TimeFormat.of("%Y-%m-%dT%H:%M:%S", 1, ZoneOffset.UTC);
        json.add("time", Part.brief(JsonFormat::time));
        json.add("client", Part.brief(JsonFormat::client));
        json.add("user", Part.value((x, line) -> text(x.user(), line)));
        json.addRequest();
        json.add("status", Part.brief((x, line) -> line.number(x.status())));
        json.add("bytes", Part.brief((x, line) -> line.number(x.contentBytes())));
        json.add("received", Part.brief((x, line) -> line.number(x.receivedBytes())));
        json.add("sent", Part.brief((x, line) -> line.number(x.sentBytes())));
        json.addTimes();
        json.add("fault", Part.brief(JsonFormat::fault));
        json.add("upstream", Part.value((x, line) -> text(x.upstream(), line)));
        json.add("upstream_us", Part.duration(JsonFormat::upstreamTime));
        json.add("trace", Part.brief(JsonFormat::trace).thatTraces());
        json.add("referrer", field(FieldName.REFERER));
        json.add("agent", field(FieldName.USER_AGENT));
        json.parts.add(Part.literal("}".getBytes(StandardCharsets.US_ASCII)));
        return new LogFormat("json", json.parts, List.of(time));
    }

    private void addRequest() {
        add("method", Part.value(JsonFormat::method));
        add("host", Part.value(JsonFormat::host));
        add("target", Part.value(JsonFormat::target));
        add("version", Part.brief(JsonFormat::version));
    }

    private void addTimes() {
        for (Phase phase : Phase.values()) {
            add(phase.key() + "_us", Part.duration((x, line) -> duration(phase.nanos(x), line)));
        }
    }

    private void add(String name, Part part) {
        String key = before + "\"" + name + "\":";
        parts.add(Part.literal(key.getBytes(StandardCharsets.US_ASCII)));
        parts.add(part);
        before = ',';
    }

    private static void duration(long nanos, LogLine line) {
        if (nanos == Phase.UNKNOWN) {
            line.plain(NULL);
        } else {
            line.number(nanos / 1_000);
        }
    }

    private static void time(AccessRecord x, LogLine line) {
        TimeText text = line.time(0);
        long micros = x.epochMicros(x.startedNanos());
        text.at(Math.floorDiv(micros, 1_000_000L));
        line.plain('"');
        line.plain(text.bytes(), text.length());
        line.plain('.');
        line.number(Math.floorMod(micros, 1_000_000L), 6);
        line.plain('Z');
        line.plain('"');
    }

    private static void client(AccessRecord x, LogLine line) {
        line.plain('"');
        line.plain(x.clientText(line.shortened()));
        line.plain('"');
    }

    private static void method(AccessRecord x, LogLine line) {
        if (!x.hasRequest()) {
            line.plain(NULL);
        } else if (x.request().method() == Method.OTHER) {
            text(x.request().methodText(), line);
        } else {
            line.plain('"');
            line.plain(x.request().method().name());
            line.plain('"');
        }
    }

    private static void host(AccessRecord x, LogLine line) {
        @Nullable String told = x.connection().forwardedHost();
        if (told != null) {
            text(told, line);
        } else if (x.hasRequest()) {
            RequestHead head = x.request();
            text(head.fields().buffer(), head.authorityFrom(), head.authorityTo(), line);
        } else {
            line.plain(NULL);
        }
    }

    private static void target(AccessRecord x, LogLine line) {
        if (x.hasRequest()) {
            Target target = x.request().target();
            text(target.buffer(), target.from(), target.originTo(), line);
        } else {
            line.plain(NULL);
        }
    }

    private static void version(AccessRecord x, LogLine line) {
        if (x.hasRequest()) {
            line.plain('"');
            line.plain(x.request().version().text());
            line.plain('"');
        } else {
            line.plain(NULL);
        }
    }

    private static void fault(AccessRecord x, LogLine line) {
        @Nullable Fault fault = x.fault();
        if (fault == null) {
            line.plain(NULL);
        } else {
            line.plain('"');
            line.plain(fault.name());
            line.plain('"');
        }
    }

    private static void upstreamTime(AccessRecord x, LogLine line) {
        duration(x.upstream() == null ? Phase.UNKNOWN : x.upstreamNanos(), line);
    }

    private static void trace(AccessRecord x, LogLine line) {
        @Nullable RequestHead head = x.handledRequest();
        int from = head == null ? -1 : TraceParent.traceAt(head.fields());
        if (head == null || from < 0) {
            line.plain(NULL);
        } else {
            text(head.fields().buffer(), from, from + TraceParent.TRACE_LENGTH, line);
        }
    }

    private static Part field(FieldName name) {
        return Part.value((x, line) -> {
            int i = x.hasRequest() ? x.request().fields().indexOf(name, 0) : -1;
            if (i < 0) {
                line.plain(NULL);
            } else {
                Fields fields = x.request().fields();
                text(fields.buffer(), fields.valueAt(i), fields.valueEnd(i), line);
            }
        });
    }

    private static void text(@Nullable String text, LogLine line) {
        if (text == null) {
            line.plain(NULL);
        } else {
            line.plain('"');
            line.value(text, Escaping.JSON);
            line.plain('"');
        }
    }

    private static void text(byte[] bytes, int from, int to, LogLine line) {
        line.plain('"');
        line.value(bytes, from, to, Escaping.JSON);
        line.plain('"');
    }
}
