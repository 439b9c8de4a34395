package dev.serval.soak.war;

/// A failure that a request asks for. Without a stack trace, because the server logs many of them.
final class Meant extends RuntimeException {
    private static final long serialVersionUID = 1;

    Meant(long seed) {
        super("meant " + seed, null, false, false);
    }
}
