package dev.serval.jsp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the place of a fault from Jasper's messages, which have it in brackets in every language.
/// Stateless.
final class PageFaults {
    /// Such as `at line: [3] in the jsp file: [/a.jsp]`, and the message on the next line.
    private static final Pattern OF_COMPILER =
            Pattern.compile("\\[(\\d+)\\][^\\[\\n]*\\[(/[^\\]\\n]+)\\]\\R([^\\n]*)");

    /// Such as `/a.jsp (line: [3], column: [5]) message`.
    private static final Pattern OF_PARSER =
            Pattern.compile(
                    "(/\\S+) \\([^\\[\\n]*\\[(\\d+)\\][^\\[\\n]*\\[\\d+\\]\\)\\s*([^\\n]*)");

    private PageFaults() {}

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
