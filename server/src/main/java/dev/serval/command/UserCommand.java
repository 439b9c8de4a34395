package dev.serval.command;

import dev.serval.servlet.UsersFile;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `serval user`: changes or prints a file of users. Used once, by the main thread.
sealed interface UserCommand extends Invocation {
    /// Returns the file of users.
    Path file();

    /// Does the work.
    ///
    /// @return the exit code
    int change(PrintStream out, PrintStream err) throws IOException;

    @Override
    default int carryOut(PrintStream out, PrintStream err) {
        try {
            return change(out, err);
        } catch (IOException e) {
            err.println("serval: " + explained(file(), e));
        } catch (IllegalArgumentException e) {
            err.println("serval: " + e.getMessage());
            return USAGE;
        }
        return ENVIRONMENT;
    }

    /// Says why a file of users cannot be used. The JDK says only a path, which may be that of a file
    /// beside it, or none.
    static String explained(Path file, IOException e) {
        if (e instanceof NoSuchFileException) {
            return "There is no file "
                    + file
                    + ": serval user add creates it, if its folder exists.";
        }
        if (e instanceof AccessDeniedException) {
            return "This user may not use "
                    + file
                    + ": change the owner or the rights of it or of its folder.";
        }
        return Files.isDirectory(file)
                ? file + " is a folder: name a file in it."
                : Objects.requireNonNullElse(e.getMessage(), e.toString());
    }

    /// Adds a user, or changes the password and the roles of one.
    ///
    /// @param realm for DIGEST; null for none
    record Add(Path file, String name, Set<String> roles, @Nullable String realm)
            implements UserCommand {
        @Override
        public int change(PrintStream out, PrintStream err) throws IOException {
            @Nullable String password = password(err);
            if (password == null) {
                return USAGE;
            }
            boolean isNew = UsersFile.add(file, name, roles, password, realm);
            out.println(
                    (isNew ? "Added " : "Changed ")
                            + name
                            + " in "
                            + file
                            + (roles.isEmpty()
                                    ? ", without roles."
                                    : ", with the roles " + String.join(", ", roles) + "."));
            return OK;
        }

        /// Reads the password: twice and without echo from a terminal, otherwise the first line of
        /// the standard input. It is never an argument, which other users of the machine could see.
        @SuppressWarnings("SystemConsoleNull") // null if the provider of the console is java.base
        private @Nullable String password(PrintStream err) throws IOException {
            @Nullable Console console = System.console();
            if (console == null || !console.isTerminal()) {
                @Nullable String line = firstLine(System.in);
                if (line == null) {
                    err.println(
                            "serval: There is no password: write it as the first line of the"
                                    + " standard input, or run this at a terminal.");
                }
                return line;
            }
            char @Nullable [] first = console.readPassword("Password for %s: ", name);
            char @Nullable [] again =
                    first == null ? null : console.readPassword("The same again: ");
            if (first == null || again == null) {
                return null;
            }
            String password = new String(first);
            if (!password.equals(new String(again))) {
                err.println("serval: The two passwords differ: run the command again.");
                return null;
            }
            return password;
        }

        /// Reads no more than a password can have.
        private static @Nullable String firstLine(InputStream in) throws IOException {
            byte[] bytes = in.readNBytes(8 << 10);
            Charset charset = StandardCharsets.UTF_8;
            List<String> lines = new String(bytes, charset).lines().toList();
            return lines.isEmpty() ? null : lines.getFirst();
        }
    }

    /// Removes a user.
    record Remove(Path file, String name) implements UserCommand {
        @Override
        public int change(PrintStream out, PrintStream err) throws IOException {
            if (!UsersFile.remove(file, name)) {
                err.println("serval: " + file + " has no user " + name + ".");
                return ENVIRONMENT;
            }
            out.println("Removed " + name + " from " + file + ".");
            return OK;
        }
    }

    /// Prints the users.
    record Show(Path file) implements UserCommand {
        @Override
        public int change(PrintStream out, PrintStream err) throws IOException {
            List<UsersFile.Entry> users = UsersFile.list(file);
            for (UsersFile.Entry user : users) {
                out.println(
                        user.name()
                                + (user.roles().isEmpty()
                                        ? "  no roles"
                                        : "  " + String.join(", ", user.roles()))
                                + (user.realm() == null
                                        ? ""
                                        : "  DIGEST for the realm \"" + user.realm() + "\""));
            }
            if (users.isEmpty()) {
                out.println(file + " has no users.");
            }
            return OK;
        }
    }
}
