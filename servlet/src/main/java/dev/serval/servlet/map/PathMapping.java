package dev.serval.servlet.map;

import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.MappingMatch;

/// How a path reached a servlet, for applications. Immutable. No record, because EL would read its
/// components instead of its properties.
public final class PathMapping implements HttpServletMapping {
    private final MappingMatch match;
    private final String matchValue;
    private final String pattern;
    private final String servlet;

    /// Creates the mapping.
    ///
    /// @param match the kind of pattern
    /// @param matchValue the part of the path that the pattern left open, without a leading slash
    /// @param pattern the pattern as declared
    /// @param servlet the servlet's name
    public PathMapping(MappingMatch match, String matchValue, String pattern, String servlet) {
        this.match = match;
        this.matchValue = matchValue;
        this.pattern = pattern;
        this.servlet = servlet;
    }

    @Override
    public String getMatchValue() {
        return matchValue;
    }

    @Override
    public String getPattern() {
        return pattern;
    }

    @Override
    public String getServletName() {
        return servlet;
    }

    @Override
    public MappingMatch getMappingMatch() {
        return match;
    }
}
