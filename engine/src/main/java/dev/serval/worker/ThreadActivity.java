package dev.serval.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whether a platform thread wants a processor, or waits for something else. One thread asks. The
/// thread itself closes it.
interface ThreadActivity extends AutoCloseable {
    /// Returns whether the thread waits for something other than a processor now.
    boolean isBlocked();

    @Override
    void close();

    /// Returns the activity of the calling thread. On Linux the kernel is asked, because the JVM
    /// cannot say it of a thread in a native call, such as a read of a file.
    static ThreadActivity ofCurrent() {
        int number = currentNumber();
        if (number != 0) {
            try {
                return new Linux(FileChannel.open(stat(number)));
            } catch (IOException e) {
                // No descriptor is free.
            }
        }
        return new OfJvm(Thread.currentThread());
    }

    /// Returns the system's number of the calling thread, or 0 if it is unknown.
    static int currentNumber() {
        try {
            Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            return Integer.parseInt(self.getFileName().toString());
        } catch (IOException | UnsupportedOperationException | NumberFormatException e) {
            return 0;
        }
    }

    /// Returns whether a thread of this process waits for a processor, or has one. Unlike an
    /// instance, it keeps no file open.
    ///
    /// @param number the system's number of the thread
    static boolean isRunnable(int number) {
        try (Linux thread = new Linux(FileChannel.open(stat(number)))) {
            return !thread.isBlocked();
        } catch (IOException | Error e) {
            return false; // the thread has ended, or there is no descriptor or memory for this
        }
    }

    private static Path stat(int number) {
        return Path.of("/proc/self/task/" + number + "/stat");
    }

    /// As the kernel sees the thread: the field `state` of proc_pid_stat(5).
    final class Linux implements ThreadActivity {
        private static final int TEXT_BYTES = 64; // the number, the name, which is short, the state

        private final FileChannel stat;
        private final byte[] text = new byte[TEXT_BYTES];
        private final ByteBuffer into = ByteBuffer.wrap(text);

        private Linux(FileChannel stat) {
            this.stat = stat;
        }

        @Override
        public boolean isBlocked() {
            try {
                int length = stat.read(into.clear(), 0);
                return !isRunnable(text, length);
            } catch (IOException e) {
                return false; // the thread has ended
            }
        }

        /// Returns whether the state in the text is R. The name before it is in parentheses, and
        /// may contain some.
        static boolean isRunnable(byte[] text, int length) {
            int i = length - 1;
            while (i >= 0 && text[i] != ')') {
                i--;
            }
            return i >= 0 && i + 2 < length && text[i + 2] == 'R';
        }

        @Override
        public void close() {
            try {
                stat.close();
            } catch (IOException e) {
                // Nothing was written.
            }
        }
    }

    /// As the JVM sees the thread.
    record OfJvm(Thread thread) implements ThreadActivity {
        @Override
        public boolean isBlocked() {
            return thread.getState() != Thread.State.RUNNABLE;
        }

        @Override
        public void close() {}
    }
}
