package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChildrenTest {
    @Test
    void stopsAProcessAndItsDescendants() throws Exception {
        try (Children children = new Children(() -> {})) {
            Process shell =
                    children.start(new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; wait"));
            BufferedReader output = shell.inputReader();
            long pid = Long.parseLong(output.readLine());
            CompletableFuture<ProcessHandle> ended = ProcessHandle.of(pid).orElseThrow().onExit();
            children.stop(shell);
            assertThat(shell.isAlive()).isFalse();
            assertThat(ended.get(60, TimeUnit.SECONDS).isAlive()).isFalse();
        }
    }

    @Test
    void stopsAllOnCloseAndStartsNoneAfterwards() throws IOException {
        AtomicInteger afterwards = new AtomicInteger();
        Children children = new Children(afterwards::incrementAndGet);
        Process sleep = children.start(new ProcessBuilder("sleep", "600"));
        children.close();
        assertThat(sleep.isAlive()).isFalse();
        assertThat(afterwards).hasValue(1);
        assertThatThrownBy(() -> children.start(new ProcessBuilder("sleep", "600")))
                .isInstanceOf(IOException.class);
    }
}
