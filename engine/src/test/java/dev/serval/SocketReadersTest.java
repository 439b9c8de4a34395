package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.epoll.EpollNetwork;
import dev.serval.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Virtual threads that wait for sockets, which the loops of servers poll.
@Timeout(60)
final class SocketReadersTest {
    @TempDir private Path folder;

    @BeforeEach
    void needsEpoll() {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
    }

    private List<String> lines(int number, String name, String... options) throws IOException {
        ProcessBuilder command = ChildJvm.command(List.of(options), SocketReaders.class, name);
        try (ChildJvm child = ChildJvm.start(command, folder.resolve("errors"))) {
            return child.lines(number);
        }
    }

    @Test
    void workersContinueWithoutAThreadOfTheJdk() throws Exception {
        assertThat(lines(3, "workers", "-Djdk.readPollers=2", "-Djdk.writePollers=1"))
                .containsExactly(
                        "answers 200", "threads of the JDK's scheduler 0", "shares [1, 1, 1]");
    }

    @Test
    void loopsWakeThreadsOfOthersThatReadAndWrite() throws Exception {
        assertThat(lines(4, "others"))
                .containsExactly("read 7", "received 67108864", "written 67108864", "answers 200");
    }

    @Test
    void theJdkKeepsPollersThatItHasStarted() throws Exception {
        assertThat(lines(3, "late")).containsExactly("answers 200", "read 8", "shares [0, 0, 0]");
    }

    @Test
    void pollersOutliveTheirServerAndPassToAnother() throws Exception {
        assertThat(lines(4, "stopped"))
                .containsExactly(
                        "second 200", "after the first 1", "second 200", "third 2 and 200");
    }

    @Test
    void threeLoopsShareFivePollers() throws Exception {
        String[] options = {"-Djdk.readPollers=4", "-Djdk.writePollers=1"};
        assertThat(lines(1, "shares", options)).containsExactly("shares [2, 2, 1]");
        assertThat(lines(4, "stopped", options)).last().isEqualTo("third 2 and 200");
    }

    @Test
    void threadsOfTheSystemKeepPollingIfTheJvmSaysSo() throws Exception {
        assertThat(lines(3, "workers", "-Djdk.pollerMode=1"))
                .containsExactly(
                        "answers 200", "threads of the JDK's scheduler 0", "shares [0, 0, 0]");
    }

    @Test
    void aServerThatPreemptsNoLoopTakesNone() throws Exception {
        assertThat(lines(1, "unkept")).containsExactly("free true beside epoll");
    }
}
