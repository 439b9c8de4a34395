package dev.serval.command;

import dev.serval.settings.ExitCodes;
import dev.serval.settings.Problems;
import java.io.PrintStream;
import java.util.List;

/// The parsed command line. Immutable; carried out once, on the main thread.
///
/// It has a method instead of a `switch` over patterns, because such a `switch` links itself at run
/// time, which costs time at every start.
public interface Invocation {
    /// The exit code of success.
    int OK = ExitCodes.OK;

    /// The exit code if the machine does not match the command line: no such folder, port in use.
    int ENVIRONMENT = ExitCodes.ENVIRONMENT;

    /// The exit code if the command line is wrong on any machine.
    int USAGE = ExitCodes.USAGE;

    /// Carries out the command.
    ///
    /// @return the exit code
    int carryOut(PrintStream out, PrintStream err);

    /// Prints help or the version.
    ///
    /// @param text the text, with its last line end
    record Show(String text) implements Invocation {
        @Override
        public int carryOut(PrintStream out, PrintStream err) {
            out.print(text);
            return OK;
        }
    }

    /// Prints why nothing is done, one line for each problem.
    ///
    /// @param problems one sentence each
    /// @param exitCode [#ENVIRONMENT] or [#USAGE]
    record Refuse(List<String> problems, int exitCode) implements Invocation {
        /// Keeps a copy of the problems.
        public Refuse {
            problems = List.copyOf(problems);
        }

        /// Returns the refusal with all problems; there must be at least one.
        static Refuse of(Problems problems) {
            return new Refuse(problems.sentences(), problems.exitCode());
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
