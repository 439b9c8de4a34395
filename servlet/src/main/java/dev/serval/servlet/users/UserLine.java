package dev.serval.servlet.users;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One user in a users file: name, roles separated by commas or `-` for none, the hash of the
/// password, and for DIGEST a realm with its hash. Blanks separate the parts. Immutable.
///
/// ```
/// ada staff,admin pbkdf2-sha256:600000:SALT:HASH digest-sha256:shop:64 HEXADECIMAL DIGITS
/// ```
///
/// @param digestRealm the realm of `digestHash`; null without one
/// @param digestHash the SHA-256 hash of name, realm and password
public record UserLine(
        String name,
        Set<String> roles,
        PasswordHash password,
        @Nullable String digestRealm,
        @Nullable String digestHash)
        implements Secret {
    /// The longest name.
    public static final int NAME_MAX_CHARS = 256;

    private static final String NO_ROLES = "-";

    /// Keeps the roles in their order.
    public UserLine {
        roles = Collections.unmodifiableSet(new LinkedHashSet<>(roles));
    }

    /// The result of parsing a line: [Right] or [Fault].
    sealed interface Parsed {}

    /// A line that is right.
    record Right(UserLine user) implements Parsed {}

    /// A part of a line that is wrong.
    ///
    /// @param column of its first character, from 1
    /// @param what a sentence
    record Fault(int column, String what) implements Parsed {}

    /// A part of a line.
    private record Part(int column, String text) {}

    /// Parses a line.
    static Parsed parse(String line) {
        List<Part> parts = parts(line);
        int end = line.stripTrailing().length() + 1;
        if (parts.size() < 3 || parts.size() > 4) {
            return new Fault(
                    parts.size() < 3 ? end : parts.getLast().column(),
                    "A line has a name, roles or \"-\", a password hash, and at most one hash for"
                            + " DIGEST. Use \"serval user add\" to write it.");
        }
        @Nullable String wrongName = wrongName(parts.get(0).text());
        if (wrongName != null) {
            return new Fault(parts.get(0).column(), wrongName);
        }
        Set<String> roles = new LinkedHashSet<>();
        if (!parts.get(1).text().equals(NO_ROLES)) {
            for (String role : parts.get(1).text().split(",", -1)) {
                if (role.isEmpty() || !roles.add(role)) {
                    return new Fault(
                            parts.get(1).column(),
                            "A role is empty or written twice. Separate the names of roles by"
                                    + " single commas.");
                }
            }
        }
        @Nullable PasswordHash hash = PasswordHash.parse(parts.get(2).text());
        if (hash == null) {
            return new Fault(
                    parts.get(2).column(),
                    "This is not the hash of a password, which looks like"
                            + " pbkdf2-sha256:600000:SALT:HASH. Use \"serval user add\" to write"
                            + " it.");
        }
        String name = parts.get(0).text();
        return parts.size() == 3
                ? new Right(new UserLine(name, roles, hash, null, null))
                : withDigest(name, roles, hash, parts.get(3));
    }

    private static Parsed withDigest(
            String name, Set<String> roles, PasswordHash hash, Part digest) {
        @Nullable StoredSecret secret =
                new StoredSecret(hash, null, null).withDigest(digest.text());
        if (secret != null) {
            return new Right(
                    new UserLine(name, roles, hash, secret.digestRealm(), secret.digestHash()));
        }
        return new Fault(
                digest.column(),
                "This is not a hash for DIGEST, which looks like digest-sha256:REALM:HASH with 64"
                        + " hexadecimal digits. Use \"serval user add --realm\" to write it.");
    }

    private static List<Part> parts(String line) {
        List<Part> parts = new ArrayList<>();
        int at = 0;
        while (at < line.length()) {
            if (isBlank(line.charAt(at))) {
                at++;
                continue;
            }
            int from = at;
            while (at < line.length() && !isBlank(line.charAt(at))) {
                at++;
            }
            parts.add(new Part(from + 1, line.substring(from, at)));
        }
        return parts;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /// Returns what is wrong with a name, as a sentence; null if it may be used.
    public static @Nullable String wrongName(String name) {
        boolean wrong =
                name.isEmpty()
                        || name.length() > NAME_MAX_CHARS
                        || name.startsWith("#")
                        || name.indexOf(':') >= 0
                        || name.chars()
                                .anyMatch(c ->
                                        Character.isWhitespace(c)
                                                || Character.isSpaceChar(c)
                                                || Character.isISOControl(c));
        return wrong
                ? "A name has 1 to 256 characters, no blank, no colon, and no \"#\" at its"
                        + " beginning."
                : null;
    }

    /// Returns what is wrong with the name of a role, as a sentence; null if it may be used.
    public static @Nullable String wrongRole(String role) {
        boolean wrong =
                role.isEmpty()
                        || role.equals(NO_ROLES)
                        || role.startsWith("*")
                        || role.indexOf(',') >= 0
                        || role.chars()
                                .anyMatch(c ->
                                        Character.isWhitespace(c) || Character.isISOControl(c));
        return wrong
                ? "A role has at least one character, no blank and no comma, and is not \"-\", \"*\""
                        + " or \"**\"."
                : null;
    }

    /// Returns the line without its end.
    String text() {
        return name
                + " "
                + (roles.isEmpty() ? NO_ROLES : String.join(",", roles))
                + " "
                + secret().text();
    }

    private StoredSecret secret() {
        return new StoredSecret(password, digestRealm, digestHash);
    }

    @Override
    public boolean matches(String other) {
        return password.matches(other);
    }

    @Override
    public @Nullable String digest(String user, String realm, String algorithm) {
        return secret().digest(user, realm, algorithm);
    }

    /// Does not show the hashes, because logs must not.
    @Override
    public String toString() {
        return "user " + name;
    }
}
