package dev.serval.rule;

import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.PathPatterns;
import dev.serval.http.Status;
import java.util.List;

/// Answers 404 for some paths below a mount, as if there was nothing, and passes all others on. It
/// compares the decoded, normalised path, as [PathPatterns] describes. Put it before the handlers
/// that answer, also before those of applications and other servers.
public final class DeniedPaths implements Handler {
    private final PathPatterns patterns;

    private DeniedPaths(PathPatterns patterns) {
        this.patterns = patterns;
    }

    /// Returns a handler that denies the paths of these patterns, such as `*.inc`, `.git` or
    /// `/data/**`. A pattern that begins with a slash is relative to the mount.
    ///
    /// @throws IllegalArgumentException if a pattern is malformed
    public static DeniedPaths of(List<String> patterns) {
        return new DeniedPaths(PathPatterns.of(patterns));
    }

    @Override
    public void handle(Exchange x) {
        if (patterns.matches(x.request().target().path().below(x.route().prefixLength()))) {
            x.refuse(Status.NOT_FOUND, Fields.EMPTY, "There is nothing at this address.");
        } else {
            x.pass();
        }
    }

    @Override
    public boolean takesOtherMethods() {
        return true; // a later handler may take them
    }

    @Override
    public boolean takesTrace() {
        return true; // likewise
    }
}
