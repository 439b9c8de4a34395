package dev.serval.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One Java source file as text. Immutable.
///
/// @param file path from the repository's root
/// @param text the whole text
record JavaSource(String file, String text) {
    private static final Pattern TYPE =
            Pattern.compile("\\b(?:class|interface|enum|record|@interface)\\s+([A-Z]\\w*)");

    /// Returns whether it is shipped, rather than a test.
    boolean main() {
        return file.contains("/src/main/java/");
    }

    /// Returns the module's folder, such as `engine` or `examples/embedding`.
    String module() {
        return file.substring(0, Math.max(0, file.indexOf("/src/")));
    }

    /// Returns the package, such as `dev.serval.http`.
    String packageName() {
        String below = file.replaceFirst("^.*/src/(main|test)/java/", "");
        int end = below.lastIndexOf('/');
        return end < 0 ? "" : below.substring(0, end).replace('/', '.');
    }

    /// Returns the file's name without `.java`.
    String name() {
        return file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length());
    }

    /// Returns the names of all types it declares, nested ones included.
    List<String> types() {
        List<String> names = new ArrayList<>();
        Matcher type = TYPE.matcher(code());
        while (type.find()) {
            names.add(type.group(1));
        }
        return names;
    }

    /// Returns the text with comments and literals replaced by spaces. Line numbers stay the same.
    String code() {
        StringBuilder code = new StringBuilder(text);
        int at = 0;
        while (at < code.length()) {
            int end = end(at);
            if (end == at) {
                at++;
                continue;
            }
            for (int i = at; i < end; i++) {
                if (code.charAt(i) != '\n') {
                    code.setCharAt(i, ' ');
                }
            }
            at = end;
        }
        return code.toString();
    }

    /// Returns the line of an index in [#text] or [#code], from 1.
    int line(int at) {
        return 1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
    }

    /// Returns the end of the comment or literal that begins at `at`, or `at` if none begins there.
    private int end(int at) {
        if (text.startsWith("//", at)) {
            return endAfter("\n", at, 0);
        }
        if (text.startsWith("/*", at)) {
            return endAfter("*/", at + 2, 2);
        }
        if (text.startsWith("\"\"\"", at)) {
            return endAfter("\"\"\"", at + 3, 3);
        }
        char quote = text.charAt(at);
        if (quote != '"' && quote != '\'') {
            return at;
        }
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != quote && text.charAt(end) != '\n') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        return Math.min(end + 1, text.length());
    }

    private int endAfter(String mark, int from, int length) {
        int at = text.indexOf(mark, from);
        return at < 0 ? text.length() : at + length;
    }
}
