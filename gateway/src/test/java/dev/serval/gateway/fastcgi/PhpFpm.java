package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.process.ProcessTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The php-fpm of Debian's package on a Unix-domain socket, with a folder of its own. The test is
/// skipped if the package is missing.
final class PhpFpm implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/php-fpm8.2");
    private static final int USUAL_CHILDREN = 5;

    private final TempTree tree;
    private final Path socket;
    private final int children;
    private Process process;

    private PhpFpm(TempTree tree, int children, String more) {
        this.tree = tree;
        this.children = children;
        this.socket = tree.root().resolve("php.sock");
        boolean root = System.getProperty("user.name").equals("root");
        tree.file(
                "fpm.conf",
                """
                [global]
                error_log = %1$s/fpm.log
                daemonize = no
                [www]
                %2$s
                listen = %3$s
                listen.backlog = 128
                pm = static
                pm.max_children = %4$d
                catch_workers_output = yes
                php_admin_value[upload_max_filesize] = 200M
                php_admin_value[post_max_size] = 200M
                php_admin_value[upload_tmp_dir] = %1$s
                %5$s
                """
                        .formatted(
                                tree.root(),
                                root ? "user = root\ngroup = root" : "",
                                socket,
                                children,
                                more));
        this.process = launch();
    }

    static PhpFpm start(TempTree tree) {
        return start(tree, "");
    }

    /// @param more lines of its configuration
    static PhpFpm start(TempTree tree, String more) {
        return start(tree, USUAL_CHILDREN, more);
    }

    /// @param children how many requests it serves at a time
    static PhpFpm start(TempTree tree, int children, String more) {
        assumeThat(PROGRAM)
                .as("needs php-fpm (Debian package php8.2-fpm)")
                .matches(Files::isExecutable);
        return new PhpFpm(tree, children, more);
    }

    private Process launch() {
        try {
            Files.deleteIfExists(socket);
            Process started =
                    new ProcessBuilder(
                                    PROGRAM.toString(),
                                    "-R", // allows root, in a container
                                    "-F",
                                    "-n",
                                    "-y",
                                    tree.root().resolve("fpm.conf").toString())
                            .redirectErrorStream(true)
                            .redirectOutput(tree.root().resolve("out.log").toFile())
                            .start();
            Await.until(
                    "php-fpm has its children",
                    () -> started.children().count() == children || !started.isAlive());
            assertThat(started.isAlive())
                    .as(() -> "php-fpm runs: " + text("out.log") + text("fpm.log"))
                    .isTrue();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String text(String name) {
        try {
            Path file = tree.root().resolve(name);
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    /// Kills it with all its children, and starts it again.
    void restart() {
        ProcessTree.kill(process);
        process = launch();
    }

    String url() {
        return "fastcgi://unix:" + socket;
    }

    @Override
    public void close() {
        ProcessTree.kill(process);
    }
}
