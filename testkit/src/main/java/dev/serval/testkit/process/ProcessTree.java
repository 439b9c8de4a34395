package dev.serval.testkit.process;

import dev.serval.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A process that a test started, with all processes below it. Stateless.
public final class ProcessTree {
    private ProcessTree() {}

    /// Kills a process and all below it, and waits until each has ended, so that none holds a socket or
    /// a file. The process ends first: it would replace a child that ends.
    public static void kill(Process process) {
        List<ProcessHandle> below = process.descendants().toList();
        process.destroyForcibly();
        Process _ = process.onExit().join();
        below.forEach(ProcessHandle::destroyForcibly);
        below.forEach(each -> Await.until(each.pid() + " ends", () -> hasEnded(each)));
    }

    /// Returns whether a process has ended. [ProcessHandle#isAlive] says so only after its parent has
    /// asked for its exit code. That takes seconds for an orphan if process 1 asks only now and then.
    public static boolean hasEnded(ProcessHandle process) {
        Path file = Path.of("/proc", Long.toString(process.pid()), "stat");
        try {
            String line = Files.readString(file, StandardCharsets.ISO_8859_1);
            // PID (NAME) STATE …, and a name may have parentheses.
            char state = line.charAt(line.lastIndexOf(')') + 2);
            return state == 'Z' || state == 'X';
        } catch (IOException e) {
            return !process.isAlive(); // it ended in the meantime, or the system has no such file
        }
    }
}
