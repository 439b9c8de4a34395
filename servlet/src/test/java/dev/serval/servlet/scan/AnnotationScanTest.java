package dev.serval.servlet.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.assembly.FakeJar;
import jakarta.servlet.annotation.WebInitParam;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The scan of class files: what is found, skipped, cached and refused.
final class AnnotationScanTest {
    private static final ScanLimits LIMITS = new ScanLimits(100_000, 10, 100_000);

    @WebServlet(
            urlPatterns = {"/a", "/b"},
            loadOnStartup = 2,
            initParams = @WebInitParam(name = "n", value = "v"))
    static final class Annotated extends HttpServlet implements Runnable {
        private static final long serialVersionUID = 1;

        @Deprecated int field;

        @FuzzMark
        @Override
        public void run() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface FuzzMark {}

    /// A cache in memory.
    private static final class MemoryCache implements ScanCache {
        private final Map<String, byte[]> values = new HashMap<>();
        private boolean broken;

        @Override
        public byte @Nullable [] read(String key) throws IOException {
            if (broken) {
                throw new IOException("broken");
            }
            return values.get(key);
        }

        @Override
        public void write(String key, byte[] value) throws IOException {
            if (broken) {
                throw new IOException("broken");
            }
            values.put(key, value);
        }
    }

    @Test
    void findsWhatAClassSays() throws IOException {
        ScanResult result = scan(new FakeJar("x.jar").with(Annotated.class));

        ClassFacts facts = result.classes().getFirst();
        assertThat(result.faults()).isEmpty();
        assertThat(facts.name()).isEqualTo(Annotated.class.getName());
        assertThat(facts.superName()).isEqualTo("jakarta.servlet.http.HttpServlet");
        assertThat(facts.interfaces()).containsExactly("java.lang.Runnable");
        assertThat(facts.annotationTypes())
                .containsExactlyInAnyOrder(
                        "jakarta.servlet.annotation.WebServlet",
                        "java.lang.Deprecated",
                        FuzzMark.class.getName());
        assertThat(facts.isIncomplete()).isFalse();
        assertThat(facts.annotations()).hasSize(1);
        AnnotationFacts annotation = facts.annotations().getFirst();
        assertThat(annotation.texts("urlPatterns")).containsExactly("/a", "/b");
        assertThat(annotation.text("loadOnStartup", "-1")).isEqualTo("2");
        assertThat(annotation.text("name", "absent")).isEqualTo("absent");
        assertThat(annotation.annotations("initParams"))
                .singleElement()
                .satisfies(param -> assertThat(param.text("value")).isEqualTo("v"));
    }

    @Test
    void knowsInterfacesAndAnnotationsAsIncomplete() throws IOException {
        ScanResult result = scan(new FakeJar("x.jar").with(FuzzMark.class));

        assertThat(result.classes().getFirst().isIncomplete()).isTrue();
    }

    @Test
    void failureOfTheDiskIsAnIoExceptionHoweverItArrives() {
        AnnotationScan scan = new AnnotationScan(Runnable::run, new MemoryCache(), LIMITS);
        ClassFiles unreadable =
                new ClassFiles() {
                    @Override
                    public String name() {
                        return "x";
                    }

                    @Override
                    public @Nullable String contentHash() {
                        return null;
                    }

                    @Override
                    public void classFiles(Visitor visitor) {
                        throw new UncheckedIOException(new IOException("denied"));
                    }

                    @Override
                    public byte @Nullable [] file(String path, int maxBytes) {
                        return null;
                    }
                };
        assertThatThrownBy(() -> scan.scan(List.of(unreadable)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("denied");
    }

    @Test
    void skipsWhatIsNoClassOfTheApplication() throws IOException {
        byte[] bytes = {1};
        ScanResult result =
                scan(
                        new FakeJar("x.jar")
                                .with("module-info.class", bytes)
                                .with("a/package-info.class", bytes)
                                .with("META-INF/versions/21/A.class", bytes)
                                .with("a/text.txt", bytes));

        assertThat(result.classes()).isEmpty();
        assertThat(result.faults()).isEmpty();
    }

    @Test
    void reportsClassAboveLimit() throws IOException {
        FakeJar jar = new FakeJar("x.jar").with(Annotated.class);
        String path = Annotated.class.getName().replace('.', '/') + ".class";
        int sizeBytes = bytes(jar, path).length;

        assertThat(scan(jar, new ScanLimits(sizeBytes, 10, 0)).classes()).hasSize(1);
        ScanResult tooLarge = scan(jar, new ScanLimits(sizeBytes - 1, 10, 0));
        assertThat(tooLarge.classes()).isEmpty();
        assertThat(tooLarge.faults())
                .containsExactly(
                        new ScanResult.Fault(
                                path, "It is larger than " + (sizeBytes - 1) + " bytes.", true));
    }

    @Test
    void refusesClassesAboveLimit() throws IOException {
        FakeJar jar = new FakeJar("x.jar");
        for (int i = 0; i < 10; i++) {
            jar.with("C" + i + ".class", new byte[] {1});
        }
        assertThat(scan(jar).faults()).hasSize(10);

        jar.with("C10.class", new byte[] {1});
        assertThatThrownBy(() -> scan(jar))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("x.jar has more than 10 classes");
    }

    @Test
    void reportsBrokenClassAndReadsTheOthers() throws IOException {
        byte[] whole =
                bytes(
                        new FakeJar("y.jar").with(Annotated.class),
                        Annotated.class.getName().replace('.', '/') + ".class");
        ScanResult result =
                scan(
                        new FakeJar("x.jar")
                                .with("Cut.class", Arrays.copyOf(whole, whole.length / 2))
                                .with("Empty.class", new byte[0])
                                .with(Annotated.class));

        assertThat(result.classes()).hasSize(1);
        assertThat(result.faults())
                .extracting(ScanResult.Fault::path)
                .containsExactly("Cut.class", "Empty.class");
        assertThat(result.faults())
                .extracting(ScanResult.Fault::annotated)
                .containsExactly(true, false);
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 30_000})
    void reportsAnnotationsNestedTooDeeply(int levels) throws Exception {
        FutureTask<byte[]> deep = new FutureTask<>(() -> nested(levels));
        // The JDK writes nested values by recursion, as it reads them.
        new Thread(null, deep, "writer", 1L << 30).start();

        ScanResult result = scan(new FakeJar("x.jar").with("Deep.class", deep.get()));

        assertThat(result.classes()).isEmpty();
        assertThat(result.faults())
                .containsExactly(
                        new ScanResult.Fault(
                                "Deep.class", "Its annotations are nested too deeply.", true));
    }

    private static byte[] nested(int levels) {
        AnnotationValue value = AnnotationValue.ofString("x");
        for (int i = 1; i < levels; i++) {
            value = AnnotationValue.ofArray(value);
        }
        Annotation annotation =
                Annotation.of(
                        ClassDesc.of("jakarta.servlet.annotation.WebServlet"),
                        AnnotationElement.of("value", value));
        return ClassFile.of()
                .build(
                        ClassDesc.of("Deep"),
                        builder -> builder.with(RuntimeVisibleAnnotationsAttribute.of(annotation)));
    }

    @Test
    void asksTheCacheByContent() throws IOException {
        MemoryCache cache = new MemoryCache();
        AnnotationScan scan = new AnnotationScan(Runnable::run, cache, LIMITS);
        FakeJar jar = new FakeJar("x.jar").with(Annotated.class).hashed("abc");

        ScanResult first = scan.scan(jar);
        assertThat(scan.scan(jar)).isEqualTo(first);
        assertThat(jar.visits()).isEqualTo(1);
        assertThat(cache.values).containsOnlyKeys("scan-" + ScanCodec.VERSION + "-abc");

        scan.scan(jar.hashed("def"));
        assertThat(jar.visits()).isEqualTo(2);
    }

    @Test
    void scansAgainIfTheCacheFails() throws IOException {
        MemoryCache cache = new MemoryCache();
        AnnotationScan scan = new AnnotationScan(Runnable::run, cache, LIMITS);
        FakeJar jar = new FakeJar("x.jar").with(Annotated.class).hashed("abc");
        ScanResult first = scan.scan(jar);

        cache.values.replaceAll((key, value) -> new byte[] {1, 2, 3});
        assertThat(scan.scan(jar)).isEqualTo(first);
        cache.broken = true;
        assertThat(scan.scan(jar)).isEqualTo(first);
        assertThat(jar.visits()).isEqualTo(3);
    }

    @Test
    @Timeout(60)
    void scansOriginsInParallelAndKeepsTheirOrder() throws IOException {
        CyclicBarrier barrier = new CyclicBarrier(3);
        List<ClassFiles> origins = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            origins.add(new Meeting(new FakeJar(name).with(name + ".class", new byte[0]), barrier));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<ScanResult> results =
                    new AnnotationScan(threads, ScanCache.NONE, LIMITS).scan(origins);

            assertThat(results)
                    .extracting(result -> result.faults().getFirst().path())
                    .containsExactly("a.class", "b.class", "c.class");
        }
    }

    @Test
    void passesOnThatAnOriginCannotBeRead() {
        ClassFiles unreadable =
                new Meeting(new FakeJar("x.jar"), null) {
                    @Override
                    public void classFiles(Visitor visitor) throws IOException {
                        throw new IOException("x.jar is no archive");
                    }
                };

        assertThatThrownBy(() ->
                        new AnnotationScan(Runnable::run, ScanCache.NONE, LIMITS)
                                .scan(List.of(unreadable)))
                .isInstanceOf(IOException.class)
                .hasMessage("x.jar is no archive");
    }

    /// An origin whose reader waits until all readers have come.
    private static class Meeting implements ClassFiles {
        private final FakeJar jar;
        private final @Nullable CyclicBarrier barrier;

        private Meeting(FakeJar jar, @Nullable CyclicBarrier barrier) {
            this.jar = jar;
            this.barrier = barrier;
        }

        @Override
        public String name() {
            return jar.name();
        }

        @Override
        public @Nullable String contentHash() {
            return null;
        }

        @Override
        public void classFiles(Visitor visitor) throws IOException {
            try {
                if (barrier != null) {
                    barrier.await(30, TimeUnit.SECONDS);
                }
            } catch (Exception e) {
                throw new IOException("The origins are not read in parallel", e);
            }
            jar.classFiles(visitor);
        }

        @Override
        public byte @Nullable [] file(String path, int maxBytes) {
            return jar.file(path, maxBytes);
        }
    }

    private static byte[] bytes(FakeJar jar, String path) {
        byte @Nullable [] bytes = jar.file(path, Integer.MAX_VALUE);
        return bytes == null ? new byte[0] : bytes;
    }

    private static ScanResult scan(FakeJar jar) throws IOException {
        return scan(jar, LIMITS);
    }

    private static ScanResult scan(FakeJar jar, ScanLimits limits) throws IOException {
        return new AnnotationScan(Runnable::run, ScanCache.NONE, limits).scan(jar);
    }
}
