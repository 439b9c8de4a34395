package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcTest {
    @TempDir Path root;
    private Proc proc;

    @BeforeEach
    void makeProc() {
        proc = new Proc(root);
    }

    @Test
    void parsesNameWithBracketsAndBlanks() {
        Proc.Stat stat = Proc.Stat.parse(stat(42, "a) S 1 (b", 7, "56 242 3 4"));
        assertThat(stat).isEqualTo(new Proc.Stat(42, 7, 56 + 242 + 3 + 4));
    }

    @Test
    void sumsOnlyATreeWithItsEndedChildren() throws IOException {
        process(10, 1, "1 2 0 0");
        process(11, 10, "10 20 30 40");
        process(12, 11, "100 0 0 0");
        process(13, 1, "1000 0 0 0");
        assertThat(proc.treeCpuNanos(10)).isEqualTo((3 + 100 + 100) * 10_000_000L);
    }

    @Test
    void endedRootOfATreeIsAnError() throws IOException {
        process(11, 10, "1 1 1 1");
        assertThatThrownBy(() -> proc.treeCpuNanos(10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("10 has ended");
    }

    @Test
    void readsTheTimeOfEachThread() throws IOException {
        write("10/task/10/schedstat", "1500 20 3\n");
        write("10/task/12/schedstat", "7 0 1\n");
        write("11/task/11/schedstat", "9 0 1\n");
        assertThat(proc.threadCpuNanos(10)).isEqualTo(Map.of(10L, 1500L, 12L, 7L));
    }

    @Test
    void missingThreadTimesAreAnError() throws IOException {
        write("10/task/10/stat", "");
        assertThatThrownBy(() -> proc.threadCpuNanos(10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no time of the threads of process 10");
    }

    @Test
    void sumsIdleAndIoWaitOnlyOfGivenCpus() throws IOException {
        write(
                "stat",
                """
                cpu  9 9 9 999 9 9 9 9 0 0
                cpu0 9772 0 1695 300 31 0 17 22 0 0
                cpu1 1 1 1 5000 1 1 1 1 0 0
                cpu10 1 1 1 7000 1 1 1 1 0 0
                intr 1 2 3
                """);
        assertThat(proc.idleNanos(Set.of(0))).isEqualTo(331 * 10_000_000L);
        assertThat(proc.idleNanos(Set.of(0, 10))).isEqualTo((331 + 7001) * 10_000_000L);
    }

    @Test
    void readsResidentMemoryInBytes() throws IOException {
        write("5/status", "Name:\tx\nVmHWM:\t  2048 kB\nVmRSS:\t   1024 kB\n");
        assertThat(proc.statusBytes(5, "VmRSS")).isEqualTo(1024 * 1024);
        assertThatThrownBy(() -> proc.statusBytes(5, "VmSwap")).isInstanceOf(IOException.class);
    }

    @Test
    void parsesCpuLists() {
        assertThat(Proc.parseCpuList("0-2,5")).containsExactly(0, 1, 2, 5);
        assertThat(Proc.parseCpuList("3")).containsExactly(3);
    }

    @Test
    void readsTheSoftLimitOfDescriptors() throws IOException {
        write(
                "self/limits",
                """
                Limit                     Soft Limit           Hard Limit           Units
                Max open files            1024                 20000                files
                """);
        assertThat(proc.descriptorsMax()).isEqualTo(1024);
        write(
                "7/limits",
                "Max open files            512                 20000                files\n");
        assertThat(proc.descriptorsMax(7)).isEqualTo(512);
    }

    @Test
    void countsTheDescriptorsOfTheProcessWithTheMost() throws IOException {
        process(10, 1, "1 2 0 0");
        process(11, 10, "1 2 0 0");
        process(12, 1, "1 2 0 0");
        write("10/fd/0", "");
        write("11/fd/0", "");
        write("11/fd/1", "");
        write("12/fd/0", "");
        write("12/fd/1", "");
        write("12/fd/2", "");
        assertThat(proc.descriptors(10)).isEqualTo(2);
    }

    @Test
    void sumsTheMemoryOfATree() throws IOException {
        process(10, 1, "1 2 0 0");
        process(11, 10, "1 2 0 0");
        process(12, 1, "1 2 0 0");
        for (int pid = 10; pid <= 12; pid++) {
            write(
                    pid + "/status",
                    "VmRSS:\t  %d kB\nRssAnon:\t  %d kB\n".formatted(100 * pid, pid));
        }
        assertThat(proc.treeBytes(10, "RssAnon")).isEqualTo(21 * 1024);
        assertThat(proc.treeBytes(12, "VmRSS")).isEqualTo(1200 * 1024);
    }

    @Test
    void readsThisMachine() throws IOException {
        Proc real = new Proc(Path.of("/proc"));
        assertThat(real.treeCpuNanos(ProcessHandle.current().pid())).isPositive();
        assertThat(real.allowedCpus()).isNotEmpty();
        assertThat(real.idleNanos(real.allowedCpus())).isPositive();
        assertThat(real.memoryMegabytes()).isPositive();
        assertThat(real.cpuModel()).isNotEmpty();
        assertThat(real.kernel()).isNotEmpty();
    }

    private void process(long pid, long parent, String times) throws IOException {
        write(pid + "/stat", stat(pid, "name", parent, times));
    }

    private static String stat(long pid, String name, long parent, String times) {
        return pid
                + " ("
                + name
                + ") S "
                + parent
                + " 1 1 0 -1 4194624 1858 0 1 0 "
                + times
                + " 20 0 1 0 192552 18886656 2701\n";
    }

    private void write(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
