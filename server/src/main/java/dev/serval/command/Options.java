package dev.serval.command;

import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Makes the options and arguments of commands, whose values are all texts. Stateless.
final class Options {
    /// The option for help.
    static final String HELP = "--help";

    private Options() {}

    /// Returns an option with one value.
    static OptionSpec value(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(String.class)
                .arity("1")
                .description(description)
                .build();
    }

    /// Returns an option with a value that may be given several times.
    static OptionSpec values(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .description(description)
                .build();
    }

    /// Returns an option without a value.
    ///
    /// @param others more names of it
    static OptionSpec flag(String name, String description, String... others) {
        String[] names = new String[others.length + 1];
        System.arraycopy(others, 0, names, 0, others.length);
        names[others.length] = name;
        return OptionSpec.builder(names)
                .type(boolean.class)
                .arity("0")
                .usageHelp(name.equals(HELP))
                .versionHelp(name.equals(CommandSyntax.VERSION))
                .description(description)
                .build();
    }

    /// Returns the arguments of a command, of which there may be any number.
    static PositionalParamSpec arguments(String label, String description) {
        return PositionalParamSpec.builder()
                .paramLabel(label)
                .index("0..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description(description)
                .build();
    }

    /// Returns the option for help.
    static OptionSpec help() {
        return flag(HELP, "Show this help and exit.", "-h");
    }
}
