package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the kernel's counters from `/proc`. Stateless.
///
/// @param root `/proc`, or a copy for tests
public record Proc(Path root) {
    /// A tick in `/proc` is a hundredth of a second on every Linux, whatever the kernel's own is.
    private static final long NANOS_PER_TICK = 10_000_000;

    /// The counters of one process, from its `stat`.
    ///
    /// @param ticks user and system time of the process and of its ended children that it waited
    ///     for
    record Stat(long pid, long parent, long ticks) {
        /// Parses a line. The name may hold blanks and brackets, so fields are counted from the
        /// last `)`.
        static Stat parse(String line) {
            int open = line.indexOf('(');
            int close = line.lastIndexOf(')');
            String[] rest = line.substring(close + 2).split(" ", -1);
            long ticks = 0;
            // Fields 14 to 17 of proc(5): utime, stime, cutime, cstime; rest begins with field 3.
            for (int field = 14; field <= 17; field++) {
                ticks += Long.parseLong(rest[field - 3]);
            }
            return new Stat(
                    Long.parseLong(line.substring(0, open).trim()), Long.parseLong(rest[1]), ticks);
        }
    }

    /// Returns the CPU time so far of a process and all its descendants, in nanoseconds. The time
    /// of an ended child counts for its parent after the parent has waited for it. Therefore the
    /// difference of two results is right as long as the root process lives.
    public long treeCpuNanos(long rootPid) throws IOException {
        List<Stat> tree = tree(rootPid);
        if (tree.isEmpty()) {
            throw new IOException("process " + rootPid + " has ended");
        }
        return NANOS_PER_TICK * tree.stream().mapToLong(Stat::ticks).sum();
    }

    /// Returns a process and all its descendants, or nothing if the process has ended.
    private List<Stat> tree(long rootPid) throws IOException {
        Map<Long, Stat> all = new HashMap<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, "[0-9]*")) {
            for (Path folder : folders) {
                String stat = readIfThere(folder.resolve("stat"));
                if (!stat.isEmpty()) {
                    Stat process = Stat.parse(stat);
                    all.put(process.pid(), process);
                }
            }
        }
        return all.values().stream().filter(one -> descends(one, rootPid, all)).toList();
    }

    /// Returns the CPU time so far of each thread of a process, in nanoseconds, by thread ID. It is
    /// more exact than the kernel's ticks, so that it also shows the CPU time of an idle process.
    public Map<Long, Long> threadCpuNanos(long pid) throws IOException {
        Map<Long, Long> nanos = new HashMap<>();
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(folder(pid).resolve("task"))) {
            for (Path thread : threads) {
                String statistics = readIfThere(thread.resolve("schedstat"));
                if (!statistics.isEmpty()) {
                    nanos.put(
                            Long.parseLong(thread.getFileName().toString()),
                            Long.parseLong(statistics.substring(0, statistics.indexOf(' '))));
                }
            }
        }
        if (nanos.isEmpty()) {
            throw new IOException("the kernel counts no time of the threads of process " + pid);
        }
        return nanos;
    }

    private static boolean descends(Stat process, long rootPid, Map<Long, Stat> all) {
        Stat at = process;
        // Bounded, because readings of different moments could form a cycle.
        for (int depth = 0; at != null && depth < 1000; depth++) {
            if (at.pid() == rootPid) {
                return true;
            }
            at = all.get(at.parent());
        }
        return false;
    }

    /// Returns the idle time so far of these CPUs, in nanoseconds, summed. The kernel measures idle
    /// time by the clock and samples busy time. Therefore wall time less idle time is the more
    /// exact busy time.
    public long idleNanos(Set<Integer> cpus) throws IOException {
        long ticks = 0;
        for (String line : Files.readAllLines(root.resolve("stat"))) {
            String[] fields = line.split(" +", -1);
            if (fields[0].matches("cpu[0-9]+")
                    && cpus.contains(Integer.parseInt(fields[0].substring(3)))) {
                // proc(5): user nice system idle iowait …
                ticks += Long.parseLong(fields[4]) + Long.parseLong(fields[5]);
            }
        }
        return ticks * NANOS_PER_TICK;
    }

    /// Returns a line of `/proc/PID/status` such as `VmRSS` or `VmHWM` in bytes.
    public long statusBytes(long pid, String name) throws IOException {
        Pattern line = Pattern.compile("^" + name + ":\\s+(\\d+) kB$", Pattern.MULTILINE);
        Matcher found = line.matcher(Files.readString(folder(pid).resolve("status")));
        if (!found.find()) {
            throw new IOException("no " + name + " in the status of process " + pid);
        }
        return Long.parseLong(found.group(1)) * 1024;
    }

    /// Returns the sum of such lines of all processes of a tree. Memory that processes share counts
    /// for each of them.
    public long treeBytes(long rootPid, String name) throws IOException {
        long sum = 0;
        for (Stat process : tree(rootPid)) {
            sum += statusBytes(process.pid(), name);
        }
        return sum;
    }

    /// Returns the CPUs that this process may use.
    public Set<Integer> allowedCpus() throws IOException {
        return after("Cpus_allowed_list:", "self/status")
                .map(Proc::parseCpuList)
                .orElseThrow(() -> new IOException("no Cpus_allowed_list in /proc/self/status"));
    }

    /// Returns what follows the first of these words that begins a line of a file.
    private Optional<String> after(String words, String file) throws IOException {
        return Files.readAllLines(root.resolve(file)).stream()
                .filter(line -> line.startsWith(words))
                .map(line -> line.substring(words.length()).trim())
                .findFirst();
    }

    /// Parses a list such as `0-3,8`.
    static Set<Integer> parseCpuList(String list) {
        Set<Integer> cpus = new TreeSet<>();
        for (String part : list.split(",", -1)) {
            String[] ends = part.split("-", -1);
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int cpu = first; cpu <= last; cpu++) {
                cpus.add(cpu);
            }
        }
        return cpus;
    }

    /// Returns how many descriptors this process may have open at the same time.
    public int descriptorsMax() throws IOException {
        return descriptorsMax("self");
    }

    /// Returns how many descriptors a process may have open at the same time.
    public int descriptorsMax(long pid) throws IOException {
        return descriptorsMax(String.valueOf(pid));
    }

    private int descriptorsMax(String process) throws IOException {
        String file = process + "/limits";
        String soft =
                after("Max open files", file)
                        .orElseThrow(() -> new IOException("no 'Max open files' in /proc/" + file))
                        .split(" +", -1)[0];
        return soft.equals("unlimited") ? Integer.MAX_VALUE : Integer.parseInt(soft);
    }

    /// Returns the most descriptors that a process of this tree has open now.
    public int descriptors(long rootPid) throws IOException {
        int most = 0;
        for (Stat process : tree(rootPid)) {
            most = Math.max(most, names(folder(process.pid()).resolve("fd")));
        }
        return most;
    }

    /// Returns the number of names in a folder, or 0 if its process has ended.
    private static int names(Path folder) {
        String[] names = folder.toFile().list();
        return names == null ? 0 : names.length;
    }

    /// Returns the model of the first CPU, or `unknown`.
    public String cpuModel() throws IOException {
        return first("cpuinfo", "model name");
    }

    /// Returns the memory of the machine in MiB.
    public long memoryMegabytes() throws IOException {
        return Long.parseLong(first("meminfo", "MemTotal").split(" ", -1)[0]) / 1024;
    }

    /// Returns the release of the kernel.
    public String kernel() throws IOException {
        return Files.readString(root.resolve("sys/kernel/osrelease")).trim();
    }

    private String first(String file, String name) throws IOException {
        return after(name, file)
                .map(rest -> rest.substring(rest.indexOf(':') + 1).trim())
                .orElse("unknown");
    }

    private Path folder(long pid) {
        return root.resolve(String.valueOf(pid));
    }

    /// Returns the file's text, or an empty text if the process has ended since it was listed.
    private static String readIfThere(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            // The kernel returns ESRCH if the process ends while the file is open.
            if (Files.exists(file)) {
                throw e;
            }
            return "";
        }
    }
}
