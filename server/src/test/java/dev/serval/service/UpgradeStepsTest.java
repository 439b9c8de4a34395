package dev.serval.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.control.Commands;
import dev.serval.net.epoll.EpollNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The command `upgrade`, as far as it needs no second server, and how a successor is started.
@Timeout(60)
final class UpgradeStepsTest {
    @TempDir Path folder;
    private final AtomicLong successor = new AtomicLong();

    @BeforeEach
    void needsEpoll() {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
    }

    /// Keeps what the client sees.
    private static final class Lines implements Commands.Answer {
        private final List<String> all = new ArrayList<>();

        @Override
        public void line(String text) {
            all.add(text);
        }

        @Override
        public void problem(String text) {
            all.add("problem: " + text);
        }
    }

    private Upgrade upgrade(Serval serval, Upgrade.Launching launching) {
        return new Upgrade(serval, List.of(), launching, folder, successor::set);
    }

    private static Serval server() throws IOException {
        return Serval.listen(0)
                .transport("epoll")
                .withoutFlagWarning()
                .get("/", x -> x.text("ok"))
                .start();
    }

    @Test
    void oneUpgradeAtATime() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        try (Serval serval = server();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Upgrade upgrade =
                    upgrade(
                            serval,
                            () -> {
                                entered.countDown();
                                try {
                                    ends.await();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                                throw new IOException("no launcher");
                            });
            Lines first = new Lines();
            Future<Integer> running = threads.submit(() -> upgrade.carryOut(first));
            entered.await();
            Lines second = new Lines();
            assertThat(upgrade.carryOut(second)).isEqualTo(1);
            assertThat(second.all)
                    .containsExactly(
                            "problem: An upgrade is in progress, or this server is ending.");
            ends.countDown();
            assertThat(running.get()).isEqualTo(1);
            assertThat(first.all)
                    .contains("problem: A successor could not be started: no launcher.");
            assertThat(upgrade.carryOut(new Lines())).as("another attempt").isEqualTo(1);
            assertThat(successor.get()).isZero();
        }
    }

    @Test
    void programThatIsMissingOrEndsIsNamed() throws Exception {
        try (Serval serval = server()) {
            Lines missing = new Lines();
            Launch none = new Launch(List.of("/nonexistent/serval"));
            assertThat(upgrade(serval, () -> none).carryOut(missing)).isEqualTo(1);
            assertThat(missing.all).anyMatch(line -> line.contains("/nonexistent/serval"));
            Lines ended = new Lines();
            Launch ends = new Launch(List.of("sh", "-c", "exit 9"));
            assertThat(upgrade(serval, () -> ends).carryOut(ended)).isEqualTo(1);
            assertThat(ended.all)
                    .contains(
                            "problem: The successor has ended with exit code 9 before it served.");
            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    void filesThatCannotBeReadOrRemovedDoNotHideTheResult() throws Exception {
        String report = "upgrade-" + ProcessHandle.current().pid() + ".report/file";
        try (Serval serval = server()) {
            Lines lines = new Lines();
            Upgrade.Launching launching =
                    () -> {
                        Files.createDirectories(folder.resolve(report));
                        return new Launch(List.of("sh", "-c", "exit 9"));
                    };
            assertThat(upgrade(serval, launching).carryOut(lines)).isEqualTo(1);
            assertThat(lines.all)
                    .contains("problem: The successor has ended with exit code 9 before it served.")
                    .last()
                    .asString()
                    .startsWith("problem: Nothing has changed");
        }
    }

    @Test
    void launcherStartsTheSuccessor() throws IOException {
        assertThat(
                        Launch.own(
                                        Map.of(Launch.VARIABLE, "/usr/bin/serval"),
                                        List.of("run", "a b"),
                                        null)
                                .command())
                .containsExactly("/usr/bin/serval", "run", "a b");
    }

    @Test
    void successorIsToldTheFileThatNoArgumentNames() throws IOException {
        Path file = Path.of("/srv/serval.toml");
        assertThat(launched(file, "run"))
                .containsExactly("serval", "run", "--config", "/srv/serval.toml");
        assertThat(launched(null, "run")).containsExactly("serval", "run");
        assertThat(launched(file, "run", "--config", "a"))
                .containsExactly("serval", "run", "--config", "a");
        assertThat(launched(file, "run", "--config=a"))
                .containsExactly("serval", "run", "--config=a");
        assertThat(Launch.own(Map.of(), List.of("run"), file).command())
                .endsWith("--config", "/srv/serval.toml");
    }

    private static List<String> launched(@Nullable Path file, String... arguments)
            throws IOException {
        return Launch.own(Map.of(Launch.VARIABLE, "serval"), List.of(arguments), file).command();
    }

    @Test
    void withoutLauncherItIsTheCommandOfThisProcess() throws IOException {
        List<String> own = Launch.own(Map.of(), List.of("ignored"), null).command();
        assertThat(own).hasSizeGreaterThan(1).doesNotContain("ignored");
        assertThat(own.getFirst()).endsWith("java");
    }
}
