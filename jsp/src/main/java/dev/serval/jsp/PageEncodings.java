package dev.serval.jsp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Locale;
import org.apache.jasper.compiler.JspConfig;
import org.jspecify.annotations.Nullable;

/// The property groups of an application, which also decide the encoding of pages that declare none.
/// Such a page is ISO-8859-1 by the specification (Pages 4.0 §4.1.1), and Tomcat reads it so even if
/// its responses are UTF-8. Here it has the encoding of the application's responses. ISO-8859-1
/// remains if the bytes of the page cannot be text of that encoding. Any thread.
///
/// Jasper asks for the group of a file when it compiles the file.
final class PageEncodings extends JspConfig {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final ServletContext context;

    PageEncodings(ServletContext context) {
        super(context);
        this.context = context;
    }

    @Override
    public JspProperty findJspProperty(@Nullable String path) {
        JspProperty group = super.findJspProperty(path);
        @Nullable String encoding = context.getResponseCharacterEncoding();
        if (path == null
                || encoding == null
                || group.getPageEncoding() != null
                || Boolean.parseBoolean(group.isXml())) {
            return group;
        }
        return isUndeclared(path, Charset.forName(encoding)) ? with(group, encoding) : group;
    }

    /// Returns whether the file has characters outside of ASCII, says nothing about their encoding,
    /// and can be read in this one.
    private boolean isUndeclared(String path, Charset encoding) {
        String name = path.toLowerCase(Locale.ROOT);
        if (name.endsWith(".jspx") || name.endsWith(".tagx")) {
            return false; // XML says it itself
        }
        try (@Nullable InputStream in = context.getResourceAsStream(path)) {
            if (in == null) {
                return false; // a tag file in a jar, or the compiler says so
            }
            byte[] page = in.readAllBytes();
            return !isText(page, US_ASCII)
                    && isText(page, encoding)
                    && !startsWith(page, BYTE_ORDER_MARK)
                    && !declares(new String(page, ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException("The page " + path + " cannot be read", e);
        }
    }

    private static boolean isText(byte[] bytes, Charset encoding) {
        try {
            encoding.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean startsWith(byte[] bytes, byte[] start) {
        return bytes.length >= start.length
                && ByteBuffer.wrap(bytes, 0, start.length).equals(ByteBuffer.wrap(start));
    }

    /// Returns whether a page is a JSP document, or names an encoding in a directive. Every encoding
    /// of pages but UTF-16, which needs a mark, has these in ASCII.
    private static boolean declares(String page) {
        return page.contains("<jsp:root")
                || declares(page, "<%@", "%>")
                || declares(page, "<jsp:directive.", ">");
    }

    private static boolean declares(String page, String start, String end) {
        for (int at = page.indexOf(start); at >= 0; at = page.indexOf(start, at + 1)) {
            int to = page.indexOf(end, at);
            String directive = page.substring(at, to < 0 ? page.length() : to);
            if (directive.contains("pageEncoding") || directive.contains("charset=")) {
                return true;
            }
        }
        return false;
    }

    private static JspProperty with(JspProperty group, String pageEncoding) {
        return new JspProperty(
                group.isXml(),
                group.isELIgnored(),
                group.getErrorOnELNotFound(),
                group.isScriptingInvalid(),
                pageEncoding,
                group.getIncludePrelude(),
                group.getIncludeCoda(),
                group.isDeferedSyntaxAllowedAsLiteral(),
                group.isTrimDirectiveWhitespaces(),
                group.getDefaultContentType(),
                group.getBuffer(),
                group.isErrorOnUndeclaredNamespace());
    }
}
