package dev.serval.servlet;

import dev.serval.servlet.users.PasswordHash;
import dev.serval.servlet.users.UserLine;
import dev.serval.servlet.users.UserText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Changes a file of users, which [UserStore#file(Path)] reads. A server that uses the file notices
/// the change within a second or two. Any thread; one change of a file at a time.
public final class UsersFile {
    private static final int PASSWORD_MAX_CHARS = 1024;

    private UsersFile() {}

    /// A user of a file.
    ///
    /// @param roles in their order
    /// @param realm for which the user may log in by DIGEST; null for none
    public record Entry(String name, Set<String> roles, @Nullable String realm) {}

    /// Adds a user, or replaces the one of that name. Creates the file if it is missing.
    ///
    /// @param realm for which the user may log in by DIGEST, too; null for none. The hash for DIGEST
    ///     is much weaker than the other one.
    /// @throws IllegalArgumentException if the name, a role or the password cannot be used; the
    ///     message says why
    /// @throws IOException if the file cannot be read or written
    /// @return whether the user is new
    public static boolean add(
            Path file, String name, Set<String> roles, String password, @Nullable String realm)
            throws IOException {
        require(UserLine.wrongName(name));
        for (String role : roles) {
            require(UserLine.wrongRole(role));
        }
        require(wrongPassword(password));
        UserText text = Files.exists(file) ? UserText.read(file) : UserText.empty();
        boolean isNew = !text.users().containsKey(name);
        PasswordHash hash = PasswordHash.of(password, PasswordHash.ITERATIONS, new SecureRandom());
        @Nullable String digest = realm == null ? null : digest(name, realm, password);
        text.put(new UserLine(name, roles, hash, realm, digest));
        text.write(file);
        return isNew;
    }

    private static void require(@Nullable String wrong) {
        if (wrong != null) {
            throw new IllegalArgumentException(wrong);
        }
    }

    private static @Nullable String wrongPassword(String password) {
        boolean wrong =
                password.isEmpty()
                        || password.length() > PASSWORD_MAX_CHARS
                        || password.chars().anyMatch(Character::isISOControl);
        return wrong
                ? "A password has 1 to "
                        + PASSWORD_MAX_CHARS
                        + " characters, and no control character."
                : null;
    }

    private static String digest(String name, String realm, String password) {
        String all = name + ":" + realm + ":" + password;
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(all.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK has no SHA-256", e);
        }
    }

    /// Removes a user.
    ///
    /// @return whether the user was there
    /// @throws IOException if the file cannot be read or written
    public static boolean remove(Path file, String name) throws IOException {
        UserText text = UserText.read(file);
        boolean found = text.remove(name);
        if (found) {
            text.write(file);
        }
        return found;
    }

    /// Returns the users of a file, in its order.
    ///
    /// @throws IOException if the file cannot be read
    public static List<Entry> list(Path file) throws IOException {
        return UserText.read(file).inOrder().stream()
                .map(user -> new Entry(user.name(), user.roles(), user.digestRealm()))
                .toList();
    }
}
