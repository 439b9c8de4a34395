package dev.serval.examples.osp.record;

import java.util.EnumMap;
import java.util.Map;

/// One call detail record: a text for each [Field], as the client sent it. Immutable.
public final class CallRecord {
    /// A longer text is cut, in characters.
    public static final int TEXT_MAX_CHARS = 250;

    /// The longest digest, in characters.
    public static final int DIGEST_MAX_CHARS = 64;

    private final Map<Field, String> values;
    private final String digest;

    private CallRecord(Map<Field, String> values, String digest) {
        this.values = new EnumMap<>(values);
        this.digest = digest;
    }

    /// Returns the digest of the message's component, by which a database recognises a record that
    /// it has; empty if there is none.
    String digest() {
        return digest;
    }

    /// Returns the text of a field; empty if the client sent none.
    public String value(Field field) {
        return values.getOrDefault(field, "");
    }

    /// Returns a line of the file: the texts with tabs between them. A tab, a line break, a zero or
    /// a backslash inside a text is written as `\t`, `\n`, `\0` or `\\`.
    String line() {
        StringBuilder line = new StringBuilder(300);
        String separator = "";
        for (Field field : Field.values()) {
            line.append(separator);
            separator = "\t";
            escape(line, value(field));
        }
        return line.append('\n').toString();
    }

    private static void escape(StringBuilder line, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\t' -> line.append("\\t");
                case '\n', '\r' -> line.append("\\n");
                case '\0' -> line.append("\\0");
                case '\\' -> line.append("\\\\");
                default -> line.append(c);
            }
        }
    }

    /// Collects the texts of a record. Used by one thread.
    public static final class Builder {
        private final EnumMap<Field, String> values = new EnumMap<>(Field.class);
        private String digest = "";

        /// Sets a text.
        public Builder set(Field field, String text) {
            values.put(
                    field,
                    text.length() > TEXT_MAX_CHARS ? text.substring(0, TEXT_MAX_CHARS) : text);
            return this;
        }

        /// Sets the digest. Of records with the same digest, a database stores one.
        ///
        /// @throws IllegalArgumentException if it is too long
        public Builder digest(String value) {
            if (value.length() > DIGEST_MAX_CHARS) {
                throw new IllegalArgumentException("a digest of " + value.length() + " characters");
            }
            digest = value;
            return this;
        }

        /// Returns the record.
        public CallRecord build() {
            return new CallRecord(values, digest);
        }
    }
}
