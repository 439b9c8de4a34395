package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Writes the payload of a request's head in [ToyFrames]: names and values apart from each other, as
/// in HTTP/2. Each pair is: the number of a name in [#NAMES] (1 byte), or 0 and a name with its
/// length (1 byte); then the value with its length (2 bytes). Names are lower case, and pseudo names
/// begin with a colon. Owned by the codec.
public final class ToyHead {
    /// Names that are sent as a number. The first is for all others.
    public enum Name {
        /// A name that is sent as text.
        OTHER(""),
        /// The method.
        METHOD(":method"),
        /// `http` or `https`.
        SCHEME(":scheme"),
        /// Host and port.
        AUTHORITY(":authority"),
        /// Path and query.
        PATH(":path"),
        /// What an extended CONNECT asks for (RFC 8441).
        PROTOCOL(":protocol"),
        /// The length of the content.
        CONTENT_LENGTH("content-length");

        private final String text;

        Name(String text) {
            this.text = text;
        }

        /// Returns the name as text.
        public String text() {
            return text;
        }
    }

    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();

    /// Adds a pair whose name has a number.
    @SuppressWarnings("EnumOrdinal") // the ordinal is the number on the wire
    public ToyHead add(Name name, String value) {
        payload.write(name.ordinal());
        return value(value);
    }

    /// Adds a field whose name is sent as text.
    public ToyHead add(String name, String value) {
        byte[] text = bytes(name.toLowerCase(Locale.ROOT));
        payload.write(0);
        payload.write(text.length);
        payload.writeBytes(text);
        return value(value);
    }

    /// Adds fields, `Name: value` a line.
    public ToyHead addLines(String lines) {
        lines.lines()
                .forEach(line -> {
                    int colon = line.indexOf(':');
                    add(line.substring(0, colon), line.substring(colon + 1).strip());
                });
        return this;
    }

    /// Returns the payload of the head's frame.
    public byte[] payload() {
        return payload.toByteArray();
    }

    private ToyHead value(String value) {
        byte[] text = bytes(value);
        payload.write(text.length >> 8);
        payload.write(text.length);
        payload.writeBytes(text);
        return this;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
