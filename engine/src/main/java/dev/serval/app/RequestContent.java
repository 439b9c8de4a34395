package dev.serval.app;

import dev.serval.http.FieldName;
import dev.serval.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads the content of a request as a whole, up to a limit, and the charset that it declares.
/// Stateless.
final class RequestContent {
    private static final int PIECE_BYTES = 8 << 10;
    private static final String CHARSET = "charset=";

    private RequestContent() {}

    /// Returns the whole content.
    ///
    /// @param most the limit of its length in bytes
    /// @throws HttpException with status 413 if it is longer; then the rest stays unread
    static byte[] read(RequestHead head, InputStream in, int most) throws IOException {
        long length = head.contentLength();
        if (length > most) {
            throw tooLarge(most);
        }
        if (length >= 0) {
            byte[] all = in.readNBytes((int) length);
            if (all.length < length) {
                throw new IOException("The content ended before its Content-Length");
            }
            return all;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream(PIECE_BYTES);
        byte[] piece = new byte[PIECE_BYTES];
        for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
            if (n > most - all.size()) {
                throw tooLarge(most);
            }
            all.write(piece, 0, n);
        }
        return all.toByteArray();
    }

    /// Returns the content as text, in the charset that its type names, else in UTF-8.
    ///
    /// @throws HttpException with status 415 for an unknown charset, 400 if the content is not text
    ///     in that charset
    static String text(RequestHead head, byte[] content) {
        Charset charset = charset(head);
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(content)).toString();
        } catch (CharacterCodingException e) {
            throw new HttpException(400, "The content is not text in " + charset.name() + ".");
        }
    }

    /// Throws unless the content is a form.
    static void requireForm(RequestHead head) {
        String type = type(head);
        int end = type.indexOf(';');
        String plain = (end < 0 ? type : type.substring(0, end)).strip();
        if (!plain.equalsIgnoreCase("application/x-www-form-urlencoded")) {
            throw new HttpException(
                    415,
                    "A form must be sent as application/x-www-form-urlencoded (RFC 9110"
                            + " §15.5.16).");
        }
    }

    private static Charset charset(RequestHead head) {
        String type = type(head).toLowerCase(Locale.ROOT);
        for (String parameter : type.split(";", -1)) {
            String text = parameter.strip();
            if (text.startsWith(CHARSET)) {
                return named(text.substring(CHARSET.length()).replace("\"", ""));
            }
        }
        return StandardCharsets.UTF_8;
    }

    private static Charset named(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new HttpException(415, "The charset of the content is not known here.");
        }
    }

    private static String type(RequestHead head) {
        @Nullable String type = head.fields().first(FieldName.CONTENT_TYPE);
        return type == null ? "" : type;
    }

    private static HttpException tooLarge(int most) {
        return new HttpException(413, "The content may have at most " + most + " bytes here.");
    }
}
