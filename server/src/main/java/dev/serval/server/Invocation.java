package dev.serval.server;

import java.io.PrintStream;
import java.util.List;

/// What a command line asks for. Immutable; carried out once, on the main thread.
///
/// A method instead of a `switch` over patterns, because the latter links itself at run time, which
/// is paid for at every start.
sealed interface Invocation permits Invocation.Show, Invocation.Refuse, Run {
    /// Everything went as asked.
    int OK = 0;

    /// The machine is not as the command line says: no such folder, port in use.
    int ENVIRONMENT = 1;

    /// The command line is wrong on any machine.
    int USAGE = 2;

    /// Does it.
    ///
    /// @return the exit code
    int carryOut(PrintStream out, PrintStream err);

    /// Prints a text that was asked for: help, version.
    ///
    /// @param text with its last line end
    record Show(String text) implements Invocation {
        @Override
        public int carryOut(PrintStream out, PrintStream err) {
            out.print(text);
            return OK;
        }
    }

    /// Says why nothing is done, a line for each problem.
    ///
    /// @param problems one sentence each
    /// @param exitCode [#ENVIRONMENT] or [#USAGE]
    record Refuse(List<String> problems, int exitCode) implements Invocation {
        /// Keeps a copy of the problems.
        public Refuse {
            problems = List.copyOf(problems);
        }

        @Override
        public int carryOut(PrintStream out, PrintStream err) {
            for (String problem : problems) {
                err.println("serval: " + problem);
            }
            return exitCode;
        }
    }
}
