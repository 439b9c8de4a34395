package dev.serval.log;

import dev.serval.codec.AddressText;
import dev.serval.handler.AccessRecord;
import dev.serval.handler.Fault;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Target;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The codes of a pattern, without times of day. A request that could not be read has `-` for all
/// that is not known of it. Stateless.
final class Parts {
    /// What stands for no status, as in nginx: the client has gone before an answer, or the server
    /// has ended.
    static final int NO_STATUS = 499;

    private static final byte[] NO_NAME = {}; // of a field that is known
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private Parts() {}

    /// Returns the part for a code.
    ///
    /// @param argument what stood in braces; null without them
    /// @return null if there is no such code, or not with that argument
    static @Nullable Part of(char code, @Nullable String argument) {
        return argument == null ? of(code) : withArgument(code, argument);
    }

    /// Writes what [LogFormat#COMMON] says. Its time is the first of the line.
    static void common(AccessRecord x, LogLine line) {
        line.plain(x.clientText(line.shortened()));
        line.plain(' ');
        line.plain('-');
        line.plain(' ');
        user(x, line);
        line.plain(' ');
        time(x, line, 0, false);
        line.plain(' ');
        line.plain('"');
        requestLine(x, line);
        line.plain('"');
        line.plain(' ');
        status(x, line);
        line.plain(' ');
        contentOrDash(x, line);
    }

    /// Writes what [LogFormat#COMBINED] says. Its time is the first of the line.
    static void combined(AccessRecord x, LogLine line) {
        common(x, line);
        line.plain(' ');
        quoted(x, FieldName.REFERER, line);
        line.plain(' ');
        quoted(x, FieldName.USER_AGENT, line);
    }

    private static void quoted(AccessRecord x, FieldName name, LogLine line) {
        line.plain('"');
        requestField(x, name, NO_NAME, line);
        line.plain('"');
    }

    /// Writes a time of day.
    ///
    /// @param number of its format in the line
    /// @param ended whether it is that of the end
    static void time(AccessRecord x, LogLine line, int number, boolean ended) {
        long nanos = ended ? x.nowNanos() : x.startedNanos();
        TimeText text = line.time(number);
        text.at(Math.floorDiv(x.epochMicros(nanos), 1_000_000L));
        line.plain(text.bytes(), text.length());
    }

    private static @Nullable Part of(char code) {
        return switch (code) {
            case 'h', 'a' -> Part.brief((x, line) -> line.plain(x.clientText(line.shortened())));
            case 'A' -> Part.brief((x, line) -> address(x.connection().local(), line));
            case 'b' -> Part.brief(Parts::contentOrDash);
            case 'B' -> Part.brief((x, line) -> line.number(x.contentBytes()));
            case 'D' -> took(MICRO);
            case 'H' -> Part.value(Parts::version);
            case 'I' -> Part.brief((x, line) -> line.number(x.receivedBytes()));
            case 'k' -> Part.brief((x, line) -> line.number(x.earlierRequests()));
            case 'l' -> Part.brief((_, line) -> line.plain('-'));
            case 'm' -> Part.value(Parts::method);
            case 'O' -> Part.brief((x, line) -> line.number(x.sentBytes()));
            case 'p' -> Part.brief((x, line) -> port(x.connection().local(), line));
            case 'P' -> process();
            case 'q' -> Part.value(Parts::query);
            case 'r' -> new Part(Parts::requestLine, 2, Part.SHORT_BYTES);
            case 's' -> Part.brief(Parts::status);
            case 'S' -> Part.brief((x, line) -> line.number(x.receivedBytes() + x.sentBytes()));
            case 'T' -> took(SECOND);
            case 'u' -> Part.value(Parts::user);
            case 'U' -> Part.value(Parts::path);
            case 'v', 'V' -> Part.value(Parts::host);
            case 'X' -> Part.brief(Parts::connectionState);
            default -> null;
        };
    }

    private static @Nullable Part withArgument(char code, String argument) {
        return switch (code) {
            case 'a' ->
                    argument.equals("c")
                            ? Part.brief((x, line) -> address(x.connection().direct().peer(), line))
                            : null;
            case 'C' -> cookie(argument);
            case 'i' -> requestField(argument);
            case 'o' -> responseField(argument);
            case 'p' -> port(argument);
            case 'T' ->
                    switch (argument) {
                        case "s" -> took(SECOND);
                        case "ms" -> took(MILLI);
                        case "us" -> took(MICRO);
                        default -> null;
                    };
            case 'x' -> OwnParts.of(argument);
            default -> null;
        };
    }

    /// Returns the part for a time of day as a number.
    ///
    /// @param ended whether it is that of the end
    /// @return null if the format is none of a number
    static @Nullable Part epoch(String format, boolean ended) {
        return switch (format) {
            case "sec" -> epoch(ended, 1_000_000, Long.MAX_VALUE, 1);
            case "msec" -> epoch(ended, 1_000, Long.MAX_VALUE, 1);
            case "usec" -> epoch(ended, 1, Long.MAX_VALUE, 1);
            case "msec_frac" -> epoch(ended, 1_000, 1_000, 3);
            case "usec_frac" -> epoch(ended, 1, 1_000_000, 6);
            default -> null;
        };
    }

    private static Part epoch(boolean ended, long unitMicros, long modulus, int width) {
        return Part.brief((x, line) -> {
            long micros = x.epochMicros(ended ? x.nowNanos() : x.startedNanos());
            long number = Math.floorDiv(micros, unitMicros) % modulus;
            if (width == 1) {
                line.number(Math.max(number, 0));
            } else {
                line.number(number, width);
            }
        });
    }

    private static Part took(long unitNanos) {
        return Part.duration(
                (x, line) -> line.number(Math.max(0, x.nowNanos() - x.startedNanos()) / unitNanos));
    }

    private static Part process() {
        byte[] id =
                Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
        return Part.literal(id);
    }

    private static Part requestField(String name) {
        @Nullable FieldName known = FieldName.of(name);
        byte[] lower = lower(name);
        return Part.value((x, line) -> requestField(x, known, lower, line));
    }

    private static void requestField(
            AccessRecord x, @Nullable FieldName known, byte[] lower, LogLine line) {
        if (x.hasRequest()) {
            field(x.request().fields(), known, lower, line);
        } else {
            line.plain('-');
        }
    }

    private static Part responseField(String name) {
        if (name.equalsIgnoreCase(FieldName.CONTENT_LENGTH.text())) {
            return Part.brief(Parts::responseLength);
        }
        @Nullable FieldName known = FieldName.of(name);
        byte[] lower = lower(name);
        return Part.value((x, line) -> {
            @Nullable ResponseHead head = x.response();
            if (head == null) {
                line.plain('-');
            } else {
                field(head.fields(), known, lower, line);
            }
        });
    }

    private static void responseLength(AccessRecord x, LogLine line) {
        @Nullable ResponseHead head = x.response();
        if (head == null || head.contentLength() < 0) {
            line.plain('-');
        } else {
            line.number(head.contentLength());
        }
    }

    private static void field(
            Fields fields, @Nullable FieldName known, byte[] lower, LogLine line) {
        int i = FieldText.find(fields, known, lower);
        if (i < 0) {
            line.plain('-');
        } else {
            line.value(fields.buffer(), fields.valueAt(i), fields.valueEnd(i), Escaping.HEX);
        }
    }

    private static Part cookie(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return Part.value((x, line) -> {
            if (!x.hasRequest() || !FieldText.cookie(x.request().fields(), bytes, line)) {
                line.plain('-');
            }
        });
    }

    private static @Nullable Part port(String argument) {
        return switch (argument) {
            case "canonical", "local" ->
                    Part.brief((x, line) -> port(x.connection().local(), line));
            case "remote" -> Part.brief((x, line) -> port(x.connection().peer(), line));
            default -> null;
        };
    }

    private static void port(SocketAddress address, LogLine line) {
        if (address instanceof InetSocketAddress internet) {
            line.number(internet.getPort());
        } else {
            line.plain('-');
        }
    }

    private static void address(SocketAddress address, LogLine line) {
        line.plain(AddressText.of(address, line.shortened()));
    }

    private static void contentOrDash(AccessRecord x, LogLine line) {
        if (x.contentBytes() == 0) {
            line.plain('-');
        } else {
            line.number(x.contentBytes());
        }
    }

    private static void status(AccessRecord x, LogLine line) {
        line.number(x.status() == 0 ? NO_STATUS : x.status(), 3);
    }

    private static void user(AccessRecord x, LogLine line) {
        @Nullable String user = x.user();
        if (user == null || user.isEmpty()) {
            line.plain('-');
        } else {
            line.value(user, Escaping.HEX_AND_SPACES);
        }
    }

    private static void connectionState(AccessRecord x, LogLine line) {
        line.plain(x.fault() == Fault.PEER_GONE ? 'X' : x.persists() ? '+' : '-');
    }

    private static void requestLine(AccessRecord x, LogLine line) {
        if (!x.hasRequest()) {
            line.plain('-');
            return;
        }
        method(x, line);
        line.plain(' ');
        Target target = x.request().target();
        line.value(target.buffer(), target.from(), target.originTo(), Escaping.HEX);
        line.plain(' ');
        line.plain(x.request().version().text());
    }

    private static void method(AccessRecord x, LogLine line) {
        if (!x.hasRequest()) {
            line.plain('-');
        } else if (x.request().method() == Method.OTHER) {
            line.value(x.request().methodText(), Escaping.HEX);
        } else {
            line.plain(x.request().method().name());
        }
    }

    private static void version(AccessRecord x, LogLine line) {
        if (x.hasRequest()) {
            line.plain(x.request().version().text());
        } else {
            line.plain('-');
        }
    }

    private static void path(AccessRecord x, LogLine line) {
        if (!x.hasRequest()) {
            line.plain('-');
            return;
        }
        Target target = x.request().target();
        int end = target.queryFrom() < 0 ? target.originTo() : target.queryFrom() - 1;
        line.value(target.buffer(), target.originFrom(), end, Escaping.HEX);
    }

    private static void query(AccessRecord x, LogLine line) {
        if (x.hasRequest() && x.request().target().queryFrom() >= 0) {
            Target target = x.request().target();
            line.plain('?');
            line.value(target.buffer(), target.queryFrom(), target.originTo(), Escaping.HEX);
        }
    }

    /// Appends the host that the client asked for, without the port.
    private static void host(AccessRecord x, LogLine line) {
        @Nullable String told = x.connection().forwardedHost();
        if (told != null) {
            byte[] bytes = told.getBytes(StandardCharsets.ISO_8859_1);
            host(bytes, 0, bytes.length, line);
        } else if (x.hasRequest()) {
            RequestHead head = x.request();
            host(head.fields().buffer(), head.authorityFrom(), head.authorityTo(), line);
        } else {
            line.plain('-');
        }
    }

    private static void host(byte[] authority, int from, int to, LogLine line) {
        int end = FieldText.hostEnd(authority, from, to);
        if (end == from) {
            line.plain('-');
        } else {
            line.value(authority, from, end, Escaping.HEX);
        }
    }

    private static byte[] lower(String name) {
        return FieldText.lower(name).getBytes(StandardCharsets.ISO_8859_1);
    }
}
