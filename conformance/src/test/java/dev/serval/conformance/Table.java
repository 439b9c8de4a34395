package dev.serval.conformance;

import dev.serval.testkit.Escapes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Rules as data: a file of rows, each a conversation on one connection. A row begins with its
/// section and its title; one step follows on each line. Text uses the escapes of [Escapes]; `#`
/// begins a comment line.
///
/// ```
/// RFC 9112 §3.2: a request without Host is refused
/// > GET / HTTP/1.1                      sends the line and CR LF
/// >= \r\n                               sends exactly this
/// ? GET /x | Accept: */*                sends a whole HTTP/1.1 request with Host and these fields
/// fin                                   finishes sending
/// < 400 closed | Date | -Allow          the next response: status (or 301/308), then fields that
///                                       must be present, match `Name: pattern`, or be absent
/// < 200 HEAD                            ... to a HEAD request, so no content follows
/// <? 100                                an optional interim response
/// <= text   <~ pattern   <# 300000      its content exactly, by pattern, by length
/// <@ large.bin 0-99                     ... as in the file, or these bytes of it
/// <! text   <max 700000                 ... without this text, of at most that many bytes
/// <t X-Trailer: pattern                 a trailer field
/// raw ping                              these bytes arrive, outside of any response
/// ends                                  the server closes
/// any                                   the server may close or not, but answers nothing more
/// http1 reason                          the row does not apply to HTTP/2
/// reset                                 over HTTP/2 the stream is reset, and the row ends here
/// ```
///
/// `closed` after a status: that response announces the close, nothing follows, and the connection
/// ends. `any` after a status means the same as on its own line. Otherwise a row ends with the
/// connection open, which another request on it proves. In sent text, `{etag /path}` is the entity
/// tag of that file.
///
/// Rows of RFC 9112 apply to HTTP/1.1, all others also to HTTP/2. There, `closed` means that the
/// connection stays open, because a refused request ends only its stream.
record Table(String name, List<Row> rows) {
    /// A rule for a field of a response: present, matching, or absent.
    ///
    /// @param pattern matches the whole value; null accepts any
    record FieldRule(String name, boolean present, @Nullable Pattern pattern) {}

    /// One action or expectation.
    sealed interface Step {
        /// Sends these bytes, in which `{etag …}` is not replaced yet.
        record Send(String escaped) implements Step {}

        /// Finishes sending.
        record Finish() implements Step {}

        /// Expects a response.
        record See(List<Integer> statuses, boolean optional, String method, List<FieldRule> fields)
                implements Step {}

        /// Expects this content in the last response.
        record Content(byte[] content) implements Step {}

        /// Expects content that matches.
        record Matching(Pattern pattern) implements Step {}

        /// Expects content of that length in bytes.
        record Length(int bytes) implements Step {}

        /// Expects bytes of a file; `to` is -1 for the whole file.
        record OfFile(String path, int from, int to) implements Step {}

        /// Expects content without that text.
        record Without(String text) implements Step {}

        /// Expects content of at most that many bytes.
        record AtMost(int bytes) implements Step {}

        /// Expects these bytes, which may belong to another protocol.
        record Raw(byte[] content) implements Step {}

        /// Expects a trailer field.
        record Trailer(FieldRule field) implements Step {}

        /// Does nothing. The row does not apply to HTTP/2, for that reason.
        record Http1(String reason) implements Step {}

        /// Expects over HTTP/2 that the stream is reset, and ends the row there.
        record Http2Reset() implements Step {}
    }

    /// What happens to the connection after the last response.
    enum End {
        /// It stays open: another request on it is answered.
        OPEN,
        /// It ends, and the last response announced that.
        CLOSED,
        /// It ends.
        ENDS,
        /// It stays open or ends, but nothing more is answered.
        ANY
    }

    /// One row.
    ///
    /// @param section such as `RFC 9112 §3.2`
    /// @param title what the row shows
    /// @param where file and line, for failures
    /// @param steps the steps in order
    /// @param end what happens to the connection
    record Row(String section, String title, String where, List<Step> steps, End end) {
        /// Returns whether the row does not apply to HTTP/2.
        boolean isHttp1() {
            return section.startsWith("RFC 9112")
                    || steps.stream().anyMatch(Step.Http1.class::isInstance);
        }
    }

    /// Reads the table of that name from this class's folder.
    static Table read(String name) {
        try (InputStream in = Table.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("there is no table " + name);
            }
            return parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads the text of a table.
    static Table parse(String name, String text) {
        List<Row> rows = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String where = name + ":" + number;
            if (line.startsWith("RFC ") || line.startsWith("Promise")) {
                int colon = line.indexOf(": ");
                String title = line.substring(colon + 2);
                rows.add(
                        new Row(
                                line.substring(0, colon),
                                title,
                                where,
                                new ArrayList<>(),
                                End.OPEN));
            } else {
                Row row = rows.removeLast();
                step(line, where, row.steps());
                rows.add(end(line) == null ? row : ending(row, line));
            }
        }
        return new Table(name, List.copyOf(rows));
    }

    private static Row ending(Row row, String line) {
        End end = end(line);
        return new Row(
                row.section(), row.title(), row.where(), row.steps(), end == null ? End.OPEN : end);
    }

    private static @Nullable End end(String line) {
        if (!line.startsWith("< ") && !line.startsWith("<? ")) {
            return line.equals("ends") ? End.ENDS : line.equals("any") ? End.ANY : null;
        }
        List<String> words = List.of(parts(line).getFirst().split(" ", -1));
        return words.contains("closed") ? End.CLOSED : words.contains("any") ? End.ANY : null;
    }

    private static void step(String line, String where, List<Step> steps) {
        int space = line.indexOf(' ');
        String kind = space < 0 ? line : line.substring(0, space);
        String rest = space < 0 ? "" : line.substring(space + 1);
        switch (kind) {
            case ">" -> steps.add(new Step.Send(rest + "\\r\\n"));
            case ">=" -> steps.add(new Step.Send(rest));
            case "?" -> steps.add(new Step.Send(request(rest)));
            case "fin" -> steps.add(new Step.Finish());
            case "<" -> see(rest, false, steps);
            case "<?" -> see(rest, true, steps);
            case "<=" -> steps.add(new Step.Content(Escapes.parse(rest)));
            case "<~" -> steps.add(new Step.Matching(Pattern.compile(rest, Pattern.DOTALL)));
            case "<#" -> steps.add(new Step.Length(Integer.parseInt(rest)));
            case "<@" -> steps.add(ofFile(rest));
            case "<t" -> steps.add(new Step.Trailer(field(rest)));
            case "<!" -> steps.add(new Step.Without(rest));
            case "<max" -> steps.add(new Step.AtMost(Integer.parseInt(rest)));
            case "raw" -> steps.add(new Step.Raw(Escapes.parse(rest)));
            case "http1" -> steps.add(new Step.Http1(rest));
            case "reset" -> steps.add(new Step.Http2Reset());
            case "ends", "any" -> {}
            default ->
                    throw new IllegalArgumentException(
                            where + ": this line is not a step: " + line);
        }
    }

    private static String request(String text) {
        List<String> parts = parts(text);
        StringBuilder request = new StringBuilder(parts.getFirst()).append(" HTTP/1.1\\r\\n");
        request.append("Host: example.test\\r\\n");
        parts.stream().skip(1).forEach(f -> request.append(f).append("\\r\\n"));
        return request.append("\\r\\n").toString();
    }

    private static void see(String text, boolean optional, List<Step> steps) {
        List<String> parts = parts(text);
        List<String> words = List.of(parts.getFirst().split(" ", -1));
        List<Integer> statuses =
                Arrays.stream(words.getFirst().split("/", -1)).map(Integer::valueOf).toList();
        List<FieldRule> fields = parts.stream().skip(1).map(Table::field).toList();
        String method = words.contains("HEAD") ? "HEAD" : "GET";
        steps.add(new Step.See(statuses, optional, method, fields));
    }

    private static FieldRule field(String text) {
        int colon = text.indexOf(": ");
        if (text.startsWith("-")) {
            return new FieldRule(text.substring(1), false, null);
        }
        return colon < 0
                ? new FieldRule(text, true, null)
                : new FieldRule(
                        text.substring(0, colon), true, Pattern.compile(text.substring(colon + 2)));
    }

    private static Step ofFile(String text) {
        String[] words = text.split("[ -]", -1);
        return words.length == 1
                ? new Step.OfFile(words[0], 0, -1)
                : new Step.OfFile(
                        words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2]) + 1);
    }

    private static List<String> parts(String text) {
        return List.of(text.split(" \\| ", -1));
    }
}
