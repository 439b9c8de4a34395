package dev.serval.file;

import dev.serval.http.Fields;
import dev.serval.http.HttpDate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The validators of a file (RFC 9110 §8.8) and the range of it that a request asks for, for code that
/// sends the file through streams of its own. The entity tag is weak, because such code may change the
/// bytes on the way, such as by compression. For the same reason no `If-Range` is ever true. Immutable.
public final class FileValidators {
    private static final byte[] NOTHING = {};

    private final Representation file;
    private final long size;
    private final InstantSource clock;

    private FileValidators(Representation file, long size, InstantSource clock) {
        this.file = file;
        this.size = size;
        this.clock = clock;
    }

    /// How to answer a request for the file.
    public enum Answer {
        /// With the content.
        CONTENT,
        /// With 304 and no content.
        NOT_MODIFIED,
        /// With 412.
        FAILED
    }

    /// Reads the state of a file. It may block.
    ///
    /// @param clock the current time
    public static FileValidators of(Path file, InstantSource clock) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        @Nullable FileTime changed =
                file.getFileSystem().supportedFileAttributeViews().contains("unix")
                        ? (FileTime) Files.getAttribute(file, "unix:ctime")
                        : null;
        Fingerprint seen = Fingerprint.of(file, attributes, changed);
        Instant now = clock.instant();
        long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        long modified = TimeUnit.NANOSECONDS.toSeconds(seen.modifiedNanos());
        return new FileValidators(
                new Representation(
                        new Representation.InMemory(NOTHING),
                        "",
                        // While a change could go unseen, each look gives another tag.
                        EntityTag.weak(seen.bytes(seen.isSettled(nanos) ? 0 : nanos)),
                        Math.min(modified, now.getEpochSecond()), // RFC 9110 §8.8.2.1
                        false,
                        false),
                seen.size(),
                clock);
    }

    /// The bytes of a file that a response has.
    ///
    /// @param first index of the first byte
    /// @param end index after the last byte; `first` if the request asks only for bytes after the end of
    ///     the file, which is answered with 416
    /// @param size bytes of the whole file
    public record Part(long first, long end, long size) {
        /// Returns whether these are all bytes of the file.
        public boolean isWhole() {
            return end - first == size;
        }

        /// Returns the value of Content-Range (§14.4).
        public String contentRange() {
            String bytes = first == end ? "*" : first + "-" + (end - 1);
            return "bytes " + bytes + "/" + size;
        }
    }

    /// Returns the value of ETag.
    public String entityTag() {
        return file.tag().toString();
    }

    /// Returns the value of Last-Modified.
    public String lastModified() {
        return HttpDate.format(file.lastModified());
    }

    /// Evaluates the conditions of a GET or HEAD request (§13.2.2).
    ///
    /// @param request its fields
    public Answer answer(Fields request) {
        int present = Preconditions.present(request);
        return switch (Preconditions.evaluate(request, present, file, clock)) {
            case PROCEED -> Answer.CONTENT;
            case NOT_MODIFIED -> Answer.NOT_MODIFIED;
            case FAILED -> Answer.FAILED;
        };
    }

    /// Returns what a GET request asks for by its Range field (§14.2). The whole file if there is none,
    /// if the field must be ignored, or if it selects several parts that do not join.
    ///
    /// @param request its fields
    public Part part(Fields request) {
        int present = Preconditions.present(request);
        int field = Preconditions.rangeField(request, present, file, clock);
        ByteRanges ranges =
                field < 0
                        ? ByteRanges.Ignored.IGNORED
                        : ByteRanges.parse(
                                request.buffer(),
                                request.valueAt(field),
                                request.valueEnd(field),
                                size);
        if (ranges instanceof ByteRanges.Parts parts && parts.count() == 1) {
            return new Part(parts.firsts()[0], parts.ends()[0], size);
        }
        return ranges instanceof ByteRanges.Unsatisfiable
                ? new Part(size, size, size)
                : new Part(0, size, size);
    }
}
