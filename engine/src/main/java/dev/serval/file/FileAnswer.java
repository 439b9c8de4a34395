package dev.serval.file;

import dev.serval.coding.Compression;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Answers with one file that application code has chosen, with the file's type and validators. If
/// the status is 200, conditions and ranges are evaluated as in [FileHandler]. Code that may block
/// looks the file up. The answer is then used on the loop for one exchange, or closed. It caches
/// nothing, so use a [FileHandler] for a whole folder.
public final class FileAnswer implements Handler, AutoCloseable {
    private static final InstantSource CLOCK = InstantSource.system();

    /// It answers with the file itself, because it caches no compressed form.
    private static final FileOptions OPTIONS =
            FileOptions.DEFAULT.with(draft -> draft.compression = Compression.OFF);

    private final Representation representation;
    private final boolean conditional;

    private FileAnswer(Representation representation, boolean conditional) {
        this.representation = representation;
        this.conditional = conditional;
    }

    /// Looks up a file. Blocks.
    ///
    /// @return null if there is no regular file with that path, or if its name is never served
    /// @throws IOException if the file may not be read, or the disk failed
    public static @Nullable FileAnswer of(Path file) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        return find(absolute, true, new byte[0]);
    }

    /// Looks up a file below `folder` by a path that a client may have chosen. Blocks.
    ///
    /// @param below a relative path with slashes; it cannot lead out of the folder, and hidden
    ///     names are never served
    /// @return null if there is no such file
    /// @throws IOException if the file may not be read, or the disk failed
    public static @Nullable FileAnswer of(Path folder, String below) throws IOException {
        byte[] path = ("/" + below).getBytes(StandardCharsets.UTF_8);
        boolean isName = below.indexOf('\0') < 0; // a NUL would end the path (ListingView)
        return !isName || HiddenPaths.hides(path)
                ? null
                : find(folder.toAbsolutePath().normalize(), false, path);
    }

    private static @Nullable FileAnswer find(Path root, boolean onlyFile, byte[] path)
            throws IOException {
        if (!Files.exists(root)) {
            return null;
        }
        FileLookup lookup = new FileLookup(root, onlyFile, OPTIONS, CLOCK);
        Found found = lookup.find(path, null);
        if (found instanceof Found.File file) {
            if (file.representation().content() instanceof OpenFile open) {
                open.allowGrowth(); // there is no second look
            }
            return new FileAnswer(file.representation(), true);
        }
        if (found == Found.Other.DENIED) {
            throw new AccessDeniedException(root + new String(path, StandardCharsets.UTF_8));
        }
        return null;
    }

    /// Returns this answer with another status and with additional fields. A Content-Type among
    /// them replaces the file's own. Use or close the returned answer, and no longer use this one.
    public FileAnswer with(Status status, Fields fields) {
        return new FileAnswer(representation.with(status, fields), status.equals(Status.OK));
    }

    @Override
    public void handle(Exchange x) {
        Method method = x.request().method();
        boolean read = method == Method.GET || method == Method.HEAD;
        boolean answered =
                (conditional && read)
                        ? new Responder(CLOCK)
                                .answer(EngineExchange.of(x), representation, FileHandler::busy)
                        : Responder.whole(EngineExchange.of(x), representation, FileHandler::busy);
        close();
        if (!answered) {
            FileHandler.busy(x); // the file was written or closed meanwhile
        }
    }

    /// Closes the file, after its use if it is in use, without waiting for it. Any thread.
    @Override
    public void close() {
        if (representation.content() instanceof OpenFile open) {
            open.run();
        }
    }
}
