package dev.serval.servlet.vault;

/// The attributes of a session cannot be turned into bytes. The session stays in memory.
public final class UnkeepableException extends Exception {
    private static final long serialVersionUID = 1;

    private final String className;

    UnkeepableException(String className, String message, Throwable cause) {
        super(message, cause);
        this.className = className;
    }

    /// Returns the class that is the reason, for one message for each class.
    public String className() {
        return className;
    }
}
