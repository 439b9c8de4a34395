package dev.serval.file;

import dev.serval.coding.Compression;
import dev.serval.coding.ContentCoding;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Finds the compressed files beside a file, such as `app.js.br` beside `app.js`. Blocks, as its
/// [FileLookup] does. Keeps no state.
///
/// A compressed file is used only under these conditions, so that no client gets old or incomplete
/// content:
///
/// - It is not older than the file, in whole seconds, because many tools copy dates without their
///   fractions.
/// - Nothing has written to it for two seconds, because a compressor writes slowly.
/// - It is shorter than the file, and begins as its coding does. A gzip file also ends with the length
///   of the file (RFC 1952 §2.3.1).
final class Siblings {
    private static final System.Logger LOG = System.getLogger(Siblings.class.getName());
    private static final @Nullable Fingerprint[] NOTHING = {};
    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int ZSTD_MAGIC = 0x28b52ffd;
    private static final int GZIP_LEAST_BYTES = 18;
    private static final int HEAD_BYTES = 4;

    private final FileLookup lookup;
    private final boolean wanted;

    /// @param lookup inspects and reads the files, with all its rules
    Siblings(FileLookup lookup, Compression compression) {
        this.lookup = lookup;
        this.wanted = compression.covers(Compression.Scope.PRECOMPRESSED);
    }

    /// Looks which compressed files are beside the file.
    ///
    /// @param target the path of the file
    /// @param nowNanos since the epoch
    /// @return those that may be used, by coding; empty if there is none
    @Nullable Fingerprint[] look(Path target, Fingerprint file, long nowNanos) throws IOException {
        @Nullable Fingerprint[] seen = NOTHING;
        String name = String.valueOf(target.getFileName());
        if (!wanted || isCoded(name)) {
            return seen;
        }
        for (ContentCoding coding : ContentCoding.all()) {
            Path sibling = target.resolveSibling(name + "." + coding.extension());
            if (lookup.see(sibling) instanceof Fingerprint found
                    && found.hasRested(nowNanos)
                    && seconds(found) >= seconds(file)) {
                if (seen.length == 0) {
                    seen = new @Nullable Fingerprint[ContentCoding.all().size()];
                }
                seen[coding.index()] = found;
            }
        }
        return seen;
    }

    /// Reads the files that were seen.
    ///
    /// @param plain the file itself
    CodedForms read(@Nullable Fingerprint[] seen, FileLookup.Reading reading, Representation plain)
            throws IOException {
        List<CodedForms.Form> forms = new ArrayList<>();
        try {
            for (int i = 0; i < seen.length; i++) {
                @Nullable Fingerprint sibling = seen[i];
                if (sibling != null && sibling.size() < plain.content().length()) {
                    add(forms, ContentCoding.all().get(i), sibling, reading, plain);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            forms.forEach(form -> FileLookup.close(form.representation().content()));
            throw e;
        }
        return seen.length == 0
                ? CodedForms.NONE
                : CodedForms.of(forms.toArray(CodedForms.Form[]::new), seen);
    }

    private void add(
            List<CodedForms.Form> forms,
            ContentCoding coding,
            Fingerprint sibling,
            FileLookup.Reading reading,
            Representation plain)
            throws IOException {
        Representation.Content content;
        try {
            content = lookup.read(sibling);
        } catch (AccessDeniedException | NoSuchFileException e) {
            LOG.log(Level.DEBUG, "A compressed file beside a file cannot be read", e);
            return;
        }
        boolean used = false;
        try {
            if (fits(coding, content, plain.content().length())) {
                long modified =
                        Math.min(seconds(sibling), reading.at().getEpochSecond()); // §8.8.2.1
                EntityTag tag =
                        content instanceof Representation.InMemory memory
                                ? EntityTag.strong(memory.bytes())
                                : EntityTag.strong(sibling.bytes(0));
                forms.add(new CodedForms.Form(coding, plain.coded(coding, content, tag, modified)));
                used = true;
            }
        } finally {
            if (!used) {
                FileLookup.close(content);
            }
        }
    }

    private static boolean fits(ContentCoding coding, Representation.Content content, long length)
            throws IOException {
        if (content.length() < HEAD_BYTES) {
            return false;
        }
        return switch (coding) {
            case BR -> true; // it has no mark to know it by
            case ZSTD -> FileLookup.part(content, 0, HEAD_BYTES).getInt(0) == ZSTD_MAGIC;
            case GZIP ->
                    content.length() >= GZIP_LEAST_BYTES
                            && FileLookup.part(content, 0, HEAD_BYTES).getShort(0)
                                    == (short) GZIP_MAGIC
                            && lengthInGzip(content) == (int) length;
        };
    }

    private static int lengthInGzip(Representation.Content content) throws IOException {
        ByteBuffer end = FileLookup.part(content, content.length() - HEAD_BYTES, HEAD_BYTES);
        return end.order(ByteOrder.LITTLE_ENDIAN).getInt(0);
    }

    private static boolean isCoded(String name) {
        for (ContentCoding coding : ContentCoding.all()) {
            if (name.endsWith("." + coding.extension())) {
                return true;
            }
        }
        return false;
    }

    private static long seconds(Fingerprint file) {
        return Math.floorDiv(file.modifiedNanos(), TimeUnit.SECONDS.toNanos(1));
    }
}
