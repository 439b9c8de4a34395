package dev.serval.servlet.request;

/// Names of special attributes that only the container uses.
public final class Dispatches {
    /// The query of a dispatch target, whose parameters come before those of the request (Servlet
    /// 6.1 §9.1.1). Applications do not see it.
    public static final String QUERY = "dev.serval.dispatch.query";

    /// The request itself, for a dispatcher that gets an object which passes calls on to it, such as a
    /// proxy. No names of attributes contain it.
    public static final String REQUEST = "dev.serval.dispatch.request";

    private Dispatches() {}
}
