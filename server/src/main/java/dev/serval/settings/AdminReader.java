package dev.serval.settings;

import dev.serval.config.Values;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the table `[admin]` of a file. Stateless.
final class AdminReader {
    private static final int PASSWORD_MIN_CHARS = 12;
    private static final int PASSWORD_MAX_CHARS = 200;

    private AdminReader() {}

    /// Returns the choice; null without the table, or after a problem.
    ///
    /// @param folder what relative paths are relative to
    static @Nullable AdminChoice read(Values root, Path folder, Problems problems) {
        Values admin = root.table("admin");
        if (!admin.has("listen")) {
            return null;
        }
        Complaints at = problems.at(admin.where("listen"));
        @Nullable SocketAddress address =
                ListenAddress.of(admin.text("listen"), "listen", folder, at);
        @Nullable String file = admin.textOrNull("password-file");
        @Nullable String password = password(admin, "password-file", folder, problems);
        @Nullable String metrics = password(admin, "metrics-password-file", folder, problems);
        if (address instanceof InetSocketAddress internet) {
            if (!internet.getAddress().isLoopbackAddress()) {
                at.usage(
                        "Other machines could reach this address without encryption: listen at"
                                + " 127.0.0.1, or at unix:FILE.");
            } else if (file == null) {
                at.usage(
                        "Every user of this machine could reach this address: add a password-file, or"
                                + " listen at unix:FILE.");
            }
        }
        return address == null ? null : new AdminChoice(address, password, metrics);
    }

    /// Returns the password in the file that a key names; null without the key.
    private static @Nullable String password(
            Values admin, String key, Path folder, Problems problems) {
        @Nullable String file = admin.textOrNull(key);
        return file == null ? null : password(folder.resolve(file), problems.at(admin.where(key)));
    }

    /// Returns the first line of a file; an empty text after a problem.
    private static String password(Path file, Complaints problems) {
        try {
            List<String> lines = Files.readAllLines(file);
            String password = lines.isEmpty() ? "" : lines.getFirst();
            if (password.length() >= PASSWORD_MIN_CHARS
                    && password.length() <= PASSWORD_MAX_CHARS) {
                return password;
            }
            problems.environment(
                    "The first line of "
                            + file
                            + " is no password of "
                            + PASSWORD_MIN_CHARS
                            + " to "
                            + PASSWORD_MAX_CHARS
                            + " characters.");
        } catch (IOException e) {
            problems.environment(
                    Files.exists(file)
                            ? "The password file "
                                    + file
                                    + " cannot be read: it must be a file in UTF-8 that this user may"
                                    + " read."
                            : "There is no password file "
                                    + file
                                    + ": create it with a password in its first line.");
        }
        return "";
    }
}
