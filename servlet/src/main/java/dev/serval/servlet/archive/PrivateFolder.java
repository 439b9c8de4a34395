package dev.serval.servlet.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/// Makes sure that only the user of this process can read and write the work folder. The server runs
/// code from there, so another user who could write there would run code as this user. File systems
/// without POSIX permissions are not checked. Stateless.
final class PrivateFolder {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");

    private PrivateFolder() {}

    /// Creates a folder that may exist, and its parents, for this user only.
    static void create(Path folder) throws IOException {
        if (isPosix(folder)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } else {
            Files.createDirectories(folder);
        }
    }

    /// Creates the work folder if it is missing, and checks it. If others can read the folder but not
    /// write there, this method takes their permissions away.
    ///
    /// @throws IOException if the folder is a link, belongs to another user, or is one where others
    ///     could write; the message says what to do
    static void open(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            create(folder);
        }
        if (isPosix(folder)) { // also if another process has just created it
            check(folder, self());
        }
    }

    /// Checks a folder that exists.
    ///
    /// @param user who must own it
    static void check(Path folder, UserPrincipal user) throws IOException {
        PosixFileAttributes found =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isDirectory()) {
            throw refused(folder, "must be a folder, not a link or a file");
        }
        if (!found.owner().equals(user)) {
            throw refused(
                    folder,
                    "belongs to "
                            + found.owner().getName()
                            + ", who could run code as "
                            + user.getName());
        }
        Set<PosixFilePermission> mode = found.permissions();
        if (mode.contains(PosixFilePermission.GROUP_WRITE)
                || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw refused(
                    folder,
                    "has the mode "
                            + PosixFilePermissions.toString(mode)
                            + ", so other users may have put code there");
        }
        if (!mode.equals(OWNER_ONLY)) {
            Files.setPosixFilePermissions(folder, OWNER_ONLY);
        }
    }

    private static IOException refused(Path folder, String why) {
        return new IOException(
                "The work folder "
                        + folder
                        + " "
                        + why
                        + ": remove it, so that the server creates its own, or choose another;"
                        + " serval run takes the one in XDG_CACHE_HOME");
    }

    private static boolean isPosix(Path folder) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /// Returns the user of this process: the owner of its entry in `/proc`, or else of a new file.
    private static UserPrincipal self() throws IOException {
        Path process = Path.of("/proc/self");
        if (Files.exists(process)) {
            return Files.getOwner(process);
        }
        Path probe = Files.createTempFile("serval-", ".owner");
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }
}
