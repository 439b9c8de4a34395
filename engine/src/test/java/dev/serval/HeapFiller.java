package dev.serval;

import dev.serval.blocking.BlockingHandler;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.policy.Counter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A server whose application code fills the heap, keeps it full for a second, and releases it.
/// [HeapExhaustionTest] runs it in a separate JVM. It ends when its input ends.
final class HeapFiller {
    private static final long FULL_NANOS = 1_000_000_000;

    private final @Nullable Object[] roots = new @Nullable Object[1];

    private HeapFiller() {}

    /// Starts the server and prints its port.
    public static void main(String[] arguments) throws IOException {
        HeapFiller filler = new HeapFiller();
        Serval server =
                Serval.builder()
                        .listen(0)
                        .loops(2)
                        .onFatal(() -> Runtime.getRuntime().halt(70))
                        .mount("/", Folder.of(Path.of(arguments[0])))
                        .mount("/fill", worker(filler))
                        .start();
        System.out.println(((InetSocketAddress) server.addresses().getFirst()).getPort());
        System.out.flush();
        while (System.in.read() >= 0) {
            System.out.println(
                    server.metrics().sum(Counter.ERRORS)
                            + " "
                            + Thread.getAllStackTraces().keySet().stream()
                                    .map(Thread::getName)
                                    .filter(name -> name.startsWith("serval-"))
                                    .collect(Collectors.joining(" ")));
            System.out.flush();
        }
        server.close();
    }

    private static Handler worker(HeapFiller filler) {
        return BlockingHandler.on(
                ExecutorKind.WORKER,
                x -> {
                    filler.fill();
                    x.output().write("released".getBytes(StandardCharsets.US_ASCII));
                });
    }

    /// Links blocks of decreasing sizes, so that no other thread can allocate.
    private void fill() {
        long until = System.nanoTime() + FULL_NANOS;
        try {
            while (System.nanoTime() - until < 0) {
                for (int bytes = 1 << 16; bytes >= 16; bytes /= 4) {
                    fill(bytes, until);
                }
            }
        } finally {
            roots[0] = null;
        }
    }

    private void fill(int bytes, long until) {
        try {
            while (System.nanoTime() - until < 0) {
                roots[0] = new @Nullable Object[] {roots[0], new byte[bytes]};
            }
        } catch (OutOfMemoryError e) {
            // The heap is full for blocks of that size.
        }
    }
}
