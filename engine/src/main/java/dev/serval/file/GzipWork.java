package dev.serval.file;

import dev.serval.coding.AcceptEncoding;
import dev.serval.coding.Compression;
import dev.serval.coding.ContentCoding;
import dev.serval.coding.Gzip;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Handler.Maintenance;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Compresses cached files in the background, each once, as maintenance on `ExecutorKind.DISK`. A
/// file is compressed when a client that accepts gzip asks for it while it is cached, so a file that
/// is asked for only once costs nothing. The request that starts the work does not wait for it.
///
/// One cache compresses one file at a time: requests are of more use to the processor. [#start] is
/// called on any loop.
final class GzipWork {
    private static final System.Logger LOG = System.getLogger(GzipWork.class.getName());

    /// A form is worth its memory only if it is at least this part shorter.
    private static final int LEAST_GAIN = 8;

    /// Work that has not ended after this time never will, because its server has stopped.
    private static final long LOST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long IDLE = Long.MIN_VALUE;

    private final FileCache cache;
    private final Compression compression;

    /// When the work in progress began, or [#IDLE].
    private final AtomicLong since = new AtomicLong(IDLE);

    GzipWork(FileCache cache, Compression compression) {
        this.cache = cache;
        this.compression = compression;
    }

    /// Starts to compress an entry for the later requests, if this client accepts gzip and no other
    /// work is in progress.
    void start(EngineExchange x, CachedFile entry) {
        long accepted = AcceptEncoding.of(x.request().fields());
        if (AcceptEncoding.weight(accepted, ContentCoding.GZIP) == 0) {
            return;
        }
        long now = x.nowNanos();
        long before = since.get();
        boolean free = before == IDLE || now - before > LOST_NANOS;
        if (free && since.compareAndSet(before, now)) {
            entry.gzipDone();
            x.maintenance(new One(entry, now), now);
        }
    }

    /// The compression of one entry.
    private final class One implements Maintenance {
        private final CachedFile entry;
        private final long startedNanos;

        One(CachedFile entry, long startedNanos) {
            this.entry = entry;
            this.startedNanos = startedNanos;
        }

        @Override
        public long run(long nowNanos) {
            try {
                if (entry.found() instanceof Found.File file && entry.lend()) {
                    try {
                        compress(file);
                    } finally {
                        entry.giveBack();
                    }
                }
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "A file could not be read to compress it", e);
            } finally {
                since.compareAndSet(startedNanos, IDLE);
            }
            return NEVER;
        }

        private void compress(Found.File file) throws IOException {
            Representation plain = file.representation();
            byte[] content = FileLookup.bytes(plain.content());
            long most =
                    Math.min(
                            content.length - content.length / LEAST_GAIN,
                            cache.formMaxBytes(entry));
            byte @Nullable [] compressed =
                    Gzip.compressed(content, compression.level(), (int) most);
            boolean changed =
                    content.length != plain.content().length()
                            || (plain.content() instanceof OpenFile open && !open.isUnchanged());
            if (compressed == null || changed) {
                return;
            }
            Representation coded =
                    plain.coded(
                            ContentCoding.GZIP,
                            new Representation.InMemory(compressed),
                            EntityTag.strong(compressed),
                            plain.lastModified());
            CodedForms forms = file.coded().with(new CodedForms.Form(ContentCoding.GZIP, coded));
            CachedFile better = entry.with(file.with(forms, false));
            if (better.lend() && !cache.replace(entry, better)) {
                better.giveBack(); // the cache has dropped or replaced the entry meanwhile
            }
        }
    }
}
