package dev.serval.servlet.scan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// Scans the class files of an application: each origin once, the origins in parallel, and none
/// that the cache knows. No class is loaded.
public final class AnnotationScan {
    private static final Logger LOG = System.getLogger(AnnotationScan.class.getName());

    /// What the constant pool contains of the annotations that declare a component.
    private static final byte[] COMPONENT =
            "Ljakarta/servlet/annotation/Web".getBytes(StandardCharsets.US_ASCII);

    private final Executor executor;
    private final ScanCache cache;
    private final ScanLimits limits;

    /// Creates a scan.
    ///
    /// @param executor runs the scan of each origin
    /// @param cache keeps results
    /// @param limits the limits of files and results
    public AnnotationScan(Executor executor, ScanCache cache, ScanLimits limits) {
        this.executor = executor;
        this.cache = cache;
        this.limits = limits;
    }

    /// Scans all origins.
    ///
    /// @return one result for each origin, in the same order
    /// @throws IOException if an origin cannot be read or has too many classes
    public List<ScanResult> scan(List<? extends ClassFiles> origins) throws IOException {
        List<FutureTask<ScanResult>> tasks = new ArrayList<>();
        for (ClassFiles origin : origins) {
            FutureTask<ScanResult> task = new FutureTask<>(() -> scan(origin));
            tasks.add(task);
            executor.execute(task);
        }
        List<ScanResult> results = new ArrayList<>();
        try {
            for (FutureTask<ScanResult> task : tasks) {
                results.add(result(task));
            }
        } finally {
            for (FutureTask<ScanResult> task : tasks) {
                task.cancel(true);
            }
        }
        return results;
    }

    private static ScanResult result(FutureTask<ScanResult> task) throws IOException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (e.getCause() instanceof UncheckedIOException failure) {
                throw new IOException(String.valueOf(failure.getCause()), failure);
            }
            throw new IllegalStateException("The scan of class files failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("The scan of class files was interrupted", e);
        }
    }

    /// Scans one origin.
    ///
    /// @throws IOException if it cannot be read or has too many classes
    public ScanResult scan(ClassFiles origin) throws IOException {
        @Nullable String hash = origin.contentHash();
        if (hash == null) {
            return read(origin);
        }
        String key = "scan-" + ScanCodec.VERSION + "-" + hash;
        @Nullable ScanResult cached = cached(key);
        if (cached != null) {
            return cached;
        }
        ScanResult result = read(origin);
        keep(key, result);
        return result;
    }

    /// Reads one class of an origin; null if the origin has no such class or it cannot be read.
    public @Nullable ClassFacts classOf(ClassFiles origin, String className) throws IOException {
        byte @Nullable [] bytes =
                origin.file(className.replace('.', '/') + ".class", limits.classMaxBytes() + 1);
        if (bytes == null || bytes.length > limits.classMaxBytes()) {
            return null;
        }
        try {
            return ClassParser.parse(bytes);
        } catch (IllegalArgumentException broken) {
            LOG.log(Level.DEBUG, () -> origin.name() + ": class " + className + " is broken");
            return null;
        }
    }

    private @Nullable ScanResult cached(String key) {
        try {
            byte @Nullable [] bytes = cache.read(key);
            return bytes == null || bytes.length > limits.cachedMaxBytes()
                    ? null
                    : ScanCodec.read(bytes);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "The cached scan " + key + " cannot be used: " + e);
            return null;
        }
    }

    private void keep(String key, ScanResult result) {
        try {
            byte[] bytes = ScanCodec.write(result);
            if (bytes.length <= limits.cachedMaxBytes()) {
                cache.write(key, bytes);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "The scan " + key + " cannot be cached: " + e);
        }
    }

    private ScanResult read(ClassFiles origin) throws IOException {
        List<ClassFacts> classes = new ArrayList<>();
        List<ScanResult.Fault> faults = new ArrayList<>();
        origin.classFiles((path, sizeBytes, content) -> {
            if (!isClass(path)) {
                return;
            }
            if (classes.size() + faults.size() >= limits.classesMax()) {
                throw new IOException(
                        "%s has more than %d classes. Raise the limit or split it."
                                .formatted(origin.name(), limits.classesMax()));
            }
            byte[] bytes = content.read(limits.classMaxBytes() + 1);
            if (bytes.length > limits.classMaxBytes()) {
                faults.add(tooLarge(path, bytes));
                return;
            }
            try {
                classes.add(ClassParser.parse(bytes));
            } catch (IllegalArgumentException broken) {
                faults.add(broken(path, bytes, broken));
            }
        });
        return new ScanResult(classes, faults);
    }

    /// Returns whether the file is a class that an application may use by its name: descriptors of
    /// modules and packages are not, nor are variants of multi-release jars.
    private static boolean isClass(String path) {
        return path.endsWith(".class")
                && !path.startsWith("META-INF/")
                && !path.endsWith("module-info.class")
                && !path.endsWith("package-info.class");
    }

    private ScanResult.Fault tooLarge(String path, byte[] bytes) {
        String reason = "It is larger than " + limits.classMaxBytes() + " bytes.";
        return new ScanResult.Fault(path, reason, Bytes.contain(bytes, COMPONENT));
    }

    private static ScanResult.Fault broken(
            String path, byte[] bytes, IllegalArgumentException broken) {
        @Nullable String message = broken.getMessage();
        int java = bytes.length < 8 ? 0 : ((bytes[6] & 0xff) << 8 | (bytes[7] & 0xff)) - 44;
        int running = Runtime.version().feature();
        String reason =
                java > running
                        ? "It is compiled for Java " + java + ", and this is Java " + running + "."
                        : message == null ? "It is not a class file." : message + ".";
        return new ScanResult.Fault(path, reason, Bytes.contain(bytes, COMPONENT));
    }
}
