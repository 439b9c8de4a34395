package dev.serval.servlet.log;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Takes the place of a standard stream. What applications print goes to their logs, and everything
/// else to the real stream. Any thread.
///
/// The application is that of the context class loader of the thread, which threads inherit. If it
/// has none, as in the common pool, the callers decide. Every method is overridden, because those of
/// PrintStream hold a lock while they write, and one application must not wait for another.
@SuppressWarnings("AnnotateFormatMethod") // the formats are those of its callers
public final class RoutedStream extends PrintStream {
    private static final int FRAMES_MAX = 256;
    private static final StackWalker WALKER =
            StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

    private final PrintStream real;

    /// Creates a stream in front of `real`.
    public RoutedStream(PrintStream real) {
        super(OutputStream.nullOutputStream());
        this.real = real;
    }

    private PrintStream target() {
        @Nullable AppLog log = log(Thread.currentThread().getContextClassLoader());
        if (log == null) {
            log =
                    WALKER.walk(frames ->
                            frames.limit(FRAMES_MAX)
                                    .map(RoutedStream::log)
                                    .flatMap(Optional::stream)
                                    .findFirst()
                                    .orElse(null));
        }
        return log == null || !log.isOpen() ? real : log.stream();
    }

    private static Optional<AppLog> log(StackFrame frame) {
        return Optional.ofNullable(log(frame.getDeclaringClass().getClassLoader()));
    }

    private static @Nullable AppLog log(@Nullable ClassLoader loader) {
        for (ClassLoader at = loader; at != null; at = at.getParent()) {
            if (at instanceof LogOwner owner) {
                return owner.log();
            }
        }
        return null;
    }

    @Override
    public void flush() {
        target().flush();
    }

    /// Closes the real stream, unless an application calls it.
    @Override
    public void close() {
        PrintStream closing = target();
        if (closing.equals(real)) {
            closing.close();
        }
    }

    @Override
    public boolean checkError() {
        return target().checkError();
    }

    @Override
    public void write(int b) {
        target().write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        target().write(bytes, from, length);
    }

    @Override
    public void write(byte[] bytes) {
        target().write(bytes, 0, bytes.length);
    }

    @Override
    public void writeBytes(byte[] bytes) {
        target().write(bytes, 0, bytes.length);
    }

    @Override
    public void print(boolean value) {
        target().print(value);
    }

    @Override
    public void print(char value) {
        target().print(value);
    }

    @Override
    public void print(int value) {
        target().print(value);
    }

    @Override
    public void print(long value) {
        target().print(value);
    }

    @Override
    public void print(float value) {
        target().print(value);
    }

    @Override
    public void print(double value) {
        target().print(value);
    }

    @Override
    public void print(char[] value) {
        target().print(value);
    }

    @Override
    public void print(@Nullable String value) {
        target().print(value);
    }

    @Override
    public void print(@Nullable Object value) {
        target().print(value);
    }

    @Override
    public void println() {
        target().println();
    }

    @Override
    public void println(boolean value) {
        target().println(value);
    }

    @Override
    public void println(char value) {
        target().println(value);
    }

    @Override
    public void println(int value) {
        target().println(value);
    }

    @Override
    public void println(long value) {
        target().println(value);
    }

    @Override
    public void println(float value) {
        target().println(value);
    }

    @Override
    public void println(double value) {
        target().println(value);
    }

    @Override
    public void println(char[] value) {
        target().println(value);
    }

    @Override
    public void println(@Nullable String value) {
        target().println(value);
    }

    @Override
    public void println(@Nullable Object value) {
        target().println(value);
    }

    @Override
    public PrintStream printf(String format, @Nullable Object... values) {
        return format(format, values);
    }

    @Override
    public PrintStream printf(@Nullable Locale locale, String format, @Nullable Object... values) {
        return format(locale, format, values);
    }

    @Override
    public PrintStream format(String format, @Nullable Object... values) {
        target().print(String.format(format, values));
        return this;
    }

    @Override
    public PrintStream format(@Nullable Locale locale, String format, @Nullable Object... values) {
        target().print(String.format(locale, format, values));
        return this;
    }

    @Override
    public PrintStream append(@Nullable CharSequence text) {
        target().print(String.valueOf(text));
        return this;
    }

    @Override
    public PrintStream append(@Nullable CharSequence text, int start, int end) {
        CharSequence whole = Objects.requireNonNullElse(text, "null");
        target().print(whole.subSequence(start, end).toString());
        return this;
    }

    @Override
    public PrintStream append(char value) {
        target().print(value);
        return this;
    }
}
