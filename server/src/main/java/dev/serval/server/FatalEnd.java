package dev.serval.server;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Ends the process at once, with a line that says so, where a thread that the server needs has
/// ended: whoever watches over the process starts it anew. All it needs is made beforehand, since
/// memory may have run out. Any thread.
final class FatalEnd implements Runnable {
    /// EX_SOFTWARE of sysexits.h.
    static final int EXIT_CODE = 70;

    private final byte[] line =
            "serval: The server cannot go on, since memory ran out or a thread of its own failed; it ends.\n"
                    .getBytes(StandardCharsets.US_ASCII);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private final Runtime runtime = Runtime.getRuntime();

    FatalEnd() {
        try {
            Class.forName("java.lang.Shutdown"); // by which the JDK halts
        } catch (ClassNotFoundException e) {
            // Then it does so by another.
        }
    }

    @Override
    public void run() {
        try {
            err.write(line);
        } catch (IOException | RuntimeException | Error e) {
            // The exit code says it as well.
        }
        boolean halted = false;
        while (!halted) { // never half dead
            try {
                runtime.halt(EXIT_CODE);
                halted = true;
            } catch (RuntimeException | Error e) {
                Thread.onSpinWait();
            }
        }
    }
}
