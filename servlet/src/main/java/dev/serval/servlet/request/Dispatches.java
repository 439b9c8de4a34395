package dev.serval.servlet.request;

/// Names of special attributes that only the container uses.
public final class Dispatches {
    /// The query of a dispatch target, whose parameters come before those of the request (Servlet
    /// 6.1 §9.1.1). Applications do not see it.
    public static final String QUERY = "dev.serval.dispatch.query";

    private Dispatches() {}
}
