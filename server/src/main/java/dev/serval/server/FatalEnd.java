package dev.serval.server;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Prints a line and ends the process at once, after a thread that the server needs has died. A
/// supervisor of the process then restarts it. All that it needs is created early, because memory
/// may have run out. Any thread.
final class FatalEnd implements Runnable {
    /// EX_SOFTWARE of sysexits.h.
    static final int EXIT_CODE = 70;

    private final byte[] line =
            "serval: The server ends, because memory ran out or one of its threads failed.\n"
                    .getBytes(StandardCharsets.US_ASCII);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private final Runtime runtime = Runtime.getRuntime();

    FatalEnd() {
        try {
            Class.forName("java.lang.Shutdown"); // the JDK halts by this class
        } catch (ClassNotFoundException e) {
            // Another JDK halts by another class.
        }
    }

    @Override
    public void run() {
        try {
            err.write(line);
        } catch (IOException | RuntimeException | Error e) {
            // The exit code has the same meaning.
        }
        boolean halted = false;
        while (!halted) { // the process must not continue
            try {
                runtime.halt(EXIT_CODE);
                halted = true;
            } catch (RuntimeException | Error e) {
                Thread.onSpinWait();
            }
        }
    }
}
