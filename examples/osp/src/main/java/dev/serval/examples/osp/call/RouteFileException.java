package dev.serval.examples.osp.call;

/// A route file has mistakes. The message names each with file and line.
public final class RouteFileException extends Exception {
    private static final long serialVersionUID = 1L;

    RouteFileException(String message) {
        super(message);
    }
}
