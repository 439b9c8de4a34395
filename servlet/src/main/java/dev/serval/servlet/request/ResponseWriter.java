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
import org.jspecify.annotations.Nullable;

/// Encodes text into a response. UTF-8 and Latin-1 go through String, whose encoding is fast and
/// needs no buffer here. Other charsets keep a state, so they use an encoder. Characters that the
/// charset does not have become `?`.
final class ResponseWriter extends Writer {
    private static final int ENCODED_BYTES = 1024;

    private final ServletOutput output;
    private final Charset charset;
    private final @Nullable CharsetEncoder encoder; // null if String does it
    private char high; // a surrogate whose other half has not come; 0 if none
    private @Nullable ByteBuffer encoded;

    ResponseWriter(ServletOutput output, Charset charset) {
        this.output = output;
        this.charset = charset;
        boolean simple =
                charset.equals(StandardCharsets.UTF_8)
                        || charset.equals(StandardCharsets.ISO_8859_1)
                        || charset.equals(StandardCharsets.US_ASCII);
        this.encoder =
                simple
                        ? null
                        : charset.newEncoder()
                                .onMalformedInput(CodingErrorAction.REPLACE)
                                .onUnmappableCharacter(CodingErrorAction.REPLACE);
    }

    @Override
    public void write(int c) throws IOException {
        if (c < 0x80 && encoder == null && high == 0) {
            output.write(c);
        } else {
            write(String.valueOf((char) c));
        }
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        write(new String(text, from, length));
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
        if (encoder == null) {
            output.write(whole.getBytes(charset));
        } else {
            encode(encoder, CharBuffer.wrap(whole), false);
        }
    }

    private void encode(CharsetEncoder with, CharBuffer text, boolean last) throws IOException {
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

    /// Encodes what the end of the text leaves: the state of the charset, or half a surrogate.
    void finish() throws IOException {
        String rest = high == 0 ? "" : String.valueOf(high);
        high = 0;
        if (encoder != null) {
            encode(encoder, CharBuffer.wrap(rest), true);
            encoder.reset();
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
