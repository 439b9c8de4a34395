package dev.serval.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.HandOver;
import dev.serval.ListeningSocket;
import dev.serval.Serval;
import dev.serval.control.Commands;
import dev.serval.net.epoll.EpollNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
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
    private final Noted changes = new Noted();

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

    /// Counts the calls, and runs something in [#resume].
    private static final class Noted implements Upgrade.Changes {
        private final AtomicInteger pauses = new AtomicInteger();
        private final AtomicInteger resumes = new AtomicInteger();
        private Runnable resuming = () -> {};

        @Override
        public void pause() {
            pauses.incrementAndGet();
        }

        @Override
        public void resume() {
            resuming.run();
            resumes.incrementAndGet();
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
            Future<Integer> running = threads.submit(() -> upgrade.carryOut(first, changes));
            entered.await();
            Lines second = new Lines();
            assertThat(upgrade.carryOut(second, changes)).isEqualTo(1);
            assertThat(second.all)
                    .containsExactly(
                            "problem: An upgrade is in progress, or this server is ending.");
            ends.countDown();
            assertThat(running.get()).isEqualTo(1);
            assertThat(first.all)
                    .contains("problem: A successor could not be started: no launcher.");
            assertThat(upgrade.carryOut(new Lines(), changes)).as("another attempt").isEqualTo(1);
            assertThat(successor.get()).isZero();
        }
    }

    /// Otherwise the end of one would allow changes during the next, or that of the next never again.
    @Test
    void changesAreAllowedBeforeAnotherUpgradeBegins() throws Exception {
        try (Serval serval = server()) {
            Upgrade upgrade =
                    upgrade(
                            serval,
                            () -> {
                                throw new IOException("no launcher");
                            });
            Lines other = new Lines();
            changes.resuming =
                    () -> {
                        try {
                            assertThat(upgrade.carryOut(other, changes)).isEqualTo(1);
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    };
            assertThat(upgrade.carryOut(new Lines(), changes)).isEqualTo(1);
            assertThat(other.all)
                    .containsExactly(
                            "problem: An upgrade is in progress, or this server is ending.");
            assertThat(changes.pauses).hasValue(1);
            assertThat(changes.resumes).hasValue(1);
        }
    }

    @Test
    void stopEndsASuccessorThatHasNotTakenOver() throws Exception {
        Path file = folder.resolve("upgrade-" + ProcessHandle.current().pid());
        try (Serval serval = server();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Upgrade upgrade = upgrade(serval, () -> new Launch(List.of("sleep", "60")));
            Lines lines = new Lines();
            Future<Integer> running = threads.submit(() -> upgrade.carryOut(lines, changes));
            try (HandOver taken = HandOver.take(file, Duration.ofSeconds(30))) {
                taken.sockets().forEach(ListeningSocket::close);
                ProcessHandle process =
                        ProcessHandle.current().children().findFirst().orElseThrow();
                assertThat(upgrade.stop()).isZero();
                process.onExit().get();
                taken.confirm(); // as one does that was just ready
            }
            assertThat(running.get()).isEqualTo(1);
            assertThat(lines.all)
                    .last()
                    .isEqualTo("problem: The successor was ended, because this server is ending.");
            assertThat(successor.get()).isZero();
            Lines later = new Lines();
            assertThat(upgrade.carryOut(later, changes)).isEqualTo(1);
            assertThat(later.all)
                    .last()
                    .isEqualTo("problem: The successor was ended, because this server is ending.");
        }
    }

    @Test
    void programThatIsMissingOrEndsIsNamed() throws Exception {
        try (Serval serval = server()) {
            Lines missing = new Lines();
            Launch none = new Launch(List.of("/nonexistent/serval"));
            assertThat(upgrade(serval, () -> none).carryOut(missing, changes)).isEqualTo(1);
            assertThat(missing.all).anyMatch(line -> line.contains("/nonexistent/serval"));
            Lines ended = new Lines();
            Launch ends = new Launch(List.of("sh", "-c", "exit 9"));
            assertThat(upgrade(serval, () -> ends).carryOut(ended, changes)).isEqualTo(1);
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
            assertThat(upgrade(serval, launching).carryOut(lines, changes)).isEqualTo(1);
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
