package dev.serval.server;

import dev.serval.net.EpollNetwork;
import dev.serval.worker.WorkerThreads;

/// Where `java -jar serval.jar` begins: reads the command line, carries it out, and ends the
/// process. The only type that touches the standard streams.
public final class Main {
    private Main() {}

    /// Carries out one command line.
    ///
    /// @param arguments as the shell split them
    public static void main(String[] arguments) {
        // Linking takes as long as reading the command line, so all at once.
        Thread.ofPlatform().daemon().name("serval-link").start(EpollNetwork::unavailable);
        Thread.ofPlatform().daemon().name("serval-link").start(WorkerThreads::best);
        Invocation invocation = CommandSyntax.read(arguments);
        int exitCode = invocation.carryOut(System.out, System.err);
        System.out.flush();
        System.exit(exitCode);
    }
}
