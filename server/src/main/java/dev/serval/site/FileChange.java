package dev.serval.site;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.config.TomlEdit;
import dev.serval.config.TomlFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import org.jspecify.annotations.Nullable;

/// A change of the configuration file, which is written beside the file until it takes its place. So the
/// file is changed as a whole or not at all. It keeps its owner and permissions, and a link stays a link.
/// Used by one thread.
final class FileChange implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(FileChange.class.getName());

    private final Path file;
    private final String former;
    private final String text;
    private final Path beside;

    private FileChange(Path file, String former, String text, Path beside) {
        this.file = file;
        this.former = former;
        this.text = text;
        this.beside = beside;
    }

    /// Writes a changed text beside a file.
    ///
    /// @param former what the file had when it was read
    /// @param tree what it is to say
    /// @throws IOException if the file is another one by now, or that cannot be written; the message is a
    ///     sentence, and the file is as it was
    static FileChange prepare(Path file, String former, Node.Table tree) throws IOException {
        check(file, former);
        try {
            String text = TomlEdit.changed(former, tree);
            Path real = file.toRealPath();
            @Nullable Path folder = real.getParent();
            Path beside = Files.createTempFile(folder, ".serval", ".toml");
            FileChange change = new FileChange(real, former, text, beside);
            change.write();
            return change;
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(file + " cannot be written (" + e + ").", e);
        }
    }

    private static void check(Path file, String former) throws IOException {
        if (!former.equals(TomlFile.text(file, new Mistakes()))) {
            throw new IOException(
                    file
                            + " was changed since it was read: reload it first, so that no change is"
                            + " lost.");
        }
    }

    private void write() throws IOException {
        boolean written = false;
        try {
            PosixFileAttributeView now =
                    Files.getFileAttributeView(beside, PosixFileAttributeView.class);
            PosixFileAttributes as = Files.readAttributes(file, PosixFileAttributes.class);
            if (!now.getOwner().equals(as.owner())) {
                now.setOwner(as.owner());
            }
            if (!now.readAttributes().group().equals(as.group())) {
                now.setGroup(as.group());
            }
            now.setPermissions(as.permissions());
            try (FileChannel out = FileChannel.open(beside, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true); // else a crash could leave an empty file in its place
            }
            written = true;
        } finally {
            if (!written) {
                close();
            }
        }
    }

    /// Returns the changed text.
    String text() {
        return text;
    }

    /// Puts the changed text in the place of the file.
    ///
    /// @throws IOException if the file is another one by now, or that is not possible; the message is a
    ///     sentence, and the file is as it was
    void commit() throws IOException {
        check(file, former);
        try {
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new IOException(file + " cannot be written (" + e + ").", e);
        }
    }

    /// Removes what was written, unless it has taken its place.
    @Override
    public void close() {
        try {
            Files.deleteIfExists(beside);
        } catch (IOException e) {
            LOG.log(WARNING, "Cannot remove " + beside, e);
        }
    }
}
