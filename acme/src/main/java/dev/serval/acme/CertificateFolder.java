package dev.serval.acme;

import dev.serval.tls.Credential;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The files of one authority: the account, certificates with their keys, answers to challenges, and
/// failures. Only the user of this process may read them. A file is replaced at once, so a reader never
/// sees half of one, and a certificate is never with another's key. Any thread; only the holder of
/// [#tryLock] writes.
///
/// ```
/// FOLDER/AUTHORITY/account.pem          the key of the account
///                  certificates/HOST.pem   key, certificate and chain
///                  challenges/TOKEN        what http-01 answers
///                  failures/HOST           see Failure
///                  lock
/// ```
final class CertificateFolder {
    private static final Set<PosixFilePermission> FOLDER_MODE =
            PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(FOLDER_MODE);

    /// A token is base64url with at least 128 bits (RFC 8555 §8.3).
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{1,128}");

    private static final Pattern HOST = Pattern.compile("[a-z0-9_-]+(\\.[a-z0-9_-]+)*");

    /// The folders that servers of this process have locked. Such a server must not open the file of a lock
    /// twice: when a process closes any descriptor of a file, the system drops all its locks of that file.
    private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

    private final Path root;

    private CertificateFolder(Path root) {
        this.root = root;
    }

    /// Creates what does not exist.
    ///
    /// @param directory the URL of the authority; each has files of its own
    static CertificateFolder open(Path folder, URI directory) throws IOException {
        String url = directory.getRawSchemeSpecificPart().toLowerCase(Locale.ROOT);
        String name = url.replaceAll("[^a-z0-9.-]+", "_").replaceAll("^[_.]+|[_.]+$", "");
        CertificateFolder opened = new CertificateFolder(folder.resolve(name));
        for (String each : new String[] {"certificates", "challenges", "failures"}) {
            Path created = opened.root.resolve(each);
            Files.createDirectories(created, FOLDER);
            Files.setPosixFilePermissions(created, FOLDER_MODE);
        }
        Files.setPosixFilePermissions(opened.root, FOLDER_MODE);
        return opened;
    }

    /// The right to order certificates.
    @FunctionalInterface
    interface Lock extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /// Takes the right to order certificates, if no other server has it.
    ///
    /// @return null if another one has it
    @Nullable Lock tryLock() throws IOException {
        Path real = root.toRealPath();
        if (!LOCKED.add(real)) {
            return null;
        }
        boolean locked = false;
        try {
            FileChannel channel = lockedChannel();
            locked = channel.isOpen();
            return locked ? () -> unlock(channel, real) : null;
        } finally {
            if (!locked) {
                LOCKED.remove(real);
            }
        }
    }

    /// Returns the file with a lock, or closed if another process has locked it.
    private FileChannel lockedChannel() throws IOException {
        FileChannel channel =
                FileChannel.open(
                        root.resolve("lock"),
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        FILE);
        @Nullable FileLock lock = null;
        try {
            lock = channel.tryLock();
            return channel;
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
    }

    private static void unlock(FileChannel channel, Path real) throws IOException {
        try {
            channel.close();
        } finally {
            LOCKED.remove(real);
        }
    }

    /// Returns the key of the account; null if there is none yet.
    @Nullable String account() throws IOException {
        return text(root.resolve("account.pem"));
    }

    void saveAccount(String pem) throws IOException {
        save(root.resolve("account.pem"), pem);
    }

    /// Returns what changes if the certificate of a host is replaced; empty if there is none.
    String certificateStamp(String host) throws IOException {
        try {
            BasicFileAttributes now =
                    Files.readAttributes(certificate(host), BasicFileAttributes.class);
            return now.fileKey() + " " + now.lastModifiedTime().toMillis() + " " + now.size();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /// Reads the certificate of a host and its key.
    ///
    /// @throws IOException if there is none, or it cannot be used
    Credential credential(String host) throws IOException {
        Path file = certificate(host);
        return Credential.pem(file, file);
    }

    /// @param pem key, certificate and chain
    void saveCertificate(String host, String pem) throws IOException {
        save(certificate(host), pem);
    }

    private Path certificate(String host) {
        return root.resolve("certificates").resolve(checked(host, HOST) + ".pem");
    }

    /// Returns the answer to a challenge; null if there is no such one.
    @Nullable String answer(String token) throws IOException {
        return TOKEN.matcher(token).matches() ? text(challenge(token)) : null;
    }

    void saveAnswer(String token, String answer) throws IOException {
        save(challenge(token), answer);
    }

    void removeAnswer(String token) throws IOException {
        Files.deleteIfExists(challenge(token));
    }

    private Path challenge(String token) {
        return root.resolve("challenges").resolve(checked(token, TOKEN));
    }

    /// Returns the failures of a host since its last certificate; null if there are none.
    @Nullable Failure failure(String host) throws IOException {
        @Nullable String text = text(failures(host));
        return text == null ? null : Failure.of(text);
    }

    void saveFailure(String host, Failure failure) throws IOException {
        save(failures(host), failure.text());
    }

    void removeFailure(String host) throws IOException {
        Files.deleteIfExists(failures(host));
    }

    private Path failures(String host) {
        return root.resolve("failures").resolve(checked(host, HOST));
    }

    /// Returns a name that leads to no other folder.
    private static String checked(String name, Pattern form) {
        if (!form.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" cannot be the name of a file");
        }
        return name;
    }

    private static @Nullable String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private void save(Path file, String text) throws IOException {
        Path written = Files.createTempFile(root, "new", ".tmp", FILE);
        try {
            try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
                write(channel, text);
            }
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException(root + " is on a disk that cannot replace a file at once", e);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    private static void write(FileChannel channel, String text) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
            int _ = channel.write(bytes);
        }
        channel.force(true);
    }
}
