package dev.serval.servlet.descriptor;

/// Reports that an application's declarations are wrong, so that it cannot be deployed. The message
/// begins with the place of the fault.
public final class DescriptorException extends Exception {
    private static final long serialVersionUID = 1;

    /// Creates the exception.
    ///
    /// @param origin the place of the fault
    /// @param what the fault and its remedy, as sentences
    public DescriptorException(Origin origin, String what) {
        super(origin + ": " + what);
    }

    /// Creates the exception with a cause.
    public DescriptorException(Origin origin, String what, Throwable cause) {
        super(origin + ": " + what, cause);
    }
}
