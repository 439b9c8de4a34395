package dev.serval.servlet.vault;

/// The attributes of a session cannot be turned into bytes. The session stays in memory,
/// at least until the next attempt.
public final class UnkeepableException extends Exception {
    private static final long serialVersionUID = 1;

    private final String className;

    private final boolean lasting;

    /// @param lasting whether another attempt is useless unless the session changes
    UnkeepableException(String className, String message, boolean lasting, Throwable cause) {
        super(message, cause);
        this.className = className;
        this.lasting = lasting;
    }

    /// Returns whether another attempt is useless unless the session changes. An object that
    /// another request changes while it is written may be written later.
    public boolean isLasting() {
        return lasting;
    }

    /// Returns the class that is the reason, for one message for each class.
    public String className() {
        return className;
    }
}
