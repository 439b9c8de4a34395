package dev.serval.servlet.parameter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables of queries and forms, limits, charsets and floods.
final class ParametersTest {
    private static final HashKey KEY = HashKey.of(new Random(1));

    @ParameterizedTest(name = "Servlet 6.1 §3.1: {0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''                 | {}
                    a=1                | {a=[1]}
                    a=1&b=2            | {a=[1], b=[2]}
                    b=2&a=1            | {b=[2], a=[1]}
                    a=1&b=2&a=3        | {a=[1, 3], b=[2]}
                    a                  | {a=[]}
                    a=                 | {a=[]}
                    a&b                | {a=[], b=[]}
                    a==b               | {a=[=b]}
                    a=b=c              | {a=[b=c]}
                    &&                 | {}
                    &a=1&&b=2&         | {a=[1], b=[2]}
                    a+b=c+d            | {a b=[c d]}
                    a%20b=%2B%26%3D%25 | {a b=[+&=%]}
                    %61=1&a=2          | {a=[1, 2]}
                    x=%41%42c          | {x=[ABc]}
                    q=%c3%a4           | {q=[ä]}
                    %c3%a4=q           | {ä=[q]}
                    q=%F0%9F%98%80     | {q=[😀]}
                    a;b=1              | {a;b=[1]}
                    a%3Db=1            | {a=b=[1]}
                    """)
    void readsQuery(String query, String expected) {
        Parameters parameters = parameters();
        assertThat(parameters.addQuery(query, StandardCharsets.UTF_8)).isNull();
        assertThat(text(parameters)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "ServletRequest.getParameter: {0}")
    @ValueSource(
            strings = {
                "a=%",
                "a=%2",
                "a=%zz",
                "a=%2g",
                "%=1",
                "%4=1",
                "%g1=1",
                "a=%c3",
                "a=%ff",
                "a=%c3%28",
                "%ff=1",
                "a=%ed%a0%80",
                "a=%c0%af",
                "=x",
                "a=1&=x",
                "=",
                "a=1&b=%"
            })
    void refusesWith400AndAddsNothing(String query) {
        Parameters parameters = parameters();
        parameters.addQuery("kept=1", StandardCharsets.UTF_8);
        @Nullable ProtocolError error = parameters.addQuery(query, StandardCharsets.UTF_8);
        assertThat(requireNonNull(error).status()).isEqualTo(Status.BAD_REQUEST);
        assertThat(text(parameters)).isEqualTo("{kept=[1]}");
        assertThat(parameters.first("a")).isNull();
        assertThat(new ParameterException(error).statusCode()).isEqualTo(400);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ISO-8859-1   | q=%e4       | ä
                    US-ASCII     | q=a%20b     | a b
                    windows-1252 | q=%80       | €
                    Shift_JIS    | q=%82%a0    | あ
                    EUC-JP       | q=%a4%a2x   | あx
                    UTF-16BE     | %00q=%30%42 | あ
                    """)
    void readsOtherCharsets(String charset, String query, String expected) {
        Parameters parameters = parameters();
        assertThat(parameters.addQuery(query, Charset.forName(charset))).isNull();
        assertThat(parameters.first("q")).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"US-ASCII,q=%e4", "Shift_JIS,q=%82", "UTF-16BE,q=%00a", "EUC-JP,q=%a4"})
    void refusesBytesThatTheCharsetDoesNotAllow(String charset, String query) {
        assertThat(parameters().addQuery(query, Charset.forName(charset))).isNotNull();
    }

    @Test
    void findsNonAsciiNamesOfEveryCharset() {
        Parameters parameters = parameters();
        parameters.addQuery("%e4=latin", StandardCharsets.ISO_8859_1);
        parameters.addQuery("%c3%a4=utf8&a\u00e4=raw", StandardCharsets.ISO_8859_1);
        parameters.addQuery("%c3%a4=utf8", StandardCharsets.UTF_8);
        assertThat(parameters.all("ä")).containsExactly("latin", "utf8");
        assertThat(parameters.first("aä")).isEqualTo("raw");
    }

    @Test
    void putsQueryBeforeFormAndTargetBeforeBoth() {
        Parameters original = parameters();
        original.addQuery("a=hello&q=1", StandardCharsets.UTF_8);
        byte[] form = bytes("#a=goodbye&a=world#");
        original.addForm(form, 1, form.length - 1, StandardCharsets.UTF_8);
        assertThat(original.all("a")).containsExactly("hello", "goodbye", "world");

        Parameters dispatched = parameters();
        dispatched.addQuery("a=new&b=2", StandardCharsets.UTF_8);
        dispatched.addAll(original);
        assertThat(text(dispatched)).isEqualTo("{a=[new, hello, goodbye, world], b=[2], q=[1]}");
        assertThat(text(original)).isEqualTo("{a=[hello, goodbye, world], q=[1]}");
    }

    @Test
    void countsEveryValueUpToTheLimit() {
        ParameterLimits three = new ParameterLimits(3, 100);
        Parameters atLimit = new Parameters(three, KEY);
        assertThat(atLimit.addQuery("a=1&&a=2&", StandardCharsets.UTF_8)).isNull();
        assertThat(atLimit.add("part", "3")).isNull();
        assertThat(atLimit.size()).isEqualTo(3);
        @Nullable ProtocolError error = atLimit.addQuery("b", StandardCharsets.UTF_8);
        assertThat(requireNonNull(error).status()).isEqualTo(Status.BAD_REQUEST);
        assertThat(atLimit.add("b", "4")).isNotNull();

        Parameters beyond = new Parameters(three, KEY);
        assertThat(beyond.addQuery("a&b&c&d", StandardCharsets.UTF_8)).isNotNull();
        assertThat(beyond.size()).isZero();

        Parameters dispatched = new Parameters(three, KEY);
        dispatched.addQuery("x=1", StandardCharsets.UTF_8);
        dispatched.addAll(atLimit);
        assertThat(dispatched.size()).isEqualTo(4);
    }

    @Test
    void refusedSourceDoesNotCountTowardsTheLimit() {
        Parameters parameters = new Parameters(new ParameterLimits(3, 100), KEY);
        assertThat(parameters.addQuery("a&b&%", StandardCharsets.UTF_8)).isNotNull();
        assertThat(parameters.addQuery("a&b&c", StandardCharsets.UTF_8)).isNull();
        assertThat(parameters.names()).containsExactly("a", "b", "c");
    }

    @Test
    void refusesFormAboveItsLimitWith413() throws IOException {
        ParameterLimits limits = new ParameterLimits(10, 8);
        byte[] atLimit = bytes("a=234567");
        byte[] beyond = bytes("a=2345678");
        assertThat(new Parameters(limits, KEY).addForm(atLimit, 0, 8, StandardCharsets.UTF_8))
                .isNull();
        assertThat(new Parameters(limits, KEY).addForm(beyond, 0, 9, StandardCharsets.UTF_8))
                .satisfies(e -> assertThat(e.status()).isEqualTo(Status.CONTENT_TOO_LARGE));
        for (int declared : new int[] {-1, 8, 9}) {
            Parameters read = new Parameters(limits, KEY);
            InputStream content = new ByteArrayInputStream(declared == 8 ? atLimit : beyond);
            @Nullable ProtocolError error =
                    read.readForm(content, declared, StandardCharsets.UTF_8);
            assertThat(error == null).isEqualTo(declared == 8);
            assertThat(read.size()).isEqualTo(declared == 8 ? 1 : 0);
        }
    }

    @ParameterizedTest(name = "{0} bytes at a time, declared: {1}")
    @CsvSource({"1,true", "1,false", "7,true", "7,false", "8192,true", "100000,false"})
    void readsFormHoweverItArrives(int piece, boolean declared) throws IOException {
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < 900; i++) {
            form.append(i == 0 ? "" : "&").append("name").append(i).append("=value+").append(i);
        }
        byte[] bytes = bytes(form.toString());
        Parameters parameters = parameters();
        parameters.addQuery("name1=first", StandardCharsets.UTF_8);
        InputStream content = pieces(bytes, piece);
        int length = declared ? bytes.length : -1;
        assertThat(parameters.readForm(content, length, StandardCharsets.UTF_8)).isNull();
        assertThat(parameters.size()).isEqualTo(901);
        assertThat(parameters.all("name1")).containsExactly("first", "value 1");
        assertThat(parameters.first("name899")).isEqualTo("value 899");
        assertThat(parameters.first("name900")).isNull();
    }

    @Test
    void mapLooksUpAllNamesAndNoOthers() {
        Parameters parameters = parameters();
        parameters.addQuery("a=1&b=2&a=3&%C3%A4=%C3%B6&c", StandardCharsets.UTF_8);
        Map<String, String[]> map = parameters.map();
        assertThat(map).hasSize(4).containsOnlyKeys("a", "b", "ä", "c").doesNotContainKey("d");
        assertThat(map.get("a")).containsExactly("1", "3");
        assertThat(map.get("ä")).containsExactly("ö");
        assertThat(map.get("c")).containsExactly("");
        assertThat(map.get("d")).isNull();
        assertThat(map.keySet()).containsExactly("a", "b", "ä", "c");
        assertThat(parameters().map()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'',0", "a,1", "a&b,2", "&&&&&&&&,9", "aaaaaaa&b,2", "aaaaaaaa&b&&&&&&&&&c,11"})
    void countsSeparatorsForTheRoomOfTheIndex(String text, int pairs) {
        byte[] padded = bytes("&&" + text + "&&");
        assertThat(PairScanner.pairsMax(padded, 2, padded.length - 2)).isEqualTo(pairs);
    }

    @Test
    void countsNoByteButTheSeparator() {
        byte[] others = new byte[256];
        for (int b = 0; b < others.length; b++) {
            others[b] = (byte) (b == '&' ? 'x' : b);
        }
        assertThat(PairScanner.pairsMax(others, 0, others.length)).isEqualTo(1);
    }

    @Test
    void collidingStringHashesMakeNoLongChains() {
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            form.append(i == 0 ? "" : "&");
            for (int bit = 0; bit < 10; bit++) {
                form.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            form.append('=').append(i);
        }
        byte[] bytes = bytes(form.toString());
        Parameters parameters = parameters();
        assertThat(parameters.addForm(bytes, 0, bytes.length, StandardCharsets.UTF_8)).isNull();
        assertThat(parameters.names()).hasSize(1000);
        assertThat(parameters.longestChain()).isLessThan(12);
        assertThat(parameters.first("AaAaAaAaAaAaAaAaAaBB")).isEqualTo("512");
    }

    @Test
    void differentKeysPlaceNamesDifferently() {
        byte[] name = bytes("somename");
        assertThat(HashKey.of(new Random(2)).hash(name, 0, 8)).isNotEqualTo(KEY.hash(name, 0, 8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1234567", "12345678", "123456789", "1234567890123456x", "ä"})
    void hashesStringAndBytesAlike(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        assertThat(KEY.hash(name)).isEqualTo(KEY.hash(bytes, 0, bytes.length));
    }

    @Test
    void givesOutNothingThatChangesIt() {
        Parameters parameters = parameters();
        parameters.addQuery("a=1&a=2", StandardCharsets.UTF_8);
        String[] values = requireNonNull(parameters.all("a"));
        values[0] = "changed";
        assertThat(parameters.all("a")).containsExactly("1", "2");
        Map<String, String[]> map = parameters.map();
        assertThatThrownBy(() -> map.put("b", new String[0]))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> map.remove("b")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> map.entrySet().iterator().next().setValue(new String[0]))
                .isInstanceOf(UnsupportedOperationException.class);
        requireNonNull(map.get("a"))[0] = "changed";
        assertThat(map.get("a")).containsExactly("1", "2");
        assertThatThrownBy(() -> parameters.names().add("b"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(parameters.first("a")).isSameAs(parameters.first("a"));
    }

    @ParameterizedTest
    @CsvSource({"0,1", "-1,1", "1,0", "1048577,1", "1,268435457"})
    void refusesLimitsOutOfRange(int parametersMax, int formMaxBytes) {
        assertThatThrownBy(() -> new ParameterLimits(parametersMax, formMaxBytes))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Parameters parameters() {
        return new Parameters(ParameterLimits.DEFAULT, KEY);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static InputStream pieces(byte[] bytes, int most) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int at, int length) {
                return super.read(into, at, Math.min(length, most));
            }
        };
    }

    private static String text(Parameters parameters) {
        StringBuilder text = new StringBuilder("{");
        for (Map.Entry<String, String[]> entry : parameters.map().entrySet()) {
            text.append(text.length() > 1 ? ", " : "").append(entry.getKey()).append("=[");
            text.append(String.join(", ", entry.getValue())).append(']');
            assertThat(parameters.all(entry.getKey())).isEqualTo(entry.getValue());
            assertThat(parameters.first(entry.getKey())).isEqualTo(entry.getValue()[0]);
        }
        assertThat(parameters.names()).containsExactlyElementsOf(parameters.map().keySet());
        return text.append('}').toString();
    }
}
