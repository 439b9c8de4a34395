package dev.serval.servlet.multipart;

import dev.serval.codec.ByteRules;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The fields of a part (RFC 7578 §4): a Content-Disposition with the name of the form's field, and
/// others. Immutable.
final class PartHead {
    private static final int FIELDS_MAX = 16;

    private final List<String> namesAndValues;
    private final Disposition disposition;

    private PartHead(List<String> namesAndValues, Disposition disposition) {
        this.namesAndValues = namesAndValues;
        this.disposition = disposition;
    }

    /// Reads a head that ends with an empty line.
    ///
    /// @param charset of names and values; browsers send that of the form
    /// @return null if the head breaks a rule
    static @Nullable PartHead parse(byte[] bytes, int length, Charset charset) {
        @Nullable List<String> fields = fields(bytes, length - 2, charset);
        if (fields == null) {
            return null;
        }
        @Nullable Disposition disposition = null;
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equalsIgnoreCase("Content-Disposition")) {
                if (disposition != null) {
                    return null; // readers could differ in which of two they believe
                }
                disposition = Disposition.parse(fields.get(i + 1));
                if (disposition == null) {
                    return null;
                }
            }
        }
        return disposition == null ? null : new PartHead(fields, disposition);
    }

    /// Returns the name of the form's field.
    String name() {
        return disposition.name();
    }

    /// Returns the name of the file, which may be empty; null for a field without a file.
    @Nullable String fileName() {
        return disposition.fileName();
    }

    /// Returns the first value of a field; null if there is none.
    @Nullable String first(String name) {
        for (int i = 0; i < namesAndValues.size(); i += 2) {
            if (namesAndValues.get(i).equalsIgnoreCase(name)) {
                return namesAndValues.get(i + 1);
            }
        }
        return null;
    }

    /// Returns all values of a field, in order, as a new list.
    List<String> all(String name) {
        List<String> all = new ArrayList<>(1);
        for (int i = 0; i < namesAndValues.size(); i += 2) {
            if (namesAndValues.get(i).equalsIgnoreCase(name)) {
                all.add(namesAndValues.get(i + 1));
            }
        }
        return all;
    }

    /// Returns the names of the fields as they were sent, in order, each once, as a new list.
    List<String> names() {
        List<String> names = new ArrayList<>(namesAndValues.size() / 2);
        TreeSet<String> seen = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < namesAndValues.size(); i += 2) {
            if (seen.add(namesAndValues.get(i))) {
                names.add(namesAndValues.get(i));
            }
        }
        return names;
    }

    /// Returns names and values of the lines in `bytes[0, to)`; null if one is malformed.
    private static @Nullable List<String> fields(byte[] bytes, int to, Charset charset) {
        List<String> fields = new ArrayList<>(4);
        int at = 0;
        while (at < to) {
            int end = lineEnd(bytes, at, to);
            int colon = at;
            while (colon < end && ByteRules.token(bytes[colon])) {
                colon++;
            }
            boolean valid = end >= 0 && colon > at && colon < end && bytes[colon] == ':';
            @Nullable String value = valid ? value(bytes, colon + 1, end, charset) : null;
            if (value == null || fields.size() == 2 * FIELDS_MAX) {
                return null;
            }
            fields.add(new String(bytes, at, colon - at, StandardCharsets.US_ASCII));
            fields.add(value);
            at = end + 2;
        }
        return Collections.unmodifiableList(fields);
    }

    /// Returns the index of the CRLF; -1 if the line has a bare CR or LF.
    private static int lineEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && bytes[i] != '\r' && bytes[i] != '\n') {
            i++;
        }
        return i + 1 < to && bytes[i] == '\r' && bytes[i + 1] == '\n' ? i : -1;
    }

    private static @Nullable String value(byte[] bytes, int from, int to, Charset charset) {
        int at = from;
        int end = to;
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        while (end > at && (bytes[end - 1] == ' ' || bytes[end - 1] == '\t')) {
            end--;
        }
        for (int i = at; i < end; i++) {
            if (!ByteRules.field(bytes[i])) {
                return null;
            }
        }
        return text(bytes, at, end, charset);
    }

    /// Returns the text of `bytes[from, to)`; null if the charset does not allow the bytes.
    static @Nullable String text(byte[] bytes, int from, int to, Charset charset) {
        try {
            return charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString();
        } catch (CharacterCodingException invalid) {
            return null; // the JDK reports invalid input only by exceptions
        }
    }
}
