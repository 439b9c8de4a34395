package dev.serval.servlet.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.serval.servlet.login.UserPrincipal;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URL;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What sessions may hold outside memory, and what is refused, as an attacker would send it.
final class AttributeCodecTest {
    private static final ClassLoader LOADER = AttributeCodecTest.class.getClassLoader();

    private static AttributeCodec codec(String... allowed) {
        return new AttributeCodec(
                LOADER, new ClassRules(LOADER, List.of(allowed)), VaultLimits.STANDARD);
    }

    private enum Colour {
        RED
    }

    private record Item(String name, int count) implements Serializable {}

    /// A list whose objects hold each other.
    private static final class Link implements Serializable {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("UnusedVariable") // it is written as an object
        private @Nullable Link next;
    }

    @SuppressWarnings({"JdkObsolete", "JavaUtilDate"}) // applications use them
    static List<Object> values() {
        TreeMap<String, Integer> sorted = new TreeMap<>(Comparator.reverseOrder());
        sorted.put("a", 1);
        return List.of(
                "text",
                1,
                2L,
                'c',
                true,
                1.5,
                new BigDecimal("1.20"),
                new byte[] {1},
                new int[][] {{1}, {2, 3}},
                new String[] {"a"},
                Colour.RED,
                new Item("x", 1),
                List.of(1, 2),
                Map.of("k", new Item("y", 2)),
                Set.of("s"),
                new ArrayList<>(Arrays.asList("a", null)),
                new LinkedList<>(List.of("a")),
                new HashMap<>(Map.of("a", 1)),
                new LinkedHashMap<>(Map.of("a", 1)),
                new HashSet<>(List.of("a")),
                sorted,
                new EnumMap<>(Map.of(Colour.RED, 1)),
                new ConcurrentHashMap<>(Map.of("a", 1)),
                new Date(5),
                Instant.ofEpochSecond(5),
                LocalDate.EPOCH,
                Locale.GERMANY,
                UUID.nameUUIDFromBytes(new byte[1]),
                URI.create("http://a/"),
                new GregorianCalendar(2000, 1, 1));
    }

    @ParameterizedTest
    @MethodSource("values")
    void keepsValues(Object value) throws Exception {
        Map<String, Object> read = codec().read(codec().write(Map.of("name", value)));
        assertThat(read.get("name")).usingRecursiveComparison().isEqualTo(value);
    }

    /// Spring Security keeps the fields of the request before a login in such a map.
    @Test
    void keepsTheOrderOfAMapThatIgnoresCase() throws Exception {
        TreeMap<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        fields.put("Accept", "text/html");
        @Nullable Object read = codec().read(codec().write(Map.of("name", fields))).get("name");
        assertThat(read)
                .isInstanceOfSatisfying(
                        TreeMap.class,
                        map -> {
                            assertThat(map.get("ACCEPT")).isEqualTo("text/html");
                            assertThat(map.comparator()).isSameAs(String.CASE_INSENSITIVE_ORDER);
                        });
    }

    /// The loader of an application does not find the classes of the server.
    @Test
    void keepsThePrincipalAndNothingElseOfTheServer() throws Exception {
        ClassLoader none = ClassLoader.getPlatformClassLoader();
        AttributeCodec codec =
                new AttributeCodec(none, new ClassRules(none, List.of()), VaultLimits.STANDARD);
        UserPrincipal user = new UserPrincipal("ada");
        assertThat(codec.read(codec.write(Map.of("user", user)))).containsEntry("user", user);
        Item other = new Item("x", 1);
        assertThatThrownBy(() -> codec.write(Map.of("a", other)))
                .isInstanceOf(UnkeepableException.class);
        byte[] bytes = raw(other);
        assertThatThrownBy(() -> codec.read(bytes)).isInstanceOf(DamagedSessionException.class);
    }

    @Test
    void keepsWhatAttributesShare() throws Exception {
        Item shared = new Item("x", 1);
        Map<String, Object> read =
                codec().read(codec().write(Map.of("a", List.of(shared), "b", shared)));
        assertThat(read.get("a")).asInstanceOf(LIST).first().isSameAs(read.get("b"));
    }

    @Test
    void keepsExceptionsAndCounters() throws Exception {
        Map<String, Object> read =
                codec().read(
                                codec().write(
                                                Map.of(
                                                        "e",
                                                        new IllegalStateException("bad"),
                                                        "n",
                                                        new AtomicInteger(3))));
        assertThat(read.get("e")).hasToString("java.lang.IllegalStateException: bad");
        assertThat(read.get("n")).hasToString("3");
    }

    /// As the state of Faces views has them.
    @Test
    void keepsArraysOfInterfacesWithWhatTheyMayHold() throws Exception {
        Serializable[] kept = {"a", new Item("b", 2), new Comparable<?>[] {3, "c"}};
        Map<String, Object> read = codec().read(codec().write(Map.of("a", kept)));
        assertThat(Arrays.deepEquals((Object[]) read.get("a"), kept)).isTrue();

        Serializable[] refused = {new java.io.File("/")};
        assertThatThrownBy(() -> codec().write(Map.of("a", refused)))
                .isInstanceOf(UnkeepableException.class)
                .hasMessageContaining("java.io.File");
    }

    /// Classes of applications extend them.
    @Test
    void allowsClassesOfTheExpressionLanguage() {
        byte[] file =
                ClassFile.of()
                        .build(
                                ClassDesc.of("jakarta.el.Expression"),
                                type -> type.withFlags(ClassFile.ACC_PUBLIC));
        Class<?> type =
                new ClassLoader(null) {
                    Class<?> defined() {
                        return defineClass(null, file, 0, file.length);
                    }
                }.defined();
        assertThat(new ClassRules(LOADER, List.of()).allows(type)).isTrue();
    }

    private static byte[] raw(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeInt(1);
            out.writeUTF("a");
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    /// Classes of the JDK that published attacks start from.
    @SuppressWarnings("URLEqualsHashCode") // as the attack does
    static List<Object> forbidden() throws IOException {
        return List.of(
                new HashMap<>(Map.of(URI.create("http://a/").toURL(), 1)), // looks the host up
                Proxy.newProxyInstance(LOADER, new Class<?>[] {Comparable.class}, new Handler()),
                (Comparator<Object> & Serializable) (_, _) -> 0,
                new Object[][] {{new java.io.File("/")}});
    }

    private static final class Handler implements InvocationHandler, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Object invoke(Object proxy, java.lang.reflect.Method m, Object[] args) {
            throw new AssertionError("called");
        }
    }

    @ParameterizedTest
    @MethodSource("forbidden")
    void refusesToReadOtherClasses(Object value) throws Exception {
        byte[] bytes = raw(value);
        assertThatThrownBy(() -> codec().read(bytes)).isInstanceOf(DamagedSessionException.class);
    }

    @ParameterizedTest
    @MethodSource("forbidden")
    void refusesToWriteOtherClasses(Object value) {
        assertThatThrownBy(() -> codec().write(Map.of("a", value)))
                .isInstanceOf(UnkeepableException.class)
                .hasMessageContaining("\"a\"");
    }

    @Test
    void messageNamesTheClassAndWhatToDo() throws Exception {
        byte[] bytes = raw(URI.create("http://a/").toURL());
        assertThatThrownBy(() -> codec().read(bytes))
                .hasMessage(
                        "it holds an object of class java.net.URL, which sessions must not hold"
                                + " outside memory: if it is harmless, allow it by --session-allow"
                                + " java.net.URL");
        assertThat(codec("java.net.URL").read(bytes).get("a")).isInstanceOf(URL.class);
    }

    @Test
    void gadgetOfALibraryInTheApplicationIsRefused() throws Exception {
        // The name of a published attack's class, defined by the application's own loader.
        ClassRules rules = new ClassRules(LOADER, List.of());
        Class<?> gadget = org.apache.commons.collections.functors.Gadget.class;
        assertThat(rules.allows(gadget)).isFalse();
        assertThat(rules.allows(Item.class)).isTrue();
        byte[] bytes = raw(new org.apache.commons.collections.functors.Gadget());
        assertThatThrownBy(() -> codec().read(bytes)).hasMessageContaining("functors.Gadget");
        assertThat(org.apache.commons.collections.functors.Gadget.ran).isFalse();
    }

    @Test
    void refusesDeepNesting() throws Exception {
        byte[] bytes = raw(chain(300));
        assertThatThrownBy(() -> codec().read(bytes)).hasMessageContaining("deep");
    }

    /// What could not be read again is reported when it is written, and the session stays in memory.
    @Test
    void nestingThatCannotBeReadIsNotWritten() throws Exception {
        assertThat(codec().read(codec().write(Map.of("a", chain(200))))).containsKey("a");
        assertThatThrownBy(() -> codec().write(Map.of("a", chain(201))))
                .isInstanceOf(UnkeepableException.class)
                .hasMessageContaining("201 deep");
        VaultLimits few = new VaultLimits(1, 1 << 20, 200, /* referencesMax */ 1_000);
        AttributeCodec codec = new AttributeCodec(LOADER, new ClassRules(LOADER, List.of()), few);
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            numbers.add(1_000 + i);
        }
        assertThatThrownBy(() -> codec.write(Map.of("a", numbers)))
                .isInstanceOf(UnkeepableException.class)
                .hasMessageContaining("more than 1000 objects");
    }

    /// Returns objects that hold each other, so many deep.
    private static Link chain(int length) {
        Link first = new Link();
        for (int i = 1; i < length; i++) {
            Link next = new Link();
            next.next = first;
            first = next;
        }
        return first;
    }

    @Test
    void nestingBeyondTheStackIsNotWritten() {
        Link last = chain(1_000_000);
        assertThatThrownBy(() -> codec().write(Map.of("a", last)))
                .isInstanceOf(UnkeepableException.class);
    }

    /// An array that claims a length of 2,000,000,000, without its elements.
    @Test
    void refusesAnArrayLongerThanTheBytes() throws Exception {
        byte[] bytes = raw(new byte[5]);
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(changed);
        out.write(bytes, 0, bytes.length - 9);
        out.writeInt(2_000_000_000);
        out.write(bytes, bytes.length - 5, 5);
        assertThatThrownBy(() -> codec().read(changed.toByteArray()))
                .hasMessageContaining("longer than the bytes");
    }

    @Test
    void refusesTooManyBytesOneAboveTheLimitOnly() throws Exception {
        int overhead = codec().write(Map.of("a", new byte[0])).length;
        VaultLimits limits = new VaultLimits(1, overhead + 100, 200, 1_000);
        AttributeCodec small =
                new AttributeCodec(LOADER, new ClassRules(LOADER, List.of()), limits);
        assertThat(small.write(Map.of("a", new byte[100]))).hasSize(overhead + 100);
        assertThatThrownBy(() -> small.write(Map.of("a", new byte[101])))
                .isInstanceOf(UnkeepableException.class)
                .hasMessageContaining("more than " + (overhead + 100) + " bytes");
    }

    @Test
    void everyTruncationIsRefused() throws Exception {
        byte[] bytes = codec().write(Map.of("a", List.of(new Item("x", 1))));
        for (int i = 1; i < bytes.length; i++) {
            byte[] cut = Arrays.copyOf(bytes, i);
            assertThatThrownBy(() -> codec().read(cut)).isInstanceOf(DamagedSessionException.class);
        }
    }

    @Test
    void changedClassIsNamed() throws Exception {
        byte[] bytes = raw(new Link());
        int at = indexOf(bytes, "Link") + 4;
        bytes[at + 7] ^= 1; // its serialVersionUID
        assertThatThrownBy(() -> codec().read(bytes))
                .hasMessageContaining("has changed")
                .hasMessageContaining("Link");
        assertThat(bytes[0]).isEqualTo((byte) (ObjectStreamConstants.STREAM_MAGIC >> 8));
    }

    private static int indexOf(byte[] bytes, String text) {
        return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf(text);
    }

    @Test
    void patternsAreChecked() {
        assertThat(ClassRules.check("com.acme.**")).isEqualTo("com.acme.**");
        for (String wrong : List.of("", "*", "com.", "com acme", "com.acme.***", "!com.x")) {
            assertThatIllegalArgumentException().isThrownBy(() -> ClassRules.check(wrong));
        }
    }

    @Test
    void patternsMeanWhatTheySay() {
        assertThat(new ClassRules(LOADER, List.of("java.net.*")).allows(URL.class)).isTrue();
        assertThat(new ClassRules(LOADER, List.of("java.*")).allows(URL.class)).isFalse();
        assertThat(new ClassRules(LOADER, List.of("java.**")).allows(URL.class)).isTrue();
        assertThat(new ClassRules(LOADER, List.of("java.net.UR")).allows(URL.class)).isFalse();
    }
}
