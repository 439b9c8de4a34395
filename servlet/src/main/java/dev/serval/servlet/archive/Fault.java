package dev.serval.servlet.archive;

import java.io.IOException;

/// Words the reasons why an archive is refused. Stateless.
final class Fault {
    private static final int SHOWN_CHARS = 200;

    private Fault() {}

    /// Returns an exception about a whole archive.
    static IOException of(String archive, String what) {
        return new IOException(archive + ": " + what);
    }

    /// Returns an exception about one entry.
    static IOException of(String archive, String entry, String what) {
        return new IOException(archive + ": the entry " + quoted(entry) + " " + what);
    }

    /// Returns the name in quotes, without control characters and not too long for a log.
    static String quoted(String name) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < Math.min(name.length(), SHOWN_CHARS); i++) {
            char c = name.charAt(i);
            if (Character.isISOControl(c) || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append(name.length() > SHOWN_CHARS ? "…\"" : "\"").toString();
    }
}
