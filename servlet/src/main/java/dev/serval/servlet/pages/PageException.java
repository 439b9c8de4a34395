package dev.serval.servlet.pages;

import org.jspecify.annotations.Nullable;

/// Reports that a page or a tag library is wrong. The message says where, what, and what would be
/// right.
public final class PageException extends Exception {
    private static final long serialVersionUID = 1;

    /// Creates the exception.
    ///
    /// @param message begins with the place of the fault
    public PageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
