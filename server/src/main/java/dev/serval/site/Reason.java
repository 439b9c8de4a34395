package dev.serval.site;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Says in words why something failed. Stateless.
public final class Reason {
    private Reason() {}

    /// Returns the message of an exception. That of the JDK about a file is often only its path; then
    /// the kind of the exception is said, too.
    public static String of(Throwable thrown) {
        String message = thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
        if (!(thrown instanceof FileSystemException file) || file.getReason() != null) {
            return message;
        }
        return switch (file) {
            case AccessDeniedException _ ->
                    "This user may not use "
                            + message
                            + ": change the owner or the rights of it or of its folder";
            case NoSuchFileException _ -> message + " or its folder does not exist: create it";
            case FileAlreadyExistsException _ -> message + " exists already, and is no folder";
            default -> thrown.toString();
        };
    }
}
