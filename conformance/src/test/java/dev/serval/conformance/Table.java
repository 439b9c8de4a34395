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

/// Rules as data: a file of rows, each a conversation of one connection. A row begins with its
/// section and what it shows; steps follow in order, one a line. Text has the escapes of
/// [Escapes]; `#` begins a comment line.
///
/// ```
/// RFC 9112 §3.2: a request without Host is refused
/// > GET / HTTP/1.1                      sends the line and CR LF
/// >= \r\n                               sends exactly this
/// ? GET /x | Accept: */*                sends a whole HTTP/1.1 request with Host and these fields
/// fin                                   finishes sending
/// < 400 closed | Date | -Allow          the next response: status (or 301/308), then fields that
///                                       must be there, match `Name: pattern`, or not be there
/// < 200 HEAD                            ... to a HEAD request, so no content follows
/// <? 100                                an interim response that may come or not
/// <= text   <~ pattern   <# 300000      its content exactly, by pattern, by length
/// <@ large.bin 0-99                     ... as in the file, or these bytes of it
/// <! text   <max 700000                 ... without this text, of at most so many bytes
/// <t X-Trailer: pattern                 a trailer field
/// raw ping                              these bytes come, outside of any response
/// ends                                  the server closes
/// any                                   the server may close or go on, but answers nothing more
/// ```
///
/// `closed` behind a status: that response says so, nothing follows and the connection ends; `any`
/// there is as on its own line. Else a row ends with the connection open, which is proven by another
/// request on it. In what is sent, `{etag /path}` is that file's entity tag.
record Table(String name, List<Row> rows) {
    /// A response's fields: there, matching, or not there.
    ///
    /// @param pattern the whole value; null for any
    record FieldRule(String name, boolean present, @Nullable Pattern pattern) {}

    /// One thing to do or to see.
    sealed interface Step {
        /// Send these bytes, marks of entity tags not yet replaced.
        record Send(String escaped) implements Step {}

        /// Finish sending.
        record Finish() implements Step {}

        /// See a response.
        record See(List<Integer> statuses, boolean optional, String method, List<FieldRule> fields)
                implements Step {}

        /// See this content in the last response.
        record Content(byte[] content) implements Step {}

        /// See content that matches.
        record Matching(Pattern pattern) implements Step {}

        /// See so many bytes of content.
        record Length(int bytes) implements Step {}

        /// See bytes of a file; `to` -1 for all.
        record OfFile(String path, int from, int to) implements Step {}

        /// See content without that text.
        record Without(String text) implements Step {}

        /// See so many bytes of content or fewer.
        record AtMost(int bytes) implements Step {}

        /// See these bytes, whatever they mean (the connection speaks another protocol).
        record Raw(byte[] content) implements Step {}

        /// See a trailer field.
        record Trailer(FieldRule field) implements Step {}
    }

    /// What becomes of the connection behind the last response.
    enum End {
        /// It goes on: another request on it is answered.
        OPEN,
        /// It ends, and the last response said so.
        CLOSED,
        /// It ends.
        ENDS,
        /// It goes on or ends, but nothing more is answered.
        ANY
    }

    /// A rule.
    ///
    /// @param section `RFC 9112 §3.2`
    /// @param title what it shows
    /// @param where file and line, for failures
    /// @param steps in order
    /// @param end of the connection
    record Row(String section, String title, String where, List<Step> steps, End end) {}

    /// Reads the table of that name beside this class.
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
            case "ends", "any" -> {}
            default -> throw new IllegalArgumentException(where + ": no step begins so: " + line);
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
