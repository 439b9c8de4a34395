package dev.serval.servlet.scan;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes and reads a [ScanResult]. Layout: the version, all texts once, then classes and faults,
/// which name texts by number. A count that the remaining bytes cannot hold is refused, so that
/// wrong bytes never take more memory than their length explains.
public final class ScanCodec {
    /// The version of the layout and of the annotations that are kept; another one is refused.
    public static final int VERSION = 2;

    private static final int NESTED_MAX_LEVELS = 16;
    private static final int NO_TEXT = -1;

    private ScanCodec() {}

    /// Returns the result as bytes.
    ///
    /// @throws IOException if a text is longer than 65,535 bytes
    public static byte[] write(ScanResult result) throws IOException {
        Writer body = new Writer();
        body.classes(result.classes());
        body.faults(result.faults());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(VERSION);
        out.writeInt(body.numbers.size());
        for (String text : body.numbers.keySet()) {
            out.writeUTF(text);
        }
        body.bytes.writeTo(out);
        return bytes.toByteArray();
    }

    /// Returns the result that the bytes hold.
    ///
    /// @throws IOException if the bytes have another version or are damaged
    public static ScanResult read(byte[] bytes) throws IOException {
        return new Reader(bytes).result();
    }

    private static final class Writer {
        private final Map<String, Integer> numbers = new LinkedHashMap<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);

        private void classes(List<ClassFacts> classes) throws IOException {
            out.writeInt(classes.size());
            for (ClassFacts facts : classes) {
                text(facts.name());
                @Nullable String superName = facts.superName();
                if (superName == null) {
                    out.writeInt(NO_TEXT);
                } else {
                    text(superName);
                }
                out.writeInt(facts.flags());
                texts(facts.interfaces());
                texts(facts.annotationTypes());
                out.writeInt(facts.annotations().size());
                for (AnnotationFacts annotation : facts.annotations()) {
                    annotation(annotation);
                }
            }
        }

        private void faults(List<ScanResult.Fault> faults) throws IOException {
            out.writeInt(faults.size());
            for (ScanResult.Fault fault : faults) {
                text(fault.path());
                text(fault.reason());
                out.writeByte(fault.annotated() ? 1 : 0);
            }
        }

        private void annotation(AnnotationFacts annotation) throws IOException {
            text(annotation.type());
            out.writeInt(annotation.values().size());
            for (Map.Entry<String, AnnotationFacts.Value> entry : annotation.values().entrySet()) {
                text(entry.getKey());
                value(entry.getValue());
            }
        }

        private void value(AnnotationFacts.Value value) throws IOException {
            switch (value) {
                case AnnotationFacts.Value.Text text -> {
                    out.writeByte(0);
                    text(text.text());
                }
                case AnnotationFacts.Value.Many many -> {
                    out.writeByte(1);
                    out.writeInt(many.values().size());
                    for (AnnotationFacts.Value element : many.values()) {
                        value(element);
                    }
                }
                case AnnotationFacts.Value.Nested nested -> {
                    out.writeByte(2);
                    annotation(nested.annotation());
                }
            }
        }

        private void texts(Iterable<String> texts) throws IOException {
            int count = 0;
            for (String ignored : texts) {
                count++;
            }
            out.writeInt(count);
            for (String text : texts) {
                text(text);
            }
        }

        private void text(String text) throws IOException {
            @Nullable Integer known = numbers.get(text);
            int number = known == null ? numbers.size() : known;
            if (known == null) {
                numbers.put(text, number);
            }
            out.writeInt(number);
        }
    }

    private static final class Reader {
        private final DataInputStream in;
        private final List<String> texts = new ArrayList<>();

        private Reader(byte[] bytes) {
            in = new DataInputStream(new ByteArrayInputStream(bytes));
        }

        private ScanResult result() throws IOException {
            if (in.readInt() != VERSION) {
                throw new IOException("The cached scan has another version");
            }
            int textCount = count(2);
            for (int i = 0; i < textCount; i++) {
                texts.add(in.readUTF());
            }
            int classCount = count(24);
            List<ClassFacts> classes = new ArrayList<>(classCount);
            for (int i = 0; i < classCount; i++) {
                classes.add(facts());
            }
            int faultCount = count(9);
            List<ScanResult.Fault> faults = new ArrayList<>(faultCount);
            for (int i = 0; i < faultCount; i++) {
                faults.add(new ScanResult.Fault(text(), text(), in.readByte() != 0));
            }
            if (in.available() != 0) {
                throw new IOException("The cached scan has bytes after its end");
            }
            return new ScanResult(classes, faults);
        }

        private ClassFacts facts() throws IOException {
            String name = text();
            int superNumber = in.readInt();
            @Nullable String superName = superNumber == NO_TEXT ? null : text(superNumber);
            int flags = in.readInt();
            List<String> interfaces = textList();
            Set<String> types = new LinkedHashSet<>(textList());
            int annotationCount = count(8);
            List<AnnotationFacts> annotations = new ArrayList<>(annotationCount);
            for (int i = 0; i < annotationCount; i++) {
                annotations.add(annotation(0));
            }
            return new ClassFacts(name, superName, interfaces, flags, types, annotations);
        }

        private AnnotationFacts annotation(int level) throws IOException {
            if (level > NESTED_MAX_LEVELS) {
                throw new IOException("The cached scan is nested too deeply");
            }
            String type = text();
            int valueCount = count(9);
            Map<String, AnnotationFacts.Value> values = new LinkedHashMap<>();
            for (int i = 0; i < valueCount; i++) {
                values.put(text(), value(level + 1));
            }
            return new AnnotationFacts(type, values);
        }

        private AnnotationFacts.Value value(int level) throws IOException {
            if (level > NESTED_MAX_LEVELS) {
                throw new IOException("The cached scan is nested too deeply");
            }
            int kind = in.readByte();
            return switch (kind) {
                case 0 -> new AnnotationFacts.Value.Text(text());
                case 1 -> {
                    int valueCount = count(5);
                    List<AnnotationFacts.Value> values = new ArrayList<>(valueCount);
                    for (int i = 0; i < valueCount; i++) {
                        values.add(value(level + 1));
                    }
                    yield new AnnotationFacts.Value.Many(values);
                }
                case 2 -> new AnnotationFacts.Value.Nested(annotation(level + 1));
                default -> throw new IOException("The cached scan has a value of kind " + kind);
            };
        }

        private List<String> textList() throws IOException {
            int textCount = count(4);
            List<String> list = new ArrayList<>(textCount);
            for (int i = 0; i < textCount; i++) {
                list.add(text());
            }
            return list;
        }

        private String text() throws IOException {
            return text(in.readInt());
        }

        private String text(int number) throws IOException {
            if (number < 0 || number >= texts.size()) {
                throw new IOException("The cached scan names a text that it lacks");
            }
            return texts.get(number);
        }

        private int count(int elementMinBytes) throws IOException {
            int count = in.readInt();
            if (count < 0 || count > in.available() / elementMinBytes) {
                throw new IOException("The cached scan is cut off");
            }
            return count;
        }
    }
}
