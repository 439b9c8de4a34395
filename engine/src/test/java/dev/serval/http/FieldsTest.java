package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.codec.CodecKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldsTest {
    @Test
    void keepsFieldsInOrderAndAsWritten() {
        Fields fields =
                new Fields().add("x-own", "1").add(FieldName.VIA, "a").add("VIA", "b").add("X", "");
        assertThat(fields.toString()).isEqualTo("x-own: 1\nVia: a\nVia: b\nX: \n");
        assertThat(fields.size()).isEqualTo(4);
        assertThat(fields.known(0)).isNull();
        assertThat(fields.known(2)).isEqualTo(FieldName.VIA);
    }

    @Test
    void findsValues() {
        Fields fields = new Fields().add("x-own", "1").add(FieldName.VIA, "a").add("via", "b");
        assertThat(fields.first(FieldName.VIA)).isEqualTo("a");
        assertThat(fields.first("VIA")).isEqualTo("a");
        assertThat(fields.first("X-OWN")).isEqualTo("1");
        assertThat(fields.first("x-other")).isNull();
        assertThat(fields.all(FieldName.VIA)).containsExactly("a", "b");
        assertThat(fields.combined(FieldName.VIA)).isEqualTo("a, b");
        assertThat(fields.combined(FieldName.AGE)).isNull();
        assertThat(fields.indexOf(FieldName.VIA, 2)).isEqualTo(2);
        assertThat(fields.indexOf(FieldName.VIA, 3)).isEqualTo(-1);
        assertThat(fields.valueIs(1, "a")).isTrue();
        assertThat(fields.valueIs(1, "b")).isFalse();
    }

    @Test
    void comparesValuesIgnoringCase() {
        Fields fields = Fields.of(FieldName.CONNECTION, "Keep-Alive");
        assertThat(fields.valueIs(0, "keep-alive")).isTrue();
        assertThat(fields.valueIs(0, "keep-alivf")).isFalse();
        assertThat(fields.valueIs(0, "keep")).isFalse();
    }

    @Test
    void replacesAndRemoves() {
        Fields fields = new Fields().add(FieldName.VIA, "a").add("X", "x").add(FieldName.VIA, "b");
        assertThat(fields.set(FieldName.VIA, "c").toString()).isEqualTo("X: x\nVia: c\n");
        assertThat(fields.remove(FieldName.VIA).toString()).isEqualTo("X: x\n");
        assertThat(fields.contains(FieldName.VIA)).isFalse();
    }

    @Test
    void growsAndCopies() {
        Fields fields = new Fields();
        for (int i = 0; i < 100; i++) {
            fields.add("X-" + i, "v".repeat(i));
        }
        Fields copy = new Fields().addAll(fields);
        assertThat(copy.toString()).isEqualTo(fields.toString());
        assertThat(copy.value(99)).isEqualTo("v".repeat(99));
        assertThat(copy.name(99)).isEqualTo("X-99");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nB: c", "\n", "\r", "\0", "\u007f", "\u001b", "\u0100", "\u0a0d"})
    void refusesValuesThatCouldEndALine(String value) {
        assertThatThrownBy(() -> new Fields().add(FieldName.VIA, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RFC 9110 §5.5");
        assertThatThrownBy(() -> new Fields().add("X", value))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Fields().set(FieldName.VIA, value))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a:", "a\r\n", "\u00e4", "\u0161", "(a)"})
    void refusesNamesThatAreNotTokens(String name) {
        assertThatThrownBy(() -> new Fields().add(name, "a"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void encodesNonAsciiAsLatin1() {
        Fields fields = Fields.of(FieldName.VIA, "a\tb \u00e4\u00ff");
        assertThat(fields.value(0)).isEqualTo("a\tb \u00e4\u00ff");
        assertThat(fields.valueEnd(0) - fields.valueAt(0)).isEqualTo(6);
    }

    @Test
    void emptyFieldsCannotBeChanged() {
        assertThatThrownBy(() -> Fields.EMPTY.add(FieldName.VIA, "a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Fields.EMPTY stays empty: use new Fields()");
        assertThatThrownBy(() -> Fields.EMPTY.remove(FieldName.VIA))
                .isInstanceOf(IllegalStateException.class);
        assertThat(new ResponseHead(Status.OK, Fields.EMPTY, 0).fields()).isSameAs(Fields.EMPTY);
        assertThat(Fields.EMPTY.size()).isZero();
    }

    @Test
    void copiesTheBytesThatACodecMarked() {
        byte[] bytes = "..Via: a..".getBytes(StandardCharsets.US_ASCII);
        FieldsWriter writer = new FieldsWriter(CodecKey.KEY);
        Fields fields = writer.fields();
        for (int round = 0; round < 2; round++) {
            writer.reset();
            writer.mark(FieldName.VIA, 0, 3, 5, 6);
            writer.adopt(bytes, 2, 6);
            assertThat(fields.toString()).isEqualTo("Via: a\n");
        }
        bytes[7] = 'b';
        assertThat(fields.value(0)).isEqualTo("a");
    }

    @Test
    void onlyTheWriterChangesReceivedFields() {
        FieldsWriter writer = received("Via: a");
        Fields fields = writer.fields();
        List<Runnable> changes =
                List.of(
                        () -> fields.add("X", "y"),
                        () -> fields.add(FieldName.VIA, "b"),
                        () -> fields.addAll(Fields.of(FieldName.VIA, "b")),
                        () -> fields.set(FieldName.VIA, "b"),
                        () -> fields.remove(FieldName.VIA));
        for (Runnable change : changes) {
            assertThatThrownBy(change::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("copy them with new Fields().addAll(fields)");
        }
        assertThat(fields.toString()).isEqualTo("Via: a\n");
        assertThat(new Fields().addAll(fields).add("X", "y").toString())
                .isEqualTo("Via: a\nX: y\n");
    }

    @Test
    void responseHeadCopiesReceivedFields() {
        FieldsWriter writer = received("Via: a");
        ResponseHead head = new ResponseHead(Status.OK, writer.fields(), 0);
        writer.reset();
        assertThat(head.fields().toString()).isEqualTo("Via: a\n");
        assertThatThrownBy(() -> head.fields().add("X", "y"))
                .isInstanceOf(IllegalStateException.class);
    }

    private static FieldsWriter received(String line) {
        FieldsWriter writer = new FieldsWriter(CodecKey.KEY);
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        writer.mark(FieldName.VIA, 0, 3, 5, bytes.length);
        writer.adopt(bytes, 0, bytes.length);
        return writer;
    }

    @Test
    void receivedFieldsLastAsACopy() {
        FieldsWriter writer = new FieldsWriter(CodecKey.KEY);
        assertThat(writer.fields().lasting()).isSameAs(Fields.EMPTY);
        writer.mark(null, 0, 1, 1, 2);
        writer.adopt("Xa".getBytes(StandardCharsets.ISO_8859_1), 0, 2);
        Fields copy = writer.fields().lasting();
        writer.reset();
        writer.mark(null, 0, 1, 1, 2);
        writer.adopt("Xb".getBytes(StandardCharsets.ISO_8859_1), 0, 2);
        assertThat(copy.first("X")).isEqualTo("a");
        Fields own = new Fields();
        assertThat(own.lasting()).isSameAs(own);
    }
}
