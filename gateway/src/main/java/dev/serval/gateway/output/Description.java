package dev.serval.gateway.output;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.http.TargetPath;

/// Adds the variables that depend on the mount: SCRIPT_NAME, PATH_INFO and the like. Immutable.
@FunctionalInterface
public interface Description {
    /// For an application that serves every path of its mount: SCRIPT_NAME is the mount's prefix,
    /// PATH_INFO the decoded rest (RFC 3875 §4.1.5, §4.1.13).
    Description WHOLE_MOUNT =
            (out, x) -> {
                TargetPath path = x.request().target().path();
                int below = path.from() + x.route().prefixLength();
                out.begin("SCRIPT_NAME");
                out.put(path.buffer(), path.from(), below).end();
                out.begin("PATH_INFO");
                out.put(path.buffer(), below, path.to()).end();
            };

    /// Adds the variables of this exchange.
    void add(VariableBuffer out, EngineExchange x);
}
