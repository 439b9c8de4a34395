package dev.serval.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/// Lines above a bar that stays the last line of a terminal. Each line that was written whole
/// replaces the bar, and the bar is written again below it. Used by one thread at a time.
final class BarStream extends OutputStream {
    /// Returns to the first column and clears the line.
    private static final byte[] CLEAR = "\r\033[K".getBytes(StandardCharsets.US_ASCII);

    private final OutputStream terminal;
    private final Supplier<String> bar;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean shown;

    /// @param bar the text of the bar; empty for none
    BarStream(OutputStream terminal, Supplier<String> bar) {
        this.terminal = terminal;
        this.bar = bar;
    }

    @Override
    public synchronized void write(int b) throws IOException {
        line.write(b);
        if (b == '\n') {
            clear();
            line.writeTo(terminal);
            line.reset();
            String text = bar.get();
            terminal.write(text.getBytes(StandardCharsets.UTF_8));
            shown = !text.isEmpty();
            terminal.flush();
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            write(bytes[i]);
        }
    }

    private void clear() throws IOException {
        if (shown) {
            terminal.write(CLEAR);
            shown = false;
        }
    }

    /// Removes the bar, and writes what there is of a line. The terminal stays open.
    @Override
    public synchronized void close() throws IOException {
        clear();
        line.writeTo(terminal);
        line.reset();
        terminal.flush();
    }
}
