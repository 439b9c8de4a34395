package dev.serval.servlet.request;

import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Encodes text into a response. A String in UTF-8 or Latin-1 encodes itself, which is fast and needs no
/// buffer here. Arrays, such as the buffers of pages, and other charsets, which keep a state, go through
/// an encoder. Characters that the charset does not have become `?`.
final class ResponseWriter extends Writer {
    private static final int ENCODED_BYTES = 2048;
    private static final int LONG_CHARS = 256; // from which an array is worth an encoder

    private final ServletOutput output;
    private final Charset charset;
    private final boolean simple; // without a state, so that String can encode it
    private @Nullable CharsetEncoder encoder; // null until it is needed
    private char high; // a surrogate whose other half has not come; 0 if none
    private @Nullable ByteBuffer encoded;

    ResponseWriter(ServletOutput output, Charset charset) {
        this.output = output;
        this.charset = charset;
        this.simple =
                charset.equals(StandardCharsets.UTF_8)
                        || charset.equals(StandardCharsets.ISO_8859_1)
                        || charset.equals(StandardCharsets.US_ASCII);
    }

    @Override
    public void write(int c) throws IOException {
        if (c < 0x80 && simple && high == 0) {
            output.write(c);
        } else {
            write(String.valueOf((char) c));
        }
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, text.length);
        if (high != 0 || length < LONG_CHARS) {
            write(new String(text, from, length));
            return;
        }
        char last = text[from + length - 1];
        int whole = length;
        if (Character.isHighSurrogate(last)) {
            high = last;
            whole--;
        }
        encode(CharBuffer.wrap(text, from, whole), false);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
        if (length == text.length()) {
            write(text);
        } else {
            write(text.substring(from, from + length));
        }
    }

    @Override
    public void write(String text) throws IOException {
        if (text.isEmpty()) {
            return;
        }
        String whole = high == 0 ? text : high + text;
        high = 0;
        char last = whole.charAt(whole.length() - 1);
        if (Character.isHighSurrogate(last)) {
            high = last;
            whole = whole.substring(0, whole.length() - 1);
        }
        if (simple) {
            output.write(whole.getBytes(charset));
        } else {
            encode(CharBuffer.wrap(whole), false);
        }
    }

    private CharsetEncoder encoder() {
        @Nullable CharsetEncoder known = encoder;
        if (known == null) {
            known =
                    charset.newEncoder()
                            .onMalformedInput(CodingErrorAction.REPLACE)
                            .onUnmappableCharacter(CodingErrorAction.REPLACE);
            encoder = known;
        }
        return known;
    }

    private void encode(CharBuffer text, boolean last) throws IOException {
        CharsetEncoder with = encoder();
        ByteBuffer into = encoded == null ? ByteBuffer.allocate(ENCODED_BYTES) : encoded;
        encoded = into;
        CoderResult result;
        do {
            result = with.encode(text, into, last);
            if (last && result.isUnderflow()) {
                result = with.flush(into);
            }
            output.write(into.array(), 0, into.position());
            into.clear();
        } while (result.isOverflow());
    }

    /// Sends all text.
    @Override
    public void flush() throws IOException {
        output.flush();
    }

    @Override
    public void close() throws IOException {
        finish();
        output.close();
    }

    /// Forgets the text before, which is not sent: the text that follows is the first.
    void cleared() {
        high = 0;
        encoder = null;
    }

    /// Encodes what the end of the text leaves: the state of the charset, or half a surrogate.
    void finish() throws IOException {
        String rest = high == 0 ? "" : String.valueOf(high);
        high = 0;
        if (!simple) {
            encode(CharBuffer.wrap(rest), true);
            encoder().reset();
        } else if (!rest.isEmpty()) {
            output.write(rest.getBytes(charset));
        }
    }

    /// Returns the exception that the Servlet API declares for an unknown charset.
    static UnsupportedEncodingException unsupported(UnsupportedCharsetException e) {
        UnsupportedEncodingException declared =
                new UnsupportedEncodingException(
                        "This JVM has no charset named " + e.getCharsetName());
        declared.initCause(e);
        return declared;
    }
}
