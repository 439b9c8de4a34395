package dev.serval.log;

import org.jspecify.annotations.Nullable;

/// Where an access log writes at present, and how. The texts of times belong to the loops, each of
/// which touches only its own. Any thread.
final class LogTarget {
    private final LogFile file;
    private final LogSettings settings;
    private final int lineMaxBytes;
    private final TimeText[] @Nullable [] texts;

    /// @param loopsMax how many loops may write
    LogTarget(LogFile file, LogSettings settings, AccessLogLimits limits, int loopsMax) {
        this.file = file;
        this.settings = settings;
        this.lineMaxBytes = settings.format().maxBytes(limits);
        this.texts = new TimeText[loopsMax][];
    }

    LogFile file() {
        return file;
    }

    LogSettings settings() {
        return settings;
    }

    /// Returns the most bytes of a line.
    int lineMaxBytes() {
        return lineMaxBytes;
    }

    /// Returns the texts of the format's times of one loop. On that loop.
    TimeText[] texts(int loop) {
        TimeText @Nullable [] present = texts[loop];
        if (present == null) {
            present =
                    settings.format().times().stream().map(TimeText::new).toArray(TimeText[]::new);
            texts[loop] = present;
        }
        return present;
    }
}
