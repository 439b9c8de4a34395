package dev.serval.servlet.scan;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.servlet.assembly.FakeJar;
import java.io.IOException;

/// Any bytes as a class file, and a real class file with any bytes changed: facts or a fault, never
/// an exception. Facts survive the cache. Any bytes in the cache: a result or an IOException.
final class AnnotationScanFuzz {
    @FuzzTest(maxDuration = "20s")
    void anyBytes(byte[] bytes) throws IOException {
        check(bytes);
    }

    @FuzzTest(maxDuration = "20s")
    void changedClass(FuzzedDataProvider data) throws IOException {
        byte[] bytes = real();
        int changes = data.consumeInt(0, 8);
        for (int i = 0; i < changes; i++) {
            bytes[data.consumeInt(0, bytes.length - 1)] = data.consumeByte();
        }
        check(bytes);
    }

    @FuzzTest(maxDuration = "20s")
    void cachedBytes(byte[] bytes) {
        try {
            ScanResult result = ScanCodec.read(bytes);
            assertThat(ScanCodec.read(ScanCodec.write(result))).isEqualTo(result);
        } catch (IOException refused) {
            assertThat(refused).isNotNull();
        }
    }

    private static void check(byte[] bytes) throws IOException {
        AnnotationScan scan =
                new AnnotationScan(Runnable::run, ScanCache.NONE, ScanLimits.defaults());
        ScanResult result = scan.scan(new FakeJar("x.jar").with("A.class", bytes));
        assertThat(result.classes().size() + result.faults().size()).isEqualTo(1);
        assertThat(ScanCodec.read(ScanCodec.write(result))).isEqualTo(result);
    }

    private static byte[] real() throws IOException {
        String path = AnnotationScanTest.Annotated.class.getName().replace('.', '/') + ".class";
        byte[] bytes =
                new FakeJar("x.jar")
                        .with(AnnotationScanTest.Annotated.class)
                        .file(path, Integer.MAX_VALUE);
        if (bytes == null) {
            throw new IOException("The class file is missing");
        }
        return bytes;
    }
}
