package dev.serval.server;

import dev.serval.WorkerKind;
import dev.serval.command.CommandSyntax;
import dev.serval.command.Invocation;
import dev.serval.net.epoll.EpollNetwork;

/// The entry point of `java -jar serval.jar`. It parses the command line, carries it out, and ends
/// the process. Only this type uses the standard streams.
public final class Main {
    private Main() {}

    /// Carries out one command line.
    ///
    /// @param arguments the arguments as the shell split them
    public static void main(String[] arguments) {
        // Linking these takes as long as parsing the command line, so all three run concurrently.
        Thread.ofPlatform().daemon().name("serval-link").start(EpollNetwork::unavailable);
        Thread.ofPlatform().daemon().name("serval-link").start(WorkerKind::best);
        Invocation invocation = CommandSyntax.read(arguments, Run::new);
        int exitCode = invocation.carryOut(System.out, System.err);
        System.out.flush();
        System.exit(exitCode);
    }
}
