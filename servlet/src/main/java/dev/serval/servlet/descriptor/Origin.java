package dev.serval.servlet.descriptor;

/// Where an application declares something, for messages. Immutable.
///
/// @param where the file, class or method: `WEB-INF/web.xml`, `class com.example.Cart`
/// @param line from 1; 0 if unknown
/// @param column from 1; 0 if unknown
public record Origin(String where, int line, int column) {
    /// Returns the origin of declarations by code.
    public static Origin code(String where) {
        return new Origin(where, 0, 0);
    }

    /// Returns for example `WEB-INF/web.xml:12:5`.
    @Override
    public String toString() {
        if (line == 0) {
            return where;
        }
        return column == 0 ? where + ":" + line : where + ":" + line + ":" + column;
    }
}
