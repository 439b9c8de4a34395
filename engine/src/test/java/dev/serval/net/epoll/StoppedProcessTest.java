package dev.serval.net.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Stops this process while it polls, as `docker pause` does, and lets it continue.
@Timeout(60)
final class StoppedProcessTest {
    @TempDir private Path folder;

    /// The system ends the wait without an event. Deadlines would come before what has arrived.
    @Test
    void whatHasComeMeanwhileIsFoundAtOnce() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
        String pipe = folder.resolve("pipe").toString();
        assertThat(shell("mkfifo $0", pipe).waitFor()).isZero();
        AtomicBoolean found = new AtomicBoolean();
        try (RandomAccessFile file = new RandomAccessFile(pipe, "rw");
                FileChannel both = file.getChannel()) {
            EpollNetwork network = new EpollNetwork();
            network.watch(FileDescriptors.of(both), () -> found.set(true));

            // It counts first, so that the poll most probably waits. If it does not, it finds the
            // byte, too.
            String script =
                    "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done;"
                            + " trap 'kill -CONT $0' EXIT; kill -STOP $0;"
                            + " while cat /proc/$0/task/*/status | grep ^State | grep -qv stopped;"
                            + " do :; done; echo x >$1";
            Process other = shell(script, Long.toString(ProcessHandle.current().pid()), pipe);
            network.poll(Long.MAX_VALUE);
            network.dispatch(() -> false);

            assertThat(found).isTrue();
            assertThat(other.waitFor()).isZero();
            network.close();
        }
    }

    private static Process shell(String script, String... arguments) throws IOException {
        ProcessBuilder shell = new ProcessBuilder();
        shell.command().addAll(List.of("sh", "-c", script));
        shell.command().addAll(List.of(arguments));
        return shell.start();
    }
}
