package dev.serval.log;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.serval.loop.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// One file of the access log. Lines collect in a buffer and are appended whole, so that a successor
/// may append to the same file, and each file begins with a whole line. While the disk fails, lines
/// wait as far as the buffer goes, then they are dropped and counted. Owned by the writer's thread,
/// except for [#configure], [#used], [#isUsed] and [#lost].
final class LogFile {
    private static final System.Logger LOG = System.getLogger(LogFile.class.getName());

    private static final long RENAME_PAUSE_MILLIS = 60_000;

    private final int number;
    private final Path path;
    private final LogDisk disk;
    private final Clock clock;
    private final AccessLogLimits limits;
    private final FormerFiles former;
    private volatile Rotation rotation = Rotation.NEVER;
    private volatile ZoneId zone = ZoneId.systemDefault();
    private volatile boolean used = true;
    private final AtomicLong lost = new AtomicLong();
    private final ByteBuffer waiting;
    private @Nullable WritableByteChannel channel;
    private boolean regular;
    private final TornLine torn = new TornLine();
    private long bytes; // in the file
    private long dayEndsMillis = Long.MAX_VALUE;
    private long rotateFromMillis; // after a rename that failed
    private boolean failing;
    private long retryNanos;
    private long lostBefore; // the present failure

    /// Creates a file that is not open.
    ///
    /// @param number by which rings refer to it
    LogFile(int number, Path path, LogDisk disk, Clock clock, AccessLogLimits limits) {
        this.number = number;
        this.path = path;
        this.disk = disk;
        this.clock = clock;
        this.limits = limits;
        this.former = new FormerFiles(path, disk);
        this.waiting = ByteBuffer.allocateDirect(limits.bufferBytes());
    }

    /// Returns the number by which rings refer to it.
    int number() {
        return number;
    }

    /// Returns its path.
    Path path() {
        return path;
    }

    /// Sets when another file is begun. Any thread.
    void configure(Rotation next, ZoneId ofDays) {
        zone = ofDays;
        rotation = next;
    }

    /// Sets whether a log writes here at present. Any thread.
    void used(boolean byALog) {
        used = byALog;
    }

    /// Returns whether a log writes here at present. Any thread.
    boolean isUsed() {
        return used;
    }

    /// Returns how many lines were dropped because the disk failed. Any thread.
    long lost() {
        return lost.get();
    }

    /// Opens the file for the first time.
    ///
    /// @throws IOException if it cannot be written
    void open() throws IOException {
        if (channel == null) {
            channel = opened();
        }
    }

    /// Adds a line.
    void add(byte[] from, int at, int length) {
        if (waiting.remaining() < length) {
            flush();
        }
        if (waiting.remaining() < length) {
            lost.incrementAndGet();
        } else {
            waiting.put(from, at, length);
        }
    }

    /// Appends the lines that wait to the file, and closes it if no log uses it any more.
    ///
    /// @return whether none waits any more
    boolean flush() {
        boolean done = append();
        if (done && !used) {
            closeChannel();
        }
        return done;
    }

    private boolean append() {
        if (waiting.position() == 0) {
            return true;
        }
        if (failing && clock.nanos() - retryNanos < 0) {
            return false;
        }
        waiting.flip();
        try {
            if (isReplaced()) {
                closeChannel();
            }
            WritableByteChannel open = channel == null ? opened() : channel;
            channel = open;
            while (waiting.hasRemaining()) {
                writeLines();
            }
            if (failing) {
                recovered();
            }
        } catch (IOException e) {
            failed(e);
        } finally {
            torn.written(waiting);
            waiting.compact();
        }
        return waiting.position() == 0;
    }

    /// Returns whether another process has renamed the file and begun one in its place, as a predecessor
    /// that rotates does: it may compress and remove the renamed one. A file that was only renamed
    /// gets lines until [#reopen].
    private boolean isReplaced() {
        if (channel == null || !regular) {
            return false;
        }
        try {
            return !torn.isOpen(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            return false; // there is no other one
        }
    }

    /// Drops the rest of a line whose first part is in another file than the present one.
    private void dropRestOfTornLine() {
        if (regular && torn.isElsewhere(bytes == 0)) {
            waiting.position(endOfLine());
            torn.ended();
            lost.incrementAndGet();
        }
    }

    /// Begins another file if that is due, and writes as many lines as the file may have.
    private void writeLines() throws IOException {
        rotateIfDue();
        WritableByteChannel open = channel == null ? opened() : channel;
        channel = open;
        dropRestOfTornLine();
        int limit = waiting.limit();
        waiting.limit(endOfLinesThatFit());
        try {
            while (waiting.hasRemaining()) {
                bytes += open.write(waiting);
            }
        } finally {
            waiting.limit(limit);
        }
        torn.ended();
    }

    /// Returns where the lines end that fit in the file. It is the end of all lines if the file should
    /// have ended already, but could not be renamed.
    private int endOfLinesThatFit() {
        long room = regular ? rotation.room(bytes) : Long.MAX_VALUE;
        if (waiting.remaining() <= room) {
            return waiting.limit();
        }
        for (long end = waiting.position() + room; end > waiting.position(); end--) {
            if (waiting.get((int) end - 1) == '\n') {
                return (int) end;
            }
        }
        return bytes == 0 ? endOfLine() : waiting.limit();
    }

    /// Returns where the first line that waits ends.
    private int endOfLine() {
        int end = waiting.position();
        while (end < waiting.limit() && waiting.get(end) != '\n') {
            end++;
        }
        return Math.min(end + 1, waiting.limit());
    }

    /// Opens the file again, or another one if it was moved, after what waits was written. A file
    /// that no log uses any more stays closed; a late line opens it again.
    void reopen() throws IOException {
        retryNanos = clock.nanos();
        boolean _ = flush();
        closeChannel();
        if (used) {
            channel = opened();
        }
    }

    /// Ends the file after what waits.
    void close() {
        retryNanos = clock.nanos();
        if (!flush()) {
            LOG.log(
                    WARNING,
                    "The last "
                            + waiting.position()
                            + " bytes of the access log could not be written to "
                            + path);
        }
        closeChannel();
        former.awaitCompression();
    }

    private WritableByteChannel opened() throws IOException {
        WritableByteChannel open = disk.open(path);
        BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
        regular = file.isRegularFile() && !StandardStream.is(path);
        torn.opened(file.fileKey());
        bytes = regular ? file.size() : 0;
        long begun = bytes == 0 ? clock.epochMillis() : file.lastModifiedTime().toMillis();
        dayEndsMillis = endOfDay(begun);
        return open;
    }

    private long endOfDay(long epochMillis) {
        LocalDate day = Instant.ofEpochMilli(epochMillis).atZone(zone).toLocalDate();
        return day.plusDays(1).atStartOfDay(zone).toInstant().toEpochMilli();
    }

    private void rotateIfDue() throws IOException {
        Rotation present = rotation;
        if (!isDue(present) || former.isCompressing() || clock.epochMillis() < rotateFromMillis) {
            return;
        }
        closeChannel();
        channel = opened(); // another process may have written or renamed it
        if (isDue(present)) {
            closeChannel();
            try {
                former.add(present);
            } catch (IOException e) { // the file grows on
                rotateFromMillis = clock.epochMillis() + RENAME_PAUSE_MILLIS;
                LOG.log(WARNING, "The access log " + path + " could not be renamed: " + e);
            }
            channel = opened();
        }
    }

    private boolean isDue(Rotation present) {
        boolean large = endOfLine() - waiting.position() > present.room(bytes);
        boolean old = present.daily() && clock.epochMillis() >= dayEndsMillis;
        return regular && bytes > 0 && (large || old);
    }

    private void failed(IOException why) {
        closeChannel();
        retryNanos = clock.nanos() + limits.retryNanos();
        if (!failing) {
            failing = true;
            lostBefore = lost.get();
            LOG.log(
                    WARNING,
                    "The access log "
                            + path
                            + " cannot be written ("
                            + why
                            + "): lines are dropped until it can, and counted. Requests are served.");
        }
    }

    private void recovered() {
        failing = false;
        LOG.log(
                INFO,
                "The access log "
                        + path
                        + " is written again; "
                        + (lost.get() - lostBefore)
                        + " lines were dropped meanwhile.");
    }

    private void closeChannel() {
        @Nullable WritableByteChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.log(WARNING, "The access log " + path + " could not be closed: " + e);
            }
        }
    }
}
