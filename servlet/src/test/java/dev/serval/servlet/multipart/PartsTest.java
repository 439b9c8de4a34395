package dev.serval.servlet.multipart;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.parameter.HashKey;
import dev.serval.servlet.parameter.MediaType;
import dev.serval.servlet.parameter.ParameterLimits;
import dev.serval.servlet.parameter.Parameters;
import dev.serval.testkit.TempTree;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Parts in memory and in the spool, limits, parameters, and clean-up after every fault.
final class PartsTest {
    private static final String TYPE = "multipart/form-data; boundary=AaB03x";
    private static final String END = "--AaB03x--\r\n";

    private final TempTree tree = TempTree.create();
    private final Path spoolFolder = tree.path("spool");
    private final Path location = tree.folder("location");

    @AfterEach
    void deleteTree() {
        tree.close();
    }

    @Test
    void keepsSmallPartInMemoryAndLargeOneInTheSpool() throws Exception {
        try (Spool spool = Spool.open(spoolFolder, 1000)) {
            String content = file("a", "s.txt", "12345") + file("b", "l.txt", "123456") + END;
            try (Parts parts = read(content, limits(-1, -1, 5), spool)) {
                assertThat(spool.usedBytes()).isEqualTo(6);
                assertThat(files()).isEqualTo(1);
                assertThat(parts.all()).hasSize(2);
                assertThat(text(requireNonNull(parts.first("a")))).isEqualTo("12345");
                Part large = requireNonNull(parts.first("b"));
                assertThat(text(large)).isEqualTo("123456");
                assertThat(large.getSize()).isEqualTo(6);
                assertThat(large.getSubmittedFileName()).isEqualTo("l.txt");
                assertThat(large.getContentType()).isEqualTo("text/plain");
                assertThat(large.getHeaderNames())
                        .containsExactly("Content-Disposition", "Content-Type");
                assertThat(large.getHeaders("content-type")).containsExactly("text/plain");
                assertThat(large.getHeader("none")).isNull();
                assertThat(parts.first("none")).isNull();
                assertThat(parts.first("b")).isSameAs(large);
            }
            assertThat(files()).isZero();
            assertThat(spool.usedBytes()).isZero();
        }
    }

    @Test
    void allIsACopy() throws Exception {
        try (Spool spool = Spool.open(spoolFolder, 1000);
                Parts parts = read(field("a", "1") + END, limits(-1, -1, 0), spool)) {
            parts.all().clear();
            assertThat(parts.all()).hasSize(1);
        }
    }

    @ParameterizedTest(name = "{0} bytes a read")
    @ValueSource(ints = {1, 2, 7, 1000, 20_000})
    void readsLargePartHoweverItArrives(int most) throws Exception {
        byte[] random = new byte[50_000];
        new Random(3).nextBytes(random);
        String binary = new String(random, StandardCharsets.ISO_8859_1) + "\r\n--AaB03\r";
        try (Spool spool = Spool.open(spoolFolder, 100_000)) {
            byte[] bytes = latin1(file("a", "x", binary) + END);
            InputStream in =
                    new ByteArrayInputStream(bytes) {
                        @Override
                        public synchronized int read(byte[] into, int at, int length) {
                            return super.read(into, at, Math.min(length, most));
                        }
                    };
            try (Parts parts = Parts.read(in, -1, type(), rules(limits(-1, -1, 100), spool))) {
                assertThat(text(requireNonNull(parts.first("a")))).isEqualTo(binary);
            }
        }
    }

    @Test
    void partsWithoutFileNameBecomeParameters() throws Exception {
        String content =
                field("a", "1")
                        + file("f", "", "x")
                        + field("a", latin1OfUtf8("ä"))
                        + part("form-data; name=b", "text/plain; charset=ISO-8859-1", "\u00e4")
                        + field("_charset_", "x")
                        + field("long", "y".repeat(9000))
                        + END;
        try (Spool spool = Spool.open(spoolFolder, 20_000);
                Parts parts = read(content, limits(-1, -1, 0), spool)) {
            assertThat(files()).isEqualTo(2);
            Parameters parameters = parameters(10);
            parameters.addQuery("a=query", StandardCharsets.UTF_8);
            assertThat(parts.addTo(parameters, 9006)).isNull();
            assertThat(parameters.all("a")).containsExactly("query", "1", "ä");
            assertThat(parameters.first("b")).isEqualTo("ä");
            assertThat(parameters.first("long")).hasSize(9000);
            assertThat(parameters.first("f")).isNull();
            @Nullable ProtocolError tooLarge = parts.addTo(parameters(10), 9004);
            assertThat(requireNonNull(tooLarge).status()).isEqualTo(Status.CONTENT_TOO_LARGE);
            assertThat(parts.addTo(parameters(4), 10_000)).isNotNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"text/plain,\u00e4", "text/plain; charset=unknown,a", "a/b; charset=*,a"})
    void refusesTextOfBrokenCharset(String type, String value) throws Exception {
        String content = part("form-data; name=a", type, value) + END;
        try (Spool spool = Spool.open(spoolFolder, 1000);
                Parts parts = read(content, limits(-1, -1, 0), spool)) {
            assertThat(parts.addTo(parameters(10), 100)).isEqualTo(MultipartFault.BAD_TEXT);
        }
    }

    @ParameterizedTest(name = "max-file-size {0}, max-request-size {1} above the size, {2}")
    @CsvSource({"10,1,true", "-1,0,true", "-1,0,false", "10,0,true"})
    void acceptsSizesAtTheirLimit(long fileMax, int spare, boolean declared) throws Exception {
        readSized(fileMax, spare, declared);
    }

    @ParameterizedTest(name = "max-file-size {0}, max-request-size {1} above the size, {2}")
    @CsvSource({"9,1,true", "-1,-1,true", "-1,-1,false", "0,1,true", "10,-1,false"})
    void refusesSizesBeyondTheirLimit(long fileMax, int spare, boolean declared) {
        assertThatThrownBy(() -> readSized(fileMax, spare, declared))
                .isInstanceOfSatisfying(
                        PartLimitException.class, e -> assertThat(e.statusCode()).isEqualTo(413));
        assertThat(files()).isZero();
    }

    private void readSized(long fileMax, int spare, boolean declared)
            throws IOException, ServletException {
        byte[] bytes = latin1(file("a", "x", "") + file("b", "y", "0123456789") + END);
        try (Spool spool = Spool.open(spoolFolder, 100)) {
            PartRules rules = rules(limits(fileMax, bytes.length + spare, 0), spool);
            long length = declared ? bytes.length : -1;
            Parts.read(new ByteArrayInputStream(bytes), length, type(), rules).close();
            assertThat(spool.usedBytes()).isZero();
        }
    }

    @Test
    void declaredSizeBeyondTheLimitIsNotRead() throws Exception {
        InputStream unread =
                new InputStream() {
                    @Override
                    public int read() {
                        throw new AssertionError("read");
                    }

                    @Override
                    public int read(byte[] into, int at, int length) {
                        return read();
                    }
                };
        try (Spool spool = Spool.open(spoolFolder, 100)) {
            PartRules rules = rules(limits(-1, 1000, 0), spool);
            assertThatThrownBy(() -> Parts.read(unread, 1001, type(), rules))
                    .isInstanceOf(PartLimitException.class);
        }
    }

    @Test
    void refusesWhatIsNotMultipart() throws Exception {
        try (Spool spool = Spool.open(spoolFolder, 1000)) {
            for (String type : new String[] {"text/plain; boundary=AaB03x", "multipart/mixed"}) {
                assertThatThrownBy(() -> readType(MediaType.parse(type), spool))
                        .isInstanceOf(ServletException.class);
            }
            assertThatThrownBy(() -> readType(null, spool)).isInstanceOf(ServletException.class);
            for (String boundary : new String[] {"", "; boundary=", "; boundary=\"a@\""}) {
                MediaType type = MediaType.parse("multipart/form-data" + boundary);
                assertThatThrownBy(() -> readType(type, spool))
                        .isInstanceOf(MultipartException.class);
            }
        }
    }

    @Test
    void leavesNoFileAfterAnyFault() throws Exception {
        String large = file("a", "x", "0123456789");
        String[] broken = {
            large,
            large + "--AaB03x",
            large + "--AaB03xx",
            large + "--AaB03x\r\nX: y\r\n\r\n\r\n" + END,
            large + "--AaB03x\r\n" + "X".repeat(600),
            large.substring(0, large.length() - 4)
        };
        try (Spool spool = Spool.open(spoolFolder, 1000)) {
            for (String content : broken) {
                assertThatThrownBy(() -> read(content, limits(-1, -1, 0), spool))
                        .isInstanceOfAny(MultipartException.class, PartLimitException.class);
                assertThat(files()).isZero();
                assertThat(spool.usedBytes()).isZero();
            }
            InputStream resets =
                    new ByteArrayInputStream(latin1(large)) {
                        @Override
                        public synchronized int read(byte[] into, int at, int length) {
                            int read = super.read(into, at, Math.min(length, 100));
                            if (read < 0) {
                                throw new IllegalStateException("reset");
                            }
                            return read;
                        }
                    };
            PartRules rules = rules(limits(-1, -1, 0), spool);
            assertThatThrownBy(() -> Parts.read(resets, -1, type(), rules))
                    .hasMessageContaining("reset");
            assertThat(files()).isZero();
        }
    }

    @Test
    void fullQuotaIs507AndLeavesNoFile() throws Exception {
        try (Spool spool = Spool.open(spoolFolder, 15)) {
            String content = file("a", "x", "0123456789") + file("b", "y", "012345") + END;
            assertThatThrownBy(() -> read(content, limits(-1, -1, 0), spool))
                    .isInstanceOfSatisfying(
                            MultipartException.class,
                            e -> assertThat(e.statusCode()).isEqualTo(507));
            assertThat(files()).isZero();
            assertThat(spool.usedBytes()).isZero();
        }
    }

    @ParameterizedTest(name = "fails after {0} bytes")
    @ValueSource(ints = {0, 4, 10})
    void diskErrorLeavesNoFile(int bytes) throws Exception {
        tree.folder("spool");
        try (Spool spool =
                new Spool(spoolFolder, 1000, file -> new FullDisk(file, bytes), Set.of())) {
            assertThatThrownBy(() ->
                            read(file("a", "x", "0123456789x") + END, limits(-1, -1, 0), spool))
                    .isInstanceOf(IOException.class)
                    .hasMessage("No space left on device");
            assertThat(files()).isZero();
            assertThat(spool.usedBytes()).isZero();
        }
    }

    @Test
    void writesPartsFromMemoryAndSpool() throws Exception {
        try (Spool spool = Spool.open(spoolFolder, 1000)) {
            String content = file("m", "x", "12345") + file("s", "y", "123456") + END;
            try (Parts parts = read(content, limits(-1, -1, 5), spool)) {
                for (Part part : parts.all()) {
                    part.write(part.getName() + ".txt");
                    part.write(part.getName() + ".txt");
                    part.write(tree.path(part.getName() + ".abs").toString());
                    assertThat(text(part)).startsWith("12345");
                }
                assertThat(files()).isZero();
                assertThat(spool.usedBytes()).isZero();
            }
        }
        assertThat(tree.path("location/m.txt")).hasContent("12345");
        assertThat(tree.path("location/s.txt")).hasContent("123456");
        assertThat(tree.path("m.abs")).hasContent("12345");
        assertThat(tree.path("s.abs")).hasContent("123456");
    }

    @ParameterizedTest(name = "Part.write: {0}")
    @ValueSource(strings = {"../x", "a/../../x", "", ".", "..", "../location-2"})
    void refusesRelativeNameOutOfTheLocation(String name) throws Exception {
        try (Spool spool = Spool.open(spoolFolder, 1000);
                Parts parts = read(file("a", "x", "1") + END, limits(-1, -1, 0), spool)) {
            Part part = requireNonNull(parts.first("a"));
            assertThatThrownBy(() -> part.write(name))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("location");
            assertThat(text(part)).isEqualTo("1");
        }
    }

    @Test
    void deletedPartsCannotBeRead() throws Exception {
        try (Spool spool = Spool.open(spoolFolder, 1000)) {
            Parts parts =
                    read(file("a", "x", "1") + field("b", "2") + END, limits(-1, -1, 0), spool);
            Part deleted = requireNonNull(parts.first("a"));
            deleted.delete();
            deleted.delete();
            assertThat(files()).isZero();
            parts.close();
            parts.close();
            for (Part part : parts.all()) {
                assertThatThrownBy(part::getInputStream).isInstanceOf(IOException.class);
                assertThatThrownBy(() -> part.write("x")).isInstanceOf(IOException.class);
            }
            assertThat(deleted.getSize()).isEqualTo(1);
        }
    }

    @Test
    void readsContentWithoutParts() throws Exception {
        try (Spool spool = Spool.open(spoolFolder, 0);
                Parts parts = read(END, limits(-1, -1, 0), spool)) {
            assertThat(parts.all()).isEmpty();
        }
    }

    /// A disk that is full after some bytes of a file.
    private static final class FullDisk implements WritableByteChannel {
        private final WritableByteChannel file;
        private int left;

        FullDisk(Path path, int left) throws IOException {
            file =
                    Files.newByteChannel(
                            path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
            this.left = left;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            if (left == 0) {
                throw new IOException("No space left on device");
            }
            ByteBuffer some = bytes.slice(bytes.position(), Math.min(left, bytes.remaining()));
            int written = file.write(some);
            bytes.position(bytes.position() + written);
            left -= written;
            return written;
        }

        @Override
        public boolean isOpen() {
            return file.isOpen();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private static void readType(@Nullable MediaType type, Spool spool)
            throws IOException, ServletException {
        PartRules rules =
                new PartRules(
                        limits(-1, -1, 0),
                        MultipartBounds.DEFAULT,
                        spool,
                        Path.of("/"),
                        StandardCharsets.UTF_8);
        Parts.read(InputStream.nullInputStream(), -1, type, rules);
    }

    private Parts read(String content, MultipartLimits limits, Spool spool)
            throws IOException, ServletException {
        byte[] bytes = latin1(content);
        InputStream in = new ByteArrayInputStream(bytes);
        return Parts.read(in, bytes.length, type(), rules(limits, spool));
    }

    private PartRules rules(MultipartLimits limits, Spool spool) {
        return new PartRules(
                limits, MultipartBounds.DEFAULT, spool, location, StandardCharsets.UTF_8);
    }

    private static MultipartLimits limits(long fileMax, long requestMax, int threshold) {
        return new MultipartLimits("", fileMax, requestMax, threshold);
    }

    private static MediaType type() {
        return requireNonNull(MediaType.parse(TYPE));
    }

    private static Parameters parameters(int most) {
        return new Parameters(new ParameterLimits(most, 1 << 20), HashKey.of(new Random(1)));
    }

    private static String field(String name, String value) {
        return "--AaB03x\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
                .formatted(name, value);
    }

    private static String file(String name, String fileName, String value) {
        String disposition = "form-data; name=\"%s\"; filename=\"%s\"".formatted(name, fileName);
        return part(disposition, "text/plain", value);
    }

    private static String part(String disposition, String type, String value) {
        return "--AaB03x\r\nContent-Disposition: %s\r\nContent-Type: %s\r\n\r\n%s\r\n"
                .formatted(disposition, type, value);
    }

    private int files() {
        try (Stream<Path> files = Files.list(spoolFolder)) {
            return (int) files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Part part) throws IOException {
        try (InputStream in = part.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String latin1OfUtf8(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
