package dev.serval.servlet;

/// Reports that an application could not be started. The message begins with the file, line and
/// column, or the class, that is wrong.
public final class WebAppException extends RuntimeException {
    private static final long serialVersionUID = 1;

    WebAppException(String message, Throwable cause) {
        super(message, cause);
    }
}
