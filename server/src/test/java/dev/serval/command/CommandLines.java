package dev.serval.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.settings.Rereading;
import dev.serval.settings.RunOptions;
import java.io.PrintStream;

/// Reads command lines without a server that could run. Stateless.
final class CommandLines {
    private CommandLines() {}

    /// In place of `serval run`: starts nothing.
    record Running(RunOptions options, Rereading rereading) implements Invocation {
        @Override
        public int carryOut(PrintStream out, PrintStream err) {
            throw new AssertionError("this test starts a server with " + options);
        }
    }

    static Invocation read(String... arguments) {
        return CommandSyntax.read(arguments, Running::new);
    }

    /// Returns the options of a `serval run` that must be right.
    static RunOptions options(Invocation invocation) {
        assertThat(invocation).isInstanceOf(Running.class);
        return ((Running) invocation).options();
    }
}
