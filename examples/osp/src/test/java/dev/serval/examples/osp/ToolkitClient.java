package dev.serval.examples.osp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.examples.osp.call.TokenKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;

/// The real client: examples/osp/client/osp_client.c over Debian's OSP toolkit. Tests that use it
/// are skipped on machines without a compiler or the toolkit.
final class ToolkitClient {
    private static final Path SOURCES = Path.of("client");
    private static final Path HEADER = Path.of("/usr/include/osp/osptransapi.h");
    private static final long PATIENCE_SECONDS = 60;

    private final Path folder;

    private ToolkitClient(Path folder) {
        this.folder = folder;
    }

    /// What the program printed, and its exit code.
    record Run(int exit, String out) {}

    /// Compiles the client into a folder and makes the keys that it needs.
    static ToolkitClient compile(Path folder) throws IOException, InterruptedException {
        return compile(folder, "osp_client");
    }

    /// Compiles a program of the client folder and makes the keys that it needs.
    static ToolkitClient compile(Path folder, String program)
            throws IOException, InterruptedException {
        assumeTrue(installed("cc"), "needs cc (Debian package gcc)");
        assumeTrue(Files.exists(HEADER), "needs osptk (Debian package libosptk-dev)");
        TokenKey key =
                TokenKey.open(
                        folder.resolve("client"),
                        TokenKey.Kind.RSA,
                        new SecureRandom(),
                        Instant.now());
        byte[] pkcs1 =
                PrivateKeyInfo.getInstance(key.privateKey().getEncoded())
                        .parsePrivateKey()
                        .toASN1Primitive()
                        .getEncoded();
        Files.write(folder.resolve("key.der"), pkcs1);
        Files.write(folder.resolve("certificate.der"), key.holder().getEncoded());
        Run compiled =
                run(
                        "cc",
                        "-Wall",
                        "-Wextra",
                        "-Werror",
                        "-o",
                        folder.resolve(program).toString(),
                        SOURCES.resolve(program + ".c").toString(),
                        "-losptk");
        if (compiled.exit != 0) {
            throw new AssertionError(compiled.out);
        }
        return new ToolkitClient(folder);
    }

    /// Makes one call.
    Run call(String url, String calling, String called) throws IOException, InterruptedException {
        return run(
                folder.resolve("osp_client").toString(),
                url,
                folder.resolve("key.der").toString(),
                folder.resolve("certificate.der").toString(),
                folder.resolve("certificate.der").toString(),
                calling,
                called);
    }

    /// Lets `osp_signed` read one file and write another one.
    ///
    /// @param arguments what to do, the file to read, the file to write, and the type of what is read
    Run signed(Path authority, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                folder.resolve("osp_signed").toString(),
                                folder.resolve("key.der").toString(),
                                folder.resolve("certificate.der").toString(),
                                authority.toString()));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    private static Run run(String... command) throws IOException, InterruptedException {
        Path out = Files.createTempFile("osp", ".out");
        try {
            Process process =
                    new ProcessBuilder(new ArrayList<>(List.of(command)))
                            .redirectErrorStream(true)
                            .redirectOutput(out.toFile())
                            .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("did not end:\n" + Files.readString(out));
            }
            return new Run(process.exitValue(), Files.readString(out));
        } finally {
            Files.delete(out);
        }
    }

    private static boolean installed(String program) {
        for (String path : System.getenv("PATH").split(":", -1)) {
            if (Files.isExecutable(Path.of(path, program))) {
                return true;
            }
        }
        return false;
    }
}
