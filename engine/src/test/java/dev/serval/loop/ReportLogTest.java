package dev.serval.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import java.text.MessageFormat;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReportLogTest {
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger errors = new AtomicInteger();
    private volatile boolean holds;
    private volatile @Nullable Error thrown;

    private final System.Logger logger =
            new System.Logger() {
                @Override
                public String getName() {
                    return "a logger that may block";
                }

                @Override
                public boolean isLoggable(Level level) {
                    return true;
                }

                @Override
                public void log(
                        Level level, @Nullable ResourceBundle texts, String what, Throwable fault) {
                    add(what);
                }

                @Override
                public void log(
                        Level level, @Nullable ResourceBundle texts, String form, Object... with) {
                    add(MessageFormat.format(form, with));
                }
            };

    private void add(String line) {
        @Nullable Error meant = thrown;
        if (meant != null) {
            throw meant;
        }
        logged.add(line);
        if (holds) {
            Await.open("the logger", open);
        }
    }

    @Test
    void logsAllReportsBeforeItEnds() {
        ReportLog log = new ReportLog(logger, errors::incrementAndGet, () -> {});
        log.fault("first", new IllegalStateException("meant"));
        log.fault("second", new IllegalStateException("meant"));
        log.warning("third");
        log.close(); // does not wait for ever
        Await.until("all are logged", () -> logged.size() >= 3);
        assertThat(logged).containsExactly("first", "second", "third");
    }

    @Test
    void doesNotWaitForABlockedLogger() {
        holds = true;
        ReportLog log = new ReportLog(logger, errors::incrementAndGet, () -> {});
        for (int i = 0; i < 1000; i++) {
            log.fault("a storm", new IllegalStateException("meant"));
        }
        Await.until("the first report", () -> logged.size() == 1);
        holds = false;
        open.countDown();
        log.close();
        // 256 reports wait, and one or two are being logged. The others are counted in one line.
        Await.until("the others are counted", () -> isCounted() && storms() >= 256);
        assertThat(storms()).isBetween(256L, 258L);
    }

    private long storms() {
        return logged.stream().filter("a storm"::equals).count();
    }

    private boolean isCounted() {
        return logged.stream().anyMatch(line -> line.startsWith("The log missed "));
    }

    @Test
    void endsThoughItsLoggerBlocks() {
        holds = true;
        ReportLog log = new ReportLog(logger, errors::incrementAndGet, () -> {});
        for (int i = 0; i < 1000; i++) {
            log.fault("a storm", new IllegalStateException("meant"));
        }
        log.close();
        Await.until("the first report", () -> !logged.isEmpty());
        assertThat(logged).containsExactly("a storm");
        open.countDown();
    }

    @Test
    void continuesAfterLoggerErrorAndCountsLostReports() {
        thrown = new OutOfMemoryError("meant");
        ReportLog log = new ReportLog(logger, errors::incrementAndGet, () -> {});
        log.fault("lost", new OutOfMemoryError("meant"));
        Await.until("a report that was not logged", () -> log.lost() == 1);
        thrown = null;
        log.fault("logged", new IllegalStateException("meant"));
        Await.until("the report", () -> logged.contains("logged"));
        Await.until("the others", () -> logged.contains("The log missed 1 more reports"));
        assertThat(errors).hasValue(1);
        log.close();
    }

    @Test
    void endsServerIfAClassOfTheServerFailedToInitialise() {
        AtomicInteger ends = new AtomicInteger();
        ReportLog log = new ReportLog(logger, errors::incrementAndGet, ends::incrementAndGet);
        log.fault(
                "of the application", unusable("org.example.Page", new OutOfMemoryError("meant")));
        log.fault("not out of memory", unusable("dev.serval.X", new RuntimeException("meant")));
        log.fault("missing", new NoClassDefFoundError("dev/serval/X"));
        assertThat(ends).hasValue(0);
        log.fault("ours", unusable("dev.serval.X", new OutOfMemoryError("meant")));
        log.fault("of the JDK", unusable("sun.security.X", new OutOfMemoryError("meant")));
        assertThat(ends).hasValue(2);
        log.close();
    }

    @Test
    void endsServerIfACallSiteOfTheServerCouldNotBeLinked() {
        AtomicInteger ends = new AtomicInteger();
        ReportLog log = new ReportLog(logger, errors::incrementAndGet, ends::incrementAndGet);
        Throwable ranOut = new IllegalArgumentException(new OutOfMemoryError("meant"));
        log.fault("of the application", unlinked("org.example.Page", ranOut));
        log.fault("not out of memory", unlinked("dev.serval.X", new RuntimeException("meant")));
        assertThat(ends).hasValue(0);
        log.fault("ours", unlinked("dev.serval.X", ranOut));
        assertThat(ends).hasValue(1);
        log.close();
    }

    private static BootstrapMethodError unlinked(String type, Throwable cause) {
        BootstrapMethodError error = new BootstrapMethodError("meant", cause);
        error.setStackTrace(
                new StackTraceElement[] {
                    new StackTraceElement("java.lang.invoke.CallSite", "makeSite", null, 1),
                    new StackTraceElement(type, "call", null, 1)
                });
        return error;
    }

    @Test
    void rehearsalFormatsAStackTraceAndPublishesNothing() {
        StringBuilder formatted = new StringBuilder();
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord log) {
                        formatted.append("published");
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        handler.setFormatter(
                new SimpleFormatter() {
                    @Override
                    public String format(LogRecord log) {
                        String text = super.format(log);
                        formatted.append(text);
                        return text;
                    }
                });
        LoggingRehearsal.rehearse(handler);
        assertThat(formatted.toString())
                .contains("a rehearsal", "\tat dev.serval.loop.LoggingRehearsal", "Caused by: ")
                .doesNotContain("published");
    }

    private static NoClassDefFoundError unusable(String type, Throwable cause) {
        NoClassDefFoundError error = new NoClassDefFoundError("Could not initialize class " + type);
        error.initCause(cause);
        return error;
    }
}
