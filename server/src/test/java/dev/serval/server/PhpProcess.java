package dev.serval.server;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.process.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The php-fpm of Debian's package on a socket in a folder of a test. The test is skipped if the
/// package is missing.
final class PhpProcess implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/php-fpm8.2");
    private static final int CHILDREN = 3;

    private final Path socket;
    private final Process process;

    private PhpProcess(Path socket, Process process) {
        this.socket = socket;
        this.process = process;
    }

    static PhpProcess start(Path folder) throws IOException {
        assumeThat(PROGRAM)
                .as("needs php-fpm (Debian package php8.2-fpm)")
                .matches(Files::isExecutable);
        Path socket = folder.resolve("php.sock");
        boolean root = System.getProperty("user.name").equals("root");
        Path config =
                Files.writeString(
                        folder.resolve("fpm.conf"),
                        """
                        [global]
                        error_log = %1$s/fpm.log
                        daemonize = no
                        [www]
                        %2$s
                        listen = %3$s
                        pm = static
                        pm.max_children = %4$d
                        """
                                .formatted(
                                        folder,
                                        root ? "user = root\ngroup = root" : "",
                                        socket,
                                        CHILDREN));
        Process process =
                new ProcessBuilder(PROGRAM.toString(), "-R", "-F", "-y", config.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("fpm.out").toFile())
                        .start();
        Await.until(
                "php-fpm has its children",
                () -> process.children().count() == CHILDREN || !process.isAlive());
        return new PhpProcess(socket, process);
    }

    Path socket() {
        return socket;
    }

    @Override
    public void close() {
        ProcessTree.kill(process);
    }
}
