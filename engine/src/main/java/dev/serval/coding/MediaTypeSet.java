package dev.serval.coding;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// A set of media types. An element is a type such as `application/json`, all types of a kind such as
/// `text/*`, or all types with a suffix such as `+json` (RFC 6838 §4.2.8). Immutable.
public final class MediaTypeSet {
    private static final String TOKEN = "[!#$%&'+.^_`|~0-9a-z-]+";
    private static final Pattern ELEMENT =
            Pattern.compile(TOKEN + "/(" + TOKEN + "|\\*)|\\+" + TOKEN);

    private final List<String> elements;
    private final byte[][] whole;
    private final byte[][] kinds; // with the slash
    private final byte[][] suffixes; // with the plus sign

    private MediaTypeSet(List<String> elements) {
        this.elements = List.copyOf(elements);
        this.whole = bytes(elements.stream().filter(e -> !isKind(e) && !isSuffix(e)).toList());
        this.kinds =
                bytes(
                        elements.stream()
                                .filter(MediaTypeSet::isKind)
                                .map(e -> e.substring(0, e.length() - 1))
                                .toList());
        this.suffixes = bytes(elements.stream().filter(MediaTypeSet::isSuffix).toList());
    }

    /// Returns the set with these elements.
    ///
    /// @throws IllegalArgumentException if an element is not one of the forms above
    public static MediaTypeSet of(List<String> elements) {
        List<String> lower = elements.stream().map(e -> e.toLowerCase(Locale.ROOT)).toList();
        for (String element : lower) {
            if (!ELEMENT.matcher(element).matches()) {
                throw new IllegalArgumentException(
                        "A media type must be such as application/json, text/* or +json, but is \""
                                + element
                                + "\"");
            }
        }
        return new MediaTypeSet(lower);
    }

    /// Returns the elements.
    public List<String> elements() {
        return elements;
    }

    /// Returns whether the set has the type of the Content-Type `value`, whose parameters do not
    /// count.
    public boolean contains(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        return contains(bytes, 0, bytes.length);
    }

    /// Returns whether the set has the type of the Content-Type `bytes[from, to)`.
    public boolean contains(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != ';' && bytes[end] != ' ' && bytes[end] != '\t') {
            end++;
        }
        for (byte[] kind : kinds) {
            if (end - from > kind.length
                    && ContentCoding.equal(bytes, from, from + kind.length, kind)) {
                return true;
            }
        }
        for (byte[] type : whole) {
            if (ContentCoding.equal(bytes, from, end, type)) {
                return true;
            }
        }
        for (byte[] suffix : suffixes) {
            if (end - from > suffix.length
                    && ContentCoding.equal(bytes, end - suffix.length, end, suffix)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MediaTypeSet same && elements.equals(same.elements);
    }

    @Override
    public int hashCode() {
        return elements.hashCode();
    }

    @Override
    public String toString() {
        return elements.toString();
    }

    private static boolean isKind(String element) {
        return element.endsWith("/*");
    }

    private static boolean isSuffix(String element) {
        return element.startsWith("+");
    }

    private static byte[][] bytes(List<String> texts) {
        return texts.stream()
                .map(text -> text.getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }
}
