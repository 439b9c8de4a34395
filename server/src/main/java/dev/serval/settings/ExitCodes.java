package dev.serval.settings;

/// The exit codes of `serval`. Stateless.
public final class ExitCodes {
    /// Success.
    public static final int OK = 0;

    /// The machine does not match the command line or the file: no such folder, port in use.
    public static final int ENVIRONMENT = 1;

    /// The command line or the file is wrong on any machine.
    public static final int USAGE = 2;

    private ExitCodes() {}
}
