package dev.serval.servlet.map;

import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.MappingMatch;

/// How a path reached a servlet, for applications. Immutable.
///
/// @param match the kind of pattern
/// @param matchValue the part of the path that the pattern left open, without a leading slash
/// @param pattern the pattern as declared
/// @param servlet the servlet's name
public record PathMapping(MappingMatch match, String matchValue, String pattern, String servlet)
        implements HttpServletMapping {
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
