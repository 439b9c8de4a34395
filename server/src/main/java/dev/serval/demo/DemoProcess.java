package dev.serval.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One process that serves `/demo`. Its keeper waits for it on one thread, and another thread may
/// tell it to leave.
final class DemoProcess implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DemoProcess.class.getName());
    private static final long LEAVE_SECONDS = 5;

    private final Process process;
    private volatile boolean registered;

    private DemoProcess(Process process) {
        this.process = process;
    }

    /// Starts the process: a small JVM of the same JDK, from the server's class path. It gets the
    /// passphrase by its standard input, because other users can read its arguments.
    ///
    /// @param agent where it dials in
    static DemoProcess start(
            Path javaHome, String classPath, InetSocketAddress agent, String passphrase)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        List.of(
                                javaHome.resolve("bin/java").toString(),
                                "-Xms8m",
                                "-Xmx32m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:ActiveProcessorCount=1",
                                "-XX:-UsePerfData",
                                "-Djava.util.logging.SimpleFormatter.format=%5$s%n",
                                "-cp",
                                classPath,
                                DemoPeer.class.getName(),
                                agent.getAddress().getHostAddress(),
                                Integer.toString(agent.getPort())));
        DemoProcess demo = new DemoProcess(builder.redirectErrorStream(true).start());
        byte[] line = (passphrase + "\n").getBytes(StandardCharsets.US_ASCII);
        try {
            demo.process.getOutputStream().write(line);
            demo.process.getOutputStream().flush();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the demo ended before it read its passphrase", e);
        }
        return demo;
    }

    long pid() {
        return process.pid();
    }

    /// Reads what it prints until it ends.
    ///
    /// @param whenRegistered is run when its connections have registered
    /// @return its last complaint; empty if it printed none
    String follow(Runnable whenRegistered) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String complaint = "";
        for (@Nullable String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.equals(DemoPeer.REGISTERED)) {
                registered = true;
                whenRegistered.run();
                complaint = ""; // what was printed before has no consequence any more
            } else if (!line.startsWith("\t")) { // a tab begins a line of a stack trace
                complaint = line;
            }
        }
        return complaint;
    }

    /// Waits for its end.
    ///
    /// @return the exit code
    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    /// Tells it to answer the requests in progress and to end. Ends it at once if it has not
    /// registered: it has no requests, and would try to dial in for half a minute. Does not wait.
    void leave() {
        if (!registered) {
            process.destroyForcibly();
        }
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing the input of the demo", e);
        }
    }

    /// Tells it to end, and kills it after 5 s.
    @Override
    public void close() {
        leave();
        try {
            if (!process.waitFor(LEAVE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
