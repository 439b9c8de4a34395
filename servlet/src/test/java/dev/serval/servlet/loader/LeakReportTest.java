package dev.serval.servlet.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Timer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Makes a leak of each kind in an application compiled in the test, and finds it.
final class LeakReportTest {
    private final TestApp app = new TestApp();

    /// Ends what the test's application has left running.
    private final List<Runnable> ends = new ArrayList<>();

    @AfterEach
    void end() {
        ends.forEach(Runnable::run);
        app.close();
    }

    @Test
    void cleanApplicationLeavesNothing() throws Exception {
        try (AppClassLoader loader = load("public Object get() { return \"done\"; }")) {
            run(loader);
            LeakReport report = LeakReport.of(loader);
            assertThat(report.leaks()).isEmpty();
            assertThat(report.notes()).isEmpty();
        }
    }

    @Test
    void namesThreadByItsContext() throws Exception {
        try (AppClassLoader loader =
                load(
                        """
                        public Object get() {
                            Thread thread = new Thread(java.util.concurrent.locks.LockSupport::park, "poller");
                            thread.start();
                            return thread;
                        }
                        """)) {
            Thread thread = (Thread) run(loader);
            ends.add(() -> stop(thread));
            Await.until("parked", () -> thread.getState() == Thread.State.WAITING);
            Leak leak = only(LeakReport.of(loader));
            assertThat(leak.kind()).isEqualTo(Leak.Kind.THREAD);
            assertThat(leak.detail())
                    .contains("\"poller\"")
                    .contains("context class loader")
                    .contains("park");
            assertThat(leak.remedy()).contains("contextDestroyed");
            assertThat(leak.undone()).isFalse();
            assertThat(thread.isAlive()).isTrue();
        }
    }

    @Test
    void namesThreadByItsTask() throws Exception {
        try (AppClassLoader loader =
                load(
                        """
                        public Object get() {
                            Thread thread = new Thread(new Task(), "worker");
                            thread.setContextClassLoader(null);
                            thread.start();
                            return thread;
                        }
                        public static class Task implements Runnable {
                            public void run() { java.util.concurrent.locks.LockSupport.park(); }
                        }
                        """)) {
            Thread thread = (Thread) run(loader);
            ends.add(() -> stop(thread));
            Leak leak = only(LeakReport.of(loader));
            assertThat(leak.detail()).contains("\"worker\" that runs com.shop.Leaky$Task");
        }
    }

    @Test
    void namesThreadOfItsClass() throws Exception {
        try (AppClassLoader loader =
                load(
                        """
                        public Object get() {
                            Thread thread = new Own();
                            thread.setContextClassLoader(null);
                            thread.start();
                            return thread;
                        }
                        public static class Own extends Thread {
                            public void run() { java.util.concurrent.locks.LockSupport.park(); }
                        }
                        """)) {
            Thread thread = (Thread) run(loader);
            ends.add(() -> stop(thread));
            assertThat(only(LeakReport.of(loader)).detail())
                    .contains("of class com.shop.Leaky$Own");
        }
    }

    @Test
    void namesTimer() throws Exception {
        try (AppClassLoader loader =
                load("public Object get() { return new java.util.Timer(\"reminder\", true); }")) {
            Timer timer = (Timer) run(loader);
            ends.add(timer::cancel);
            Leak leak = only(LeakReport.of(loader));
            assertThat(leak.kind()).isEqualTo(Leak.Kind.TIMER);
            assertThat(leak.detail()).contains("\"reminder\"");
            assertThat(leak.remedy()).contains("Timer.cancel()");
        }
    }

    @Test
    void removesThreadLocalOfTheCurrentThread() throws Exception {
        try (AppClassLoader loader =
                load(
                        """
                        public Object get() {
                            ThreadLocal<Object> local = new ThreadLocal<>();
                            local.set(java.util.Map.of("key", java.util.List.of(this)));
                            return local;
                        }
                        """)) {
            ThreadLocal<?> local = (ThreadLocal<?>) run(loader);
            Leak leak = only(LeakReport.of(loader));
            assertThat(leak.kind()).isEqualTo(Leak.Kind.THREAD_LOCAL);
            assertThat(leak.detail())
                    .contains(Thread.currentThread().getName())
                    .contains("an object of com.shop.Leaky");
            assertThat(leak.undone()).isTrue();
            assertThat(local.get()).isNull();
            assertThat(LeakReport.of(loader).leaks()).isEmpty();
        }
    }

    @Test
    void namesThreadLocalOfAnotherThread() throws Exception {
        try (AppClassLoader loader =
                load(
                        """
                        static final ThreadLocal<Object> LOCAL = new Local();
                        public Object get() { LOCAL.set("value"); return LOCAL; }
                        public static class Local extends ThreadLocal<Object> {}
                        """)) {
            Thread thread =
                    new Thread(
                            () -> {
                                call(loader);
                                LockSupport.park();
                            },
                            "server worker");
            thread.start();
            ends.add(() -> stop(thread));
            Await.until("parked", () -> thread.getState() == Thread.State.WAITING);
            Leak leak = only(LeakReport.of(loader));
            assertThat(leak.kind()).isEqualTo(Leak.Kind.THREAD_LOCAL);
            assertThat(leak.detail())
                    .contains("com.shop.Leaky$Local in the thread \"server worker\"");
            assertThat(leak.undone()).isFalse();
        }
    }

    @Test
    void deregistersDriver() throws Exception {
        try (AppClassLoader loader =
                load(
                        """
                        public Object get() {
                            try {
                                java.sql.DriverManager.registerDriver(new OwnDriver());
                                return java.sql.DriverManager.getDriver("jdbc:own:");
                            } catch (java.sql.SQLException e) {
                                throw new IllegalStateException(e);
                            }
                        }
                        public static class OwnDriver implements java.sql.Driver {
                            public java.sql.Connection connect(String url, java.util.Properties p) { return null; }
                            public boolean acceptsURL(String url) { return url.startsWith("jdbc:own:"); }
                            public java.sql.DriverPropertyInfo[] getPropertyInfo(String url, java.util.Properties p) { return null; }
                            public int getMajorVersion() { return 1; }
                            public int getMinorVersion() { return 0; }
                            public boolean jdbcCompliant() { return false; }
                            public java.util.logging.Logger getParentLogger() { return null; }
                        }
                        """)) {
            run(loader);
            Leak leak = only(LeakReport.of(loader));
            assertThat(leak.kind()).isEqualTo(Leak.Kind.JDBC_DRIVER);
            assertThat(leak.detail()).isEqualTo("JDBC driver com.shop.Leaky$OwnDriver");
            assertThat(leak.undone()).isTrue();
            assertThat(LeakReport.of(loader).leaks()).isEmpty();
        }
    }

    @Test
    void removesShutdownHook() throws Exception {
        try (AppClassLoader loader =
                load(
                        """
                        public Object get() {
                            Thread hook = new Thread(() -> {}, "farewell");
                            Runtime.getRuntime().addShutdownHook(hook);
                            return hook;
                        }
                        """)) {
            Thread hook = (Thread) run(loader);
            Leak leak = only(LeakReport.of(loader));
            assertThat(leak.kind()).isEqualTo(Leak.Kind.SHUTDOWN_HOOK);
            assertThat(leak.detail()).contains("\"farewell\"");
            assertThat(leak.undone()).isTrue();
            assertThat(Runtime.getRuntime().removeShutdownHook(hook)).isFalse();
        }
    }

    @Test
    void removesLogHandlerFilterAndLevel() throws Exception {
        try (AppClassLoader loader =
                load(
                        """
                        static final java.util.logging.Logger LOGGER = java.util.logging.Logger.getLogger("com.other");
                        public Object get() {
                            LOGGER.addHandler(new Own());
                            LOGGER.setFilter(record -> true);
                            LOGGER.setLevel(new Loud());
                            return LOGGER;
                        }
                        public static class Loud extends java.util.logging.Level {
                            public Loud() { super("LOUD", 5000); }
                        }
                        public static class Own extends java.util.logging.Handler {
                            public void publish(java.util.logging.LogRecord record) {}
                            public void flush() {}
                            public void close() {}
                        }
                        """)) {
            Object logger = run(loader);
            LeakReport report = LeakReport.of(loader);
            assertThat(report.notes()).isEmpty();
            assertThat(report.leaks())
                    .hasSize(3)
                    .allMatch(Leak::undone)
                    .allMatch(leak -> leak.kind() == Leak.Kind.LOGGING);
            assertThat(report.leaks().getFirst().detail())
                    .isEqualTo("log handler com.shop.Leaky$Own at the logger \"com.other\"");
            assertThat((Object[]) logger.getClass().getMethod("getHandlers").invoke(logger))
                    .isEmpty();
            assertThat(LeakReport.of(loader).leaks()).isEmpty();
        }
    }

    /// Spring Boot replaces the handlers of the root logger by one of its own.
    @Test
    void rootLoggerHasTheHandlersOfTheConfigurationAgain() throws Exception {
        Logger root = Logger.getLogger("");
        Handler[] before = root.getHandlers();
        ends.add(() -> {
            for (Handler each : root.getHandlers()) {
                root.removeHandler(each);
            }
            for (Handler each : before) {
                root.addHandler(each);
            }
        });
        try (AppClassLoader loader =
                load(
                        """
                        public Object get() {
                            java.util.logging.Logger root = java.util.logging.Logger.getLogger("");
                            for (java.util.logging.Handler each : root.getHandlers()) {
                                root.removeHandler(each);
                            }
                            root.addHandler(new Own());
                            return root;
                        }
                        public static class Own extends java.util.logging.Handler {
                            public void publish(java.util.logging.LogRecord record) {}
                            public void flush() {}
                            public void close() {}
                        }
                        """)) {
            run(loader);
            LeakReport report = LeakReport.of(loader);
            assertThat(report.notes()).isEmpty();
            assertThat(report.leaks()).singleElement().matches(Leak::undone);
            assertThat(root.getHandlers()).singleElement().isInstanceOf(ConsoleHandler.class);
        }
    }

    @Test
    void removesSecurityProvider() throws Exception {
        try (AppClassLoader loader =
                load(
                        """
                        public Object get() {
                            java.security.Security.addProvider(new Own());
                            return "done";
                        }
                        public static class Own extends java.security.Provider {
                            public Own() { super("OwnProvider", "1", "own"); }
                        }
                        """)) {
            run(loader);
            assertThat(only(LeakReport.of(loader)).kind()).isEqualTo(Leak.Kind.SECURITY_PROVIDER);
            assertThat(Security.getProvider("OwnProvider")).isNull();
        }
    }

    /// The JVM takes one of each name, and the next version starts before the former one ends.
    @Test
    void registersTheSecurityProviderOfTheNextVersionInItsPlace() throws Exception {
        String body =
                """
                public Object get() {
                    return java.security.Security.insertProviderAt(new Own(), 2);
                }
                public static class Own extends java.security.Provider {
                    public Own() { super("OwnProvider", "1", "own"); }
                }
                """;
        try (AppClassLoader former = load(body);
                AppClassLoader next = app.open();
                AppClassLoader unused = app.open()) {
            assertThat(run(former)).isEqualTo(2);
            assertThat(run(next)).isEqualTo(-1);
            assertThat(only(LeakReport.of(former, List.of(unused, next))).undone()).isTrue();
            assertThat(Security.getProviders()[1].getName()).isEqualTo("OwnProvider");
            assertThat(Security.getProviders()[1].getClass().getClassLoader()).isSameAs(next);
            assertThat(only(LeakReport.of(next, List.of(unused))).undone()).isTrue();
            assertThat(Security.getProvider("OwnProvider")).isNull();
        }
    }

    @Test
    void removesHandlerOfUncaughtExceptions() throws Exception {
        Thread.@Nullable UncaughtExceptionHandler before =
                Thread.getDefaultUncaughtExceptionHandler();
        ends.add(() -> Thread.setDefaultUncaughtExceptionHandler(before));
        try (AppClassLoader loader =
                load(
                        """
                        public Object get() {
                            Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {});
                            return "done";
                        }
                        """)) {
            run(loader);
            assertThat(only(LeakReport.of(loader)).kind()).isEqualTo(Leak.Kind.UNCAUGHT_HANDLER);
            assertThat(Thread.getDefaultUncaughtExceptionHandler()).isNull();
        }
    }

    @Test
    void saysWhatItCannotSearchInAClosedJdk() throws Exception {
        Process process =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-classpath",
                                System.getProperty("java.class.path"),
                                ClosedJdk.class.getName())
                        .redirectErrorStream(true)
                        .start();
        try (var lines = process.inputReader()) {
            assertThat(lines.lines())
                    .filteredOn(line -> line.startsWith("Not searched"))
                    .hasSize(2)
                    .allMatch(line -> line.contains("--add-opens java.base/java.lang=ALL-UNNAMED"));
        }
        assertThat(process.waitFor()).isZero();
    }

    /// Runs in a JVM without `--add-opens`.
    static final class ClosedJdk {
        private ClosedJdk() {}

        public static void main(String[] args) throws IOException {
            ApiClassLoader api =
                    new ApiClassLoader(ClosedJdk.class.getClassLoader(), SharedPackages.JAKARTA);
            try (AppClassLoader loader =
                    AppClassLoader.open("/", Path.of("nowhere"), List.of(), api)) {
                PrintStream out =
                        new PrintStream(
                                new FileOutputStream(FileDescriptor.out),
                                true,
                                StandardCharsets.UTF_8);
                LeakReport.of(loader).notes().forEach(out::println);
            }
        }
    }

    /// Each application caches a bundle, sets a thread local and adds a shutdown hook.
    @Test
    void loadersAreCollectedAfterFiftyDeployments() throws Exception {
        app.file("texts.properties", "key=value");
        app.source(
                "com.shop.Leaky",
                leaky(
                        """
                        public Object get() {
                            new ThreadLocal<Object>().set(this);
                            Runtime.getRuntime().addShutdownHook(new Thread(() -> {}));
                            return java.util.ResourceBundle.getBundle("texts", java.util.Locale.ROOT, getClass().getClassLoader()).getString("key");
                        }
                        """));
        app.jar("a.jar", Map.of("r.txt", TestApp.bytes("r")));
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            loaders.add(deployAndClose());
        }
        Await.until(
                "all loaders are collected",
                () -> {
                    System.gc();
                    return loaders.stream().allMatch(loader -> loader.refersTo(null));
                });
    }

    private WeakReference<ClassLoader> deployAndClose() throws Exception {
        try (AppClassLoader loader = app.open()) {
            assertThat(run(loader)).isEqualTo("value");
            try (var in = Objects.requireNonNull(loader.getResource("r.txt")).openStream()) {
                assertThat(in).hasContent("r");
            }
            assertThat(LeakReport.of(loader).leaks()).hasSize(2);
            return new WeakReference<>(loader);
        }
    }

    private AppClassLoader load(String body) throws IOException {
        app.source("com.shop.Leaky", leaky(body));
        return app.open();
    }

    private static String leaky(String body) {
        return "package com.shop; public class Leaky implements java.util.function.Supplier<Object> {"
                + body
                + "}";
    }

    /// Runs the application's code with its loader as context, as a container does.
    private static Object run(AppClassLoader loader) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            Object instance = loader.loadClass("com.shop.Leaky").getConstructor().newInstance();
            return ((Supplier<?>) instance).get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void call(AppClassLoader loader) {
        try {
            run(loader);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static Leak only(LeakReport report) {
        assertThat(report.notes()).isEmpty();
        assertThat(report.leaks()).hasSize(1);
        return report.leaks().getFirst();
    }

    private static void stop(Thread thread) {
        Await.until(
                thread.getName() + " ends",
                () -> {
                    LockSupport.unpark(thread);
                    return !thread.isAlive();
                });
    }
}
