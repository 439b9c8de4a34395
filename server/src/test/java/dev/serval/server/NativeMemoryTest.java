package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Freed memory outside of the heap goes back to the system.
final class NativeMemoryTest {
    private static final int BLOCKS = 2_000;
    private static final int BLOCK_BYTES = 32 << 10; // glibc takes so much from an arena

    @Test
    void returnsWhatWasFreed() throws IOException {
        NativeMemory memory = new NativeMemory();
        Assumptions.assumeTrue(memory.isAvailable(), "needs glibc");
        List<Arena> blocks = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            Arena block = Arena.ofConfined(); // its memory is that of malloc
            MemorySegment _ = block.allocate(BLOCK_BYTES).fill((byte) 1);
            blocks.add(block);
        }
        for (int i = 0; i < BLOCKS - 1; i++) { // the last one keeps the rest from being the end
            blocks.get(i).close();
        }
        long before = residentKilobytes();
        memory.release();
        long after = residentKilobytes();
        blocks.getLast().close();

        assertThat(before - after).isGreaterThan(BLOCKS / 2 * (BLOCK_BYTES >> 10));
    }

    private static long residentKilobytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findAny()
                .orElseThrow();
    }
}
