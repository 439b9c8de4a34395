package dev.serval.control;

import java.io.IOException;
import java.util.List;

/// What a server does at the command of its user. Several threads may call at the same time.
@FunctionalInterface
public interface Commands {
    /// Asks for the configuration file with which the server runs: one line with its absolute path, or
    /// none if it runs without one. A client asks this to find the server that is meant.
    String CONFIGURATION = "configuration";

    /// Carries out a command. It may block.
    ///
    /// @param command its name and its arguments; never empty
    /// @param answer receives lines for the user as soon as they are known
    /// @return the exit code of the client
    /// @throws IOException if the client has gone
    int carryOut(List<String> command, Answer answer) throws IOException;

    /// Receives lines for the user.
    interface Answer {
        /// Prints a line.
        void line(String text) throws IOException;

        /// Prints why the command failed.
        void problem(String text) throws IOException;
    }
}
