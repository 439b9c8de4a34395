package dev.serval.servlet.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.assembly.FakeJar;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Results as bytes.
final class ScanCodecTest {
    private static final ScanResult RESULT =
            new ScanResult(
                    List.of(
                            new ClassFacts(
                                    "a.B",
                                    "a.A",
                                    List.of("a.I", "a.J"),
                                    0x0421,
                                    Set.of("x.One", "x.Two"),
                                    List.of(annotation())),
                            new ClassFacts(
                                    "java.lang.Object", null, List.of(), 1, Set.of(), List.of())),
                    List.of(
                            new ScanResult.Fault("a/C.class", "It is broken.", true),
                            new ScanResult.Fault("ä/D.class", "It is broken.", false)));

    @Test
    void readsWhatItWrote() throws IOException {
        assertThat(ScanCodec.read(ScanCodec.write(RESULT))).isEqualTo(RESULT);
        assertThat(ScanCodec.read(ScanCodec.write(ScanResult.EMPTY))).isEqualTo(ScanResult.EMPTY);
    }

    @Test
    void readsResultOfRealClasses() throws IOException {
        ScanResult scanned =
                new AnnotationScan(Runnable::run, ScanCache.NONE, ScanLimits.defaults())
                        .scan(
                                new FakeJar("x")
                                        .with(AnnotationScanTest.Annotated.class)
                                        .with("bad.class", new byte[] {1}));

        assertThat(ScanCodec.read(ScanCodec.write(scanned))).isEqualTo(scanned);
    }

    @Test
    void writesEachTextOnce() throws IOException {
        String superName = "x".repeat(1000);
        ClassFacts facts = new ClassFacts("a", superName, List.of(), 0, Set.of(), List.of());
        byte[] bytes = ScanCodec.write(new ScanResult(Collections.nCopies(50, facts), List.of()));

        assertThat(bytes.length).isLessThan(3000);
    }

    @Test
    void refusesEveryCut() throws IOException {
        byte[] bytes = ScanCodec.write(RESULT);

        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ScanCodec.read(cut)).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> ScanCodec.read(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("after its end");
    }

    @Test
    void refusesAnotherVersion() throws IOException {
        byte[] bytes = ScanCodec.write(RESULT);
        bytes[3]++;

        assertThatThrownBy(() -> ScanCodec.read(bytes))
                .isInstanceOf(IOException.class)
                .hasMessage("The cached scan has another version");
    }

    @Test
    void refusesCountThatBytesCannotHold() {
        byte[] bytes = {0, 0, 0, ScanCodec.VERSION, 0x7f, -1, -1, -1, 0, 0};

        assertThatThrownBy(() -> ScanCodec.read(bytes))
                .isInstanceOf(IOException.class)
                .hasMessage("The cached scan is cut off");
    }

    private static AnnotationFacts annotation() {
        Map<String, AnnotationFacts.Value> values = new LinkedHashMap<>();
        values.put("name", new AnnotationFacts.Value.Text("cart"));
        values.put(
                "list",
                new AnnotationFacts.Value.Many(
                        List.of(
                                new AnnotationFacts.Value.Text(""),
                                new AnnotationFacts.Value.Nested(
                                        new AnnotationFacts("x.Inner", Map.of())))));
        return new AnnotationFacts("x.One", values);
    }
}
