package dev.serval.server;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.WorkerKind;
import dev.serval.command.CommandSyntax;
import dev.serval.command.Invocation;
import dev.serval.net.epoll.EpollNetwork;
import dev.serval.service.Launch;
import dev.serval.service.Predecessor;
import dev.serval.settings.Origin;
import dev.serval.settings.RunOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLConnection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The entry point of `java -jar serval.jar`. It parses the command line, carries it out, and ends
/// the process. Only this type uses the standard streams.
public final class Main {
    private Main() {}

    /// Carries out one command line.
    ///
    /// @param arguments the arguments as the shell split them
    public static void main(String[] arguments) {
        LogDefaults.install();
        // The JDK opens a jar once for all that read it by a URL. The next version of an
        // application would lose it when the former one ends.
        URLConnection.setDefaultUseCaches("jar", false);
        // Linking these takes as long as parsing the command line, so all three run concurrently.
        Thread.ofPlatform().daemon().name("serval-link").start(EpollNetwork::unavailable);
        Thread.ofPlatform().daemon().name("serval-link").start(WorkerKind::best);
        @Nullable Predecessor predecessor = Predecessor.of(System.getenv());
        PrintStream err = predecessor == null ? System.err : predecessor.errors(System.err);
        Invocation invocation =
                CommandSyntax.read(
                        arguments,
                        (options, rereading) ->
                                new Run(
                                        options,
                                        rereading,
                                        new Succession(
                                                predecessor, () -> successor(arguments, options))));
        end(invocation, err);
    }

    /// Carries a command out, and ends the process. Also after a fault: threads of an application that has
    /// started would keep a process that serves nothing.
    private static void end(Invocation invocation, PrintStream err) {
        int exitCode = FatalEnd.EXIT_CODE;
        try {
            exitCode = invocation.carryOut(System.out, err);
            System.out.flush();
        } catch (RuntimeException | Error e) {
            System.getLogger(Main.class.getName()).log(ERROR, "A fault ends the process", e);
            err.println("serval: A fault ends the process: " + e); // to the predecessor, too
        } finally {
            System.exit(exitCode);
        }
    }

    private static Launch successor(String[] arguments, RunOptions options) throws IOException {
        @Nullable Origin origin = options.origin();
        return Launch.own(
                System.getenv(), List.of(arguments), origin == null ? null : origin.file());
    }
}
