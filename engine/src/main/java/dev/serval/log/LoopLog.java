package dev.serval.log;

import dev.serval.handler.AccessRecord;

/// The lines of one loop. Owned by the loop, except for the ring, which has its own rules.
final class LoopLog {
    private final int loop;
    private final LogRing ring;
    private final LogLine line;

    LoopLog(int loop, AccessLogLimits limits) {
        this.loop = loop;
        this.ring = new LogRing(limits.ringBytes());
        this.line = new LogLine(limits.valueMaxBytes());
    }

    /// Returns the ring, from which the writer takes the lines.
    LogRing ring() {
        return ring;
    }

    /// Writes the line of an exchange into the ring, or counts it as lost.
    void write(AccessRecord x, LogTarget to) {
        int from = ring.claim(to.lineMaxBytes());
        if (from < 0) {
            ring.lose();
            return;
        }
        LogSettings settings = to.settings();
        line.begin(ring.memory(), from, to.texts(loop), settings.shortened());
        settings.format().write(x, line);
        ring.publish(to.file().number(), line.end() - from);
    }
}
