package dev.serval.log;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Compiles a pattern of Apache's `LogFormat` into the parts of a line. Each code is `%`, perhaps
/// statuses (`%400,501` or `%!200`), `<` or `>`, an argument in braces, and a letter. Used once.
final class PatternReader {
    private static final int PATTERN_MAX = 4000;
    private static final int COMMON_VALUES = 3; // the user, the method and the target
    private static final int COMBINED_VALUES = COMMON_VALUES + 2; // and two fields
    private static final int COMMON_BYTES = 7 * Part.SHORT_BYTES; // one for each code
    private static final int COMBINED_BYTES = 9 * Part.SHORT_BYTES;
    private static final String BEGIN = "begin:";
    private static final String END = "end:";

    private final String pattern;
    private final ZoneId zone;
    private final List<Part> parts = new ArrayList<>();
    private final List<TimeFormat> times = new ArrayList<>();
    private int at;

    /// @param zone of the times
    PatternReader(String pattern, ZoneId zone) {
        this.pattern = pattern;
        this.zone = zone;
    }

    /// Returns the format.
    ///
    /// @param text how it is shown
    /// @throws IllegalArgumentException if the pattern is wrong; the message names the column
    LogFormat read(String text) {
        if (pattern.isBlank() || pattern.length() > PATTERN_MAX) {
            throw new IllegalArgumentException(
                    "A pattern of the access log has from 1 to " + PATTERN_MAX + " characters");
        }
        StringBuilder literal = new StringBuilder();
        if (pattern.startsWith(LogFormat.COMBINED)) {
            begin(LogFormat.COMBINED, new Part(Parts::combined, COMBINED_VALUES, COMBINED_BYTES));
        } else if (pattern.startsWith(LogFormat.COMMON)) {
            begin(LogFormat.COMMON, new Part(Parts::common, COMMON_VALUES, COMMON_BYTES));
        }
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (c == '%' && !pattern.startsWith("%%", at)) {
                endLiteral(literal);
                code();
                continue;
            }
            checkPrintable(at);
            literal.append(c);
            at += c == '%' ? 2 : 1;
        }
        endLiteral(literal);
        LogFormat format = new LogFormat(text, parts, times);
        int most = AccessLogLimits.STANDARD.valuesMax();
        if (format.values() > most) {
            throw new IllegalArgumentException(
                    "A pattern of the access log may have "
                            + most
                            + " values such as fields, but this one has "
                            + format.values());
        }
        return format;
    }

    /// Reads the beginning that most patterns have as one part. Separate parts cost a call each that the
    /// JIT compiler cannot inline.
    private void begin(String beginning, Part part) {
        times.add(TimeFormat.of(TimeFormat.CLF, 1, zone));
        parts.add(part);
        at = beginning.length();
    }

    private void endLiteral(StringBuilder literal) {
        if (!literal.isEmpty()) {
            parts.add(Part.literal(literal.toString().getBytes(StandardCharsets.US_ASCII)));
            literal.setLength(0);
        }
    }

    private void code() {
        int from = at++;
        boolean except = next() == '!';
        if (except) {
            at++;
        }
        int statusesFrom = at;
        while (Character.isDigit(next()) || next() == ',') {
            at++;
        }
        int[] statuses = statuses(pattern.substring(statusesFrom, at), statusesFrom);
        if (next() == '<' || next() == '>') {
            at++; // a request is never redirected inside, so both are the same
        }
        @Nullable String argument = next() == '{' ? argument() : null;
        if (at >= pattern.length()) {
            throw wrong(from, "a % without a code after it");
        }
        char code = pattern.charAt(at++);
        Part part = code == 't' ? time(argument, from) : Parts.of(code, argument);
        if (part == null) {
            throw wrong(
                    from,
                    pattern.substring(from, at)
                            + ", which is no code of this log: see the table in the manual");
        }
        parts.add(except || statuses.length > 0 ? onlyFor(statuses, except, part) : part);
    }

    /// Returns the next character, or a space after the last one.
    private char next() {
        return at < pattern.length() ? pattern.charAt(at) : ' ';
    }

    private String argument() {
        int end = pattern.indexOf('}', at);
        if (end < 0) {
            throw wrong(at, "a { without } after it");
        }
        for (int i = at + 1; i < end; i++) {
            checkPrintable(i);
        }
        String argument = pattern.substring(at + 1, end);
        at = end + 1;
        return argument;
    }

    private void checkPrintable(int index) {
        char c = pattern.charAt(index);
        if (c != '\t' && (c < ' ' || c > '~')) {
            throw wrong(index, "a character that is not printable ASCII");
        }
    }

    private int[] statuses(String list, int column) {
        if (list.isEmpty()) {
            return new int[0];
        }
        String[] texts = list.split(",", -1);
        int[] statuses = new int[texts.length];
        for (int i = 0; i < texts.length; i++) {
            if (!texts[i].matches("[1-5]\\d\\d")) {
                throw wrong(column, "\"" + list + "\", which is no list of statuses");
            }
            statuses[i] = Integer.parseInt(texts[i]);
        }
        return statuses;
    }

    private static Part onlyFor(int[] statuses, boolean except, Part part) {
        Arrays.sort(statuses);
        Part.Writer writer = part.writer();
        return part.with((x, line) -> {
            if (Arrays.binarySearch(statuses, x.status()) >= 0 == except) {
                line.plain('-');
            } else {
                writer.write(x, line);
            }
        });
    }

    private Part time(@Nullable String argument, int from) {
        String text = argument == null || argument.isEmpty() ? TimeFormat.CLF : argument;
        boolean ended = text.startsWith(END);
        String format =
                ended
                        ? text.substring(END.length())
                        : text.startsWith(BEGIN) ? text.substring(BEGIN.length()) : text;
        @Nullable Part number = Parts.epoch(format, ended);
        if (number != null) {
            return number;
        }
        int column = from + 1 + pattern.substring(from).indexOf(format);
        TimeFormat time =
                TimeFormat.of(
                        format.isEmpty() ? TimeFormat.CLF : format, Math.max(column, 1), zone);
        int index = times.size();
        times.add(time);
        int most = Part.SHORT_BYTES + time.pieces().size() * 32 + format.length();
        return new Part((x, line) -> Parts.time(x, line, index, ended), 0, most);
    }

    private static IllegalArgumentException wrong(int index, String what) {
        return new IllegalArgumentException(
                "The pattern of the access log has at column " + (index + 1) + " " + what);
    }
}
