package dev.serval.command;

import dev.serval.settings.Problems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The grammar of `serval user`. Stateless.
final class UserSyntax {
    static final String NAME = "user";

    private static final String ADD = "add";
    private static final String REMOVE = "remove";
    private static final String LIST = "list";
    private static final String ROLES = "--roles";
    private static final String REALM = "--realm";

    private UserSyntax() {}

    /// Returns the command with its three commands.
    static CommandSpec spec() {
        CommandSpec user = CommandSpec.create();
        user.addOption(Options.help());
        user.usageMessage()
                .description("Keeps a file of users for serval run --users FILE.")
                .footer(
                        "",
                        "The password is read from the terminal, or it is the first line of the",
                        "standard input:",
                        "  serval user add users.txt ada --roles staff,admin",
                        "  serval user add users.txt ada < password.txt",
                        "  serval user list users.txt",
                        "  serval user remove users.txt ada");
        user.addSubcommand(ADD, add());
        user.addSubcommand(REMOVE, command("Removes a user from a file.", "FILE", "NAME"));
        user.addSubcommand(LIST, command("Prints the users of a file.", "FILE"));
        return user;
    }

    private static CommandSpec add() {
        CommandSpec add =
                command(
                        "Adds a user to a file, or changes the password and the roles of one.",
                        "FILE",
                        "NAME");
        add.addOption(Options.value(ROLES, "A,B", "The roles of the user. Default: none."));
        add.addOption(
                Options.value(
                        REALM,
                        "REALM",
                        "Also store the hash that DIGEST needs, for this realm-name of an"
                                + " application. Such a hash is easier to guess."));
        return add;
    }

    private static CommandSpec command(String description, String... labels) {
        CommandSpec command = CommandSpec.create();
        command.addPositional(
                Options.arguments(
                        String.join(" ", labels),
                        "The file, and the name of the user if there is one."));
        command.addOption(Options.help());
        command.usageMessage().description(description);
        return command;
    }

    /// Returns what the arguments after `user` ask for.
    static Invocation read(ParseResult user) {
        Problems problems = new Problems();
        if (!user.hasSubcommand()) {
            problems.usage(
                    "serval user needs one of add, remove and list: see serval user --help.");
            return Invocation.Refuse.of(problems);
        }
        ParseResult parsed = user.subcommand();
        String action = parsed.commandSpec().name();
        List<String> words = parsed.matchedPositionalValue(0, List.of());
        int needed = action.equals(LIST) ? 1 : 2;
        if (words.size() != needed) {
            problems.usage(
                    "serval user "
                            + action
                            + (needed == 1 ? " takes a file" : " takes a file and a name")
                            + ", not "
                            + words.size()
                            + " arguments"
                            + (action.equals(ADD) && words.size() > 2
                                    ? ": the password is never an argument."
                                    : "."));
            return Invocation.Refuse.of(problems);
        }
        @Nullable Path file = file(words.getFirst(), problems);
        if (file == null) {
            return Invocation.Refuse.of(problems);
        }
        return switch (action) {
            case ADD ->
                    new UserCommand.Add(
                            file,
                            words.get(1),
                            roles(parsed.matchedOptionValue(ROLES, "")),
                            parsed.matchedOptionValue(REALM, null));
            case REMOVE -> new UserCommand.Remove(file, words.get(1));
            default -> new UserCommand.Show(file);
        };
    }

    private static Set<String> roles(String text) {
        return text.isEmpty() ? Set.of() : new LinkedHashSet<>(Arrays.asList(text.split(",", -1)));
    }

    /// Returns the path of a file; null after a problem.
    static @Nullable Path file(String text, Problems problems) {
        try {
            if (!text.isEmpty()) {
                return Path.of(text);
            }
        } catch (InvalidPathException e) {
            // as if it were empty
        }
        problems.usage(
                "\"" + text + "\" is not a name that a file can have: name another file of users.");
        return null;
    }
}
