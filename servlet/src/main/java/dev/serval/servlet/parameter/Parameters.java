package dev.serval.servlet.parameter;

import dev.serval.codec.ByteRules;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The parameters of a request: names with one or more values, in the order of arrival (Servlet
/// 6.1 §3.1). The caller adds the sources in the order of their precedence:
///
/// 1. the query of a dispatch target (§9.1.1),
/// 2. the query of the request,
/// 3. its form content, or its parts without a file name.
///
/// All text is kept as UTF-8 bytes in one array. Strings are created on request; values are kept
/// then. An object serves one request. A source that returns an error adds nothing. Written by one thread, then read by any.
public final class Parameters {
    private static final String SECTION = "Servlet 6.1 §3.1";
    private static final ProtocolError TOO_MANY =
            new ProtocolError(Status.BAD_REQUEST, "the request has too many parameters", SECTION);
    private static final ProtocolError FORM_TOO_LARGE =
            new ProtocolError(Status.CONTENT_TOO_LARGE, "the form is too large", SECTION);
    private static final ProtocolError BAD_TEXT =
            new ProtocolError(
                    Status.BAD_REQUEST,
                    "a parameter has bytes that its charset does not allow",
                    SECTION);

    private static final int FIRST_READ_BYTES = 16 << 10;
    private static final byte[] NO_BYTES = {};

    private final ParameterLimits limits;
    private final NameIndex index;
    private final PairScanner scanner = new PairScanner();
    private byte[] text = NO_BYTES;
    private int used;
    private int limited;
    private int convertedAt;
    private int convertedEnd;
    private @Nullable String @Nullable [] values;
    private Charset charset = StandardCharsets.ISO_8859_1; // of the text; equals UTF-8 for ASCII

    /// Creates an empty object.
    public Parameters(ParameterLimits limits, HashKey key) {
        this.limits = limits;
        this.index = new NameIndex(key);
    }

    // Sources

    /// Adds the parameters of a query.
    ///
    /// @param query the raw query, without `?`; each character is one byte
    /// @return the error, or null
    @SuppressWarnings("deprecation") // the only copy of a Latin-1 String without allocation
    public @Nullable ProtocolError addQuery(String query, Charset charset) {
        int length = query.length();
        reserve(length);
        query.getBytes(0, length, text, used);
        return parse(length, charset);
    }

    /// Adds the parameters of a query or form that is complete in memory.
    ///
    /// @return the error, or null; 413 beyond [ParameterLimits#formMaxBytes]
    public @Nullable ProtocolError addForm(byte[] bytes, int from, int to, Charset charset) {
        int length = to - from;
        if (length > limits.formMaxBytes()) {
            return FORM_TOO_LARGE;
        }
        reserve(length);
        System.arraycopy(bytes, from, text, used, length);
        return parse(length, charset);
    }

    /// Reads a form to its end and adds its parameters. Memory grows with what has arrived, not
    /// with what was declared.
    ///
    /// @param declaredBytes the length of the content; -1 if it is not known
    /// @return the error, or null; 413 beyond [ParameterLimits#formMaxBytes]
    public @Nullable ProtocolError readForm(
            InputStream content, long declaredBytes, Charset charset) throws IOException {
        int most = limits.formMaxBytes();
        if (declaredBytes > most) {
            return FORM_TOO_LARGE;
        }
        int length = 0;
        boolean small = declaredBytes >= 0 && declaredBytes < FIRST_READ_BYTES;
        reserve(small ? (int) declaredBytes + 1 : FIRST_READ_BYTES);
        while (true) {
            // room for one byte more than allowed shows content beyond the limit
            int room = Math.min(text.length - used, most + 1) - length;
            int read = content.read(text, used + length, room);
            if (read < 0) {
                return parse(length, charset);
            }
            length += read;
            if (length > most) {
                return FORM_TOO_LARGE;
            }
            if (length == text.length - used) {
                reserve((int) Math.min(2L * length + FIRST_READ_BYTES, most + 1L));
            }
        }
    }

    /// Adds one parameter, such as a part without a file name.
    ///
    /// @return the error, or null
    public @Nullable ProtocolError add(String name, String value) {
        if (limited == limits.parametersMax()) {
            return TOO_MANY;
        }
        limited++;
        charset = StandardCharsets.UTF_8;
        int nameAt = append(name);
        int valueAt = append(value);
        index.add(text, nameAt, valueAt, valueAt, used);
        forget();
        return null;
    }

    /// Adds all parameters of the request that is dispatched, after those of the target's query
    /// (Servlet 6.1 §9.1.1). They do not count towards the limit again.
    public void addAll(Parameters original) {
        if (!original.charset.equals(charset)) {
            charset = StandardCharsets.UTF_8;
        }
        reserve(original.used);
        int distance = used;
        System.arraycopy(original.text, 0, text, distance, original.used);
        used += original.used;
        index.addAll(original.index, text, distance);
        forget();
    }

    // Access

    /// Returns the number of values; each repetition of a name counts.
    public int size() {
        return index.count();
    }

    /// Returns the first value of `name`, or null if there is none.
    public @Nullable String first(String name) {
        int i = index.find(text, name);
        return i == NameIndex.NONE ? null : value(i);
    }

    /// Returns every value of `name`, in order, as a new array; null if there is none.
    public String @Nullable [] all(String name) {
        int i = index.find(text, name);
        return i == NameIndex.NONE ? null : all(i);
    }

    /// Returns whether there is a parameter `name`.
    boolean has(String name) {
        return index.find(text, name) != NameIndex.NONE;
    }

    /// Returns the names, in order, each once. The list cannot be changed.
    public List<String> names() {
        List<String> names = new ArrayList<>(index.names());
        for (int i = nextName(0); i < index.count(); i = nextName(i + 1)) {
            names.add(name(i));
        }
        return Collections.unmodifiableList(names);
    }

    /// Returns all parameters, in order, as a map that cannot be changed. Each look-up in it returns
    /// a new array.
    public Map<String, String[]> map() {
        return new ParameterMap(this);
    }

    /// Returns how many different names there are.
    int nameCount() {
        return index.names();
    }

    /// Returns the first entry from `from` on that is the first of its name; beyond [#size] if there
    /// is none.
    int nextName(int from) {
        int i = from;
        while (i < index.count() && !index.first(i)) {
            i++;
        }
        return i;
    }

    /// Returns the name of the entry.
    String name(int i) {
        return index.name(text, i, charset);
    }

    /// Returns the most names that a look-up may have to compare.
    int longestChain() {
        return index.longestChain();
    }

    /// Returns every value of the name whose first entry that is.
    String[] all(int first) {
        if (index.same(first) == NameIndex.NONE) {
            return new String[] {value(first)};
        }
        int count = 0;
        for (int i = first; i != NameIndex.NONE; i = index.same(i)) {
            count++;
        }
        String[] all = new String[count];
        for (int i = first, k = 0; i != NameIndex.NONE; i = index.same(i)) {
            all[k++] = value(i);
        }
        return all;
    }

    private String value(int i) {
        @Nullable String @Nullable [] kept = values;
        if (kept == null) {
            kept = new @Nullable String[index.count()];
            values = kept;
        }
        @Nullable String value = kept[i];
        if (value == null) {
            value = index.value(text, i, charset);
            kept[i] = value;
        }
        return value;
    }

    /// Parses the `length` bytes that were copied to the end of the text.
    private @Nullable ProtocolError parse(int length, Charset charset) {
        int from = used;
        int kept = index.count();
        int counted = limited;
        used += length;
        scanner.start(text, from, used);
        index.expect(
                text, Math.min(PairScanner.pairsMax(text, from, used), limits.parametersMax()));
        @Nullable ProtocolError error = pairs(new FormCharset(charset));
        if (error != null) {
            index.truncate(text, kept);
            limited = counted;
            used = from;
        }
        forget();
        return error;
    }

    private @Nullable ProtocolError pairs(FormCharset given) {
        while (true) {
            switch (scanner.next()) {
                case END -> {
                    return null;
                }
                case ERROR -> {
                    return scanner.error();
                }
                case PAIR -> {
                    if (limited == limits.parametersMax()) {
                        return TOO_MANY;
                    }
                    limited++;
                    if (!addPair(given)) {
                        return BAD_TEXT;
                    }
                }
            }
        }
    }

    private boolean addPair(FormCharset given) {
        int nameAt = scanner.nameAt();
        int nameEnd = scanner.nameEnd();
        int valueAt = scanner.valueAt();
        int valueEnd = scanner.valueEnd();
        if (given.affects(scanner.nameHigh())) {
            if (!convert(given, nameAt, nameEnd)) {
                return false;
            }
            nameAt = convertedAt;
            nameEnd = convertedEnd;
        }
        if (given.affects(scanner.valueHigh())) {
            if (!convert(given, valueAt, valueEnd)) {
                return false;
            }
            valueAt = convertedAt;
            valueEnd = convertedEnd;
        }
        index.add(text, nameAt, nameEnd, valueAt, valueEnd);
        return true;
    }

    /// Makes UTF-8 of `text[from, to)` and sets the range of the result.
    ///
    /// @return false if the charset does not allow the bytes
    private boolean convert(FormCharset given, int from, int to) {
        charset = StandardCharsets.UTF_8;
        if (given.utf8()) {
            convertedAt = from;
            convertedEnd = to;
            return ByteRules.utf8(text, from, to);
        }
        @Nullable String decoded = given.decode(text, from, to);
        if (decoded == null) {
            return false;
        }
        convertedAt = append(decoded);
        convertedEnd = used;
        scanner.moveTo(text);
        return true;
    }

    private int append(String added) {
        byte[] bytes = added.getBytes(StandardCharsets.UTF_8);
        reserve(bytes.length);
        int at = used;
        System.arraycopy(bytes, 0, text, at, bytes.length);
        used += bytes.length;
        return at;
    }

    private void reserve(int length) {
        if (text.length - used < length) {
            text = Arrays.copyOf(text, Math.max(used + length, 2 * used));
        }
    }

    private void forget() {
        values = null;
    }
}
