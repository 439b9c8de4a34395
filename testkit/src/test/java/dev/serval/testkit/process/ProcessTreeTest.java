package dev.serval.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class ProcessTreeTest {
    /// Starts a process that has a child and never asks for its exit code.
    private static Process parent() throws IOException {
        return new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
    }

    private static ProcessHandle child(Process parent) throws IOException {
        long pid = Long.parseLong(parent.inputReader().readLine());
        return ProcessHandle.of(pid).orElseThrow();
    }

    @Test
    void killsAProcessAndThoseBelowIt() throws Exception {
        Process parent = parent();
        ProcessHandle child = child(parent);
        assertThat(ProcessTree.hasEnded(child)).isFalse();
        ProcessTree.kill(parent);
        assertThat(parent.isAlive()).isFalse();
        assertThat(ProcessTree.hasEnded(child)).isTrue();
    }

    @Test
    void processWhoseExitCodeIsNotAskedForHasEnded() throws Exception {
        assumeThat(Path.of("/proc/self/stat")).as("needs Linux").exists();
        Process parent = parent();
        try {
            ProcessHandle child = child(parent);
            child.destroyForcibly();
            Await.until("the child ends", () -> ProcessTree.hasEnded(child));
            assertThat(child.isAlive()).as("it waits for its parent").isTrue();
        } finally {
            ProcessTree.kill(parent);
        }
    }
}
