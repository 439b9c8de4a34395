package dev.serval.servlet.users;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The text of a users file: one user a line, empty lines, and comments that begin with `#`. Used
/// by one thread.
public final class UserText {
    /// The longest file, about 50,000 users.
    public static final int FILE_MAX_BYTES = 8 << 20;

    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");

    private final List<String> lines;
    private final Map<String, UserLine> users;

    private UserText(List<String> lines, Map<String, UserLine> users) {
        this.lines = lines;
        this.users = users;
    }

    /// Reads a file.
    ///
    /// @throws IOException if it cannot be read, or a line is wrong; the message begins with the
    ///     file, the line and the column
    public static UserText read(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(FILE_MAX_BYTES + 1);
        }
        if (bytes.length > FILE_MAX_BYTES) {
            throw new IOException(
                    file
                            + " has more than "
                            + FILE_MAX_BYTES
                            + " bytes. Keep users in a database.");
        }
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is not a text in UTF-8. Is it a users file?", e);
        }
        return parse(file.toString(), text);
    }

    /// Parses a text.
    ///
    /// @param name of the file, for messages
    static UserText parse(String name, String text) throws IOException {
        List<String> lines = new ArrayList<>(text.lines().toList());
        Map<String, UserLine> users = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isBlank() || line.stripLeading().startsWith("#")) {
                continue;
            }
            switch (UserLine.parse(line)) {
                case UserLine.Right(UserLine user) -> {
                    if (users.put(user.name(), user) != null) {
                        throw wrong(name, i, 1, "The user is in an earlier line, too. Remove one.");
                    }
                }
                case UserLine.Fault fault -> throw wrong(name, i, fault.column(), fault.what());
            }
        }
        return new UserText(lines, users);
    }

    private static IOException wrong(String name, int line, int column, String what) {
        return new IOException(name + ":" + (line + 1) + ":" + column + ": " + what);
    }

    /// Returns a text without users.
    public static UserText empty() {
        return new UserText(
                new ArrayList<>(
                        List.of("# Users of Serval: \"serval user add\" writes this file.")),
                new LinkedHashMap<>());
    }

    /// Returns the users by name, in their order.
    public Map<String, UserLine> users() {
        return Map.copyOf(users);
    }

    /// Returns the users in their order.
    public List<UserLine> inOrder() {
        return List.copyOf(users.values());
    }

    /// Adds a user, or replaces the one of that name in its line.
    public void put(UserLine user) {
        int at = lineOf(user.name());
        if (at < 0) {
            lines.add(user.text());
        } else {
            lines.set(at, user.text());
        }
        users.put(user.name(), user);
    }

    /// Removes a user.
    ///
    /// @return whether it was there
    public boolean remove(String name) {
        int at = lineOf(name);
        if (at < 0) {
            return false;
        }
        lines.remove(at);
        users.remove(name);
        return true;
    }

    private int lineOf(String name) {
        if (users.containsKey(name)) {
            for (int i = 0; i < lines.size(); i++) {
                String[] parts = lines.get(i).strip().split("[ \t]", 2);
                if (parts[0].equals(name)) {
                    return i;
                }
            }
        }
        return -1;
    }

    /// Writes the file in one step, so that a server never reads half of it. Only its owner may
    /// read a new file; another keeps its owner and permissions.
    ///
    /// @throws IOException if it cannot be written; the old file is then unchanged
    public void write(Path file) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path folder = target.getParent();
        boolean posix = Files.getFileStore(folder).supportsFileAttributeView("posix");
        FileAttribute<?>[] owner =
                posix
                        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                        : new FileAttribute<?>[0];
        Path written = Files.createTempFile(folder, ".users-", ".new", owner);
        try {
            byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
            Files.write(written, bytes, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            if (posix && Files.exists(target)) {
                keepOwner(target, written);
            }
            Files.move(
                    written,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /// Gives a file the owner, the group and the permissions of another. So a server that runs as
    /// another user can still read the users after root has changed them.
    private static void keepOwner(Path from, Path to) throws IOException {
        PosixFileAttributes wanted = Files.readAttributes(from, PosixFileAttributes.class);
        PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        PosixFileAttributes present = view.readAttributes();
        try {
            if (!present.group().equals(wanted.group())) {
                view.setGroup(wanted.group());
            }
            if (!present.owner().equals(wanted.owner())) {
                view.setOwner(wanted.owner());
            }
        } catch (FileSystemException e) {
            throw new IOException(
                    from
                            + " belongs to "
                            + wanted.owner()
                            + ", who could not read it any more after this change. Repeat the"
                            + " command as that user or as root.",
                    e);
        }
        view.setPermissions(wanted.permissions());
    }

    /// Returns why the permissions of a file are too wide, as a sentence; null if they are not.
    static @Nullable String exposure(Path file) throws IOException {
        Set<PosixFilePermission> all;
        try {
            all = Files.getPosixFilePermissions(file);
        } catch (UnsupportedOperationException e) {
            return null; // the file system has no such permissions
        }
        boolean exposed =
                all.contains(PosixFilePermission.OTHERS_READ)
                        || all.contains(PosixFilePermission.OTHERS_WRITE)
                        || all.contains(PosixFilePermission.GROUP_WRITE);
        return exposed
                ? "Other users of this machine can read or change the users file "
                        + file
                        + ". Run \"chmod 600\" on it."
                : null;
    }
}
