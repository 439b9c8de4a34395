package dev.serval.server;

/// Where `java -jar serval.jar` begins: reads the command line, carries it out, and ends the
/// process. The only type that touches the standard streams.
public final class Main {
    private Main() {}

    /// Carries out one command line.
    ///
    /// @param arguments as the shell split them
    public static void main(String[] arguments) {
        Invocation invocation = CommandSyntax.read(arguments);
        int exitCode = invocation.carryOut(System.out, System.err);
        System.out.flush();
        System.exit(exitCode);
    }
}
