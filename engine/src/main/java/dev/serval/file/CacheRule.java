package dev.serval.file;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.PathPatterns;
import java.util.List;
import java.util.Locale;

/// The Cache-Control of some files. Immutable.
///
/// @param types media types without parameters, in lower case, such as `image/*` or `text/css`;
///     empty for all
/// @param paths patterns of the files' paths below the root, such as `/assets/**`; none for all
/// @param value the value of the field, such as `public, max-age=31536000, immutable`
public record CacheRule(List<String> types, PathPatterns paths, String value) {
    private static final String ANY_SUBTYPE = "/*";

    /// Checks the value.
    public CacheRule {
        types = List.copyOf(types);
        Fields _ = Fields.of(FieldName.CACHE_CONTROL, value);
        for (String type : types) {
            if (type.indexOf('/') <= 0 || !type.equals(type.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "A media type of a cache rule must be such as image/* or text/css, but is"
                                + " \""
                                + type
                                + "\"");
            }
        }
    }

    /// Returns a rule for media types.
    public static CacheRule ofTypes(List<String> types, String value) {
        return new CacheRule(types, PathPatterns.NONE, value);
    }

    /// Returns a rule for paths.
    public static CacheRule ofPaths(List<String> patterns, String value) {
        return new CacheRule(List.of(), PathPatterns.of(patterns), value);
    }

    /// Returns whether the rule is for a file.
    ///
    /// @param path below the root
    /// @param contentType the value of its Content-Type
    boolean matches(String path, String contentType) {
        return (paths.isEmpty() || paths.matches(path))
                && (types.isEmpty() || isOneOf(contentType));
    }

    private boolean isOneOf(String contentType) {
        int end = contentType.indexOf(';');
        String type =
                (end < 0 ? contentType : contentType.substring(0, end))
                        .strip()
                        .toLowerCase(Locale.ROOT);
        for (String one : types) {
            boolean any = one.endsWith(ANY_SUBTYPE);
            if (any ? type.startsWith(one.substring(0, one.length() - 1)) : type.equals(one)) {
                return true;
            }
        }
        return false;
    }
}
