package dev.serval.jsp;

import jakarta.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/// The query parameter, usually `jsp_precompile`, with which a request asks to compile a page and not to run
/// it (Pages 4.0 §11.4.2). Stateless.
final class PrecompileParameter {
    private PrecompileParameter() {}

    /// Returns whether a query has the parameter. Reads the query itself, because the application may
    /// still choose the encoding of parameters.
    ///
    /// @param parameter the name
    /// @throws ServletException if its value is neither `true` nor `false`
    static boolean isSet(@Nullable String query, String parameter) throws ServletException {
        if (query == null || !query.contains(parameter)) {
            return false;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "true" : pair.substring(equals + 1);
            if (!name.equals(parameter)) {
                continue;
            }
            // With "false" the page must not run either.
            if (value.equals("true") || value.equals("false")) {
                return true;
            }
            throw new ServletException(
                    "The parameter " + parameter + " is true or false, not \"" + value + "\"");
        }
        return false;
    }
}
