package dev.serval.jsp;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the place of a fault from Jasper's messages, which have it in brackets in every language.
/// Stateless.
final class PageFaults {
    /// Such as `at line: [3] in the jsp file: [/a.jsp]`, and the message on the next line.
    private static final Pattern OF_COMPILER =
            Pattern.compile("\\[(\\d+)\\][^\\[\\n]*\\[(/[^\\]\\n]+)\\]\\R([^\\n]*)");

    /// Such as `/my folder/a.jsp (line: [3], column: [5]) message`; at most a few digits.
    private static final Pattern OF_PARSER =
            Pattern.compile(
                    "(?m)^(?:[\\w.$]+: )*+(/[^\\n]+?) \\([^()\\[\\n]*\\[(\\d{1,9})\\]"
                            + "[^()\\[\\n]*\\[\\d+\\]\\)\\s*([^\\n]*)");

    private static final int CONTEXT_LINES = 3;
    private static final int CAUSES_MAX = 50;
    private static final int EXCERPT_FILE_MAX_BYTES = 1 << 20;

    private PageFaults() {}

    /// Returns a fault of the parser with the lines of the page around it, for developers. Messages of
    /// the compiler have these lines already.
    static ServletException withExcerpt(ServletException fault, ServletContext context)
            throws IOException {
        @Nullable String message = fault.getMessage();
        Matcher parser = OF_PARSER.matcher(message == null ? "" : message);
        if (!parser.find()) {
            return fault;
        }
        try (@Nullable InputStream in = context.getResourceAsStream(parser.group(1))) {
            if (in == null) {
                return fault;
            }
            byte[] page = in.readNBytes(EXCERPT_FILE_MAX_BYTES);
            List<String> lines = new String(page, StandardCharsets.UTF_8).lines().toList();
            int line = Integer.parseInt(parser.group(2));
            StringBuilder text = new StringBuilder(message).append("\n\n");
            int last = Math.min(lines.size(), line + CONTEXT_LINES);
            for (int i = Math.max(1, line - CONTEXT_LINES); i <= last; i++) {
                text.append(i).append(": ").append(lines.get(i - 1)).append('\n');
            }
            return new ServletException(text.toString(), fault);
        }
    }

    /// Returns whether the page is the cause, rather than the machine: the message has a place in the
    /// page, and no failure of input or output led to it.
    static boolean isOfPage(Throwable fault) {
        @Nullable Throwable cause = fault;
        for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
            if (cause instanceof IOException) {
                return false;
            }
            cause = cause.getCause();
        }
        @Nullable String message = fault.getMessage();
        return message != null
                && (OF_PARSER.matcher(message).find() || OF_COMPILER.matcher(message).find());
    }

    /// Returns for example `/a.jsp:3: message`.
    ///
    /// @param path of the page, if the message has no place
    static String text(String path, Throwable fault) {
        @Nullable String message = fault.getMessage();
        String text = message == null ? fault.toString() : message;
        Matcher parser = OF_PARSER.matcher(text);
        if (parser.find()) {
            return parser.group(1) + ":" + parser.group(2) + ": " + parser.group(3).strip();
        }
        Matcher compiler = OF_COMPILER.matcher(text);
        if (compiler.find()) {
            return compiler.group(2) + ":" + compiler.group(1) + ": " + compiler.group(3).strip();
        }
        return path + ": " + text.strip();
    }
}
