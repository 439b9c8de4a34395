package dev.serval.log;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/// How a time is written, by the codes of strftime in English. Immutable.
///
/// @param pieces literals and codes in order
/// @param zone of the time
record TimeFormat(List<Piece> pieces, ZoneId zone) {
    /// The format of the Common Log Format, such as `[25/Nov/2026:22:49:20 +0000]`.
    static final String CLF = "[%d/%b/%Y:%H:%M:%S %z]";

    private static final String CODES = "aAbBdeHIjmMpSyYzZs";

    /// A part of the format.
    ///
    /// @param code of strftime; 0 for the literal
    record Piece(char code, String literal) {}

    TimeFormat {
        pieces = List.copyOf(pieces);
    }

    /// Compiles a format.
    ///
    /// @param column of its first character, for messages
    /// @throws IllegalArgumentException if it has an unknown code
    static TimeFormat of(String format, int column, ZoneId zone) {
        List<Piece> pieces = new ArrayList<>();
        add(format, column, pieces);
        return new TimeFormat(pieces, zone);
    }

    private static void add(String format, int column, List<Piece> pieces) {
        StringBuilder literal = new StringBuilder();
        int i = 0;
        while (i < format.length()) {
            char c = format.charAt(i);
            char code = i + 1 < format.length() ? format.charAt(i + 1) : ' ';
            if (c != '%' || code == '%') {
                literal.append(c);
            } else {
                end(literal, pieces);
                add(code, column + i, pieces);
            }
            i += c == '%' ? 2 : 1;
        }
        end(literal, pieces);
    }

    private static void add(char code, int column, List<Piece> pieces) {
        switch (code) {
            case 'D' -> add("%m/%d/%y", column, pieces);
            case 'F' -> add("%Y-%m-%d", column, pieces);
            case 'T' -> add("%H:%M:%S", column, pieces);
            case 'R' -> add("%H:%M", column, pieces);
            case 'h' -> add("%b", column, pieces);
            default -> {
                if (CODES.indexOf(code) < 0) {
                    throw new IllegalArgumentException(
                            "%"
                                    + code
                                    + " at column "
                                    + column
                                    + " is no code of a time here: those of strftime are known that end"
                                    + " with one of aAbBdDeFhHIjmMpRsSTyYzZ, such as %Y-%m-%d");
                }
                pieces.add(new Piece(code, ""));
            }
        }
    }

    private static void end(StringBuilder literal, List<Piece> pieces) {
        if (!literal.isEmpty()) {
            pieces.add(new Piece('\0', literal.toString()));
            literal.setLength(0);
        }
    }
}
