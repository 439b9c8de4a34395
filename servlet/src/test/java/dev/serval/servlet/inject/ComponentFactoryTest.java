package dev.serval.servlet.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Creation, injection and lifecycle methods (Servlet 6.1 §15.5, Jakarta Annotations 3.0 §2).
@SuppressWarnings({
    "ClassCanBeStatic",
    "DoNotCallSuggester",
    "UnusedMethod"
}) // the classes under test are wrong on purpose, or called by reflection
final class ComponentFactoryTest {
    private static final Origin AT = new Origin("WEB-INF/web.xml", 9, 1);
    private static final System.Logger LOG = System.getLogger(ComponentFactoryTest.class.getName());

    private static ComponentFactory factory(Environment environment, Map<String, Object> values) {
        return new ComponentFactory(
                ComponentFactoryTest.class.getClassLoader(),
                environment,
                AppNaming.of("app", values),
                LOG);
    }

    private static <T> T create(Class<T> type, Map<String, Object> values)
            throws DescriptorException {
        return factory(Environment.EMPTY, values).create(type, AT);
    }

    private static String name(Class<?> type, String member) {
        return type.getName() + "/" + member;
    }

    // Classes

    abstract static class Unfinished extends GenericServlet {
        private static final long serialVersionUID = 1;

        public Unfinished() {}
    }

    static class Hidden extends GenericServlet {
        private static final long serialVersionUID = 1;

        Hidden() {}

        @Override
        public void service(ServletRequest request, ServletResponse response) {}
    }

    static final class Throwing extends Hidden {
        private static final long serialVersionUID = 1;

        public Throwing() {
            throw new IllegalStateException("no luck");
        }
    }

    static final class Uninitialised extends Hidden {
        private static final long serialVersionUID = 1;
        static final int NEVER = Integer.parseInt("never");

        public Uninitialised() {}
    }

    final class Inner extends Hidden {
        private static final long serialVersionUID = 1;

        public Inner() {}
    }

    static final class Good extends Hidden {
        private static final long serialVersionUID = 1;

        public Good() {}
    }

    record Refusal(String className, String message) {}

    static List<Refusal> refusals() {
        return List.of(
                new Refusal("com.example.Missing", "com.example.Missing is missing"),
                new Refusal("java.lang.String", "is not a jakarta.servlet.Servlet"),
                new Refusal(Unfinished.class.getName(), "is abstract"),
                new Refusal(Servlet.class.getName(), "is abstract"),
                new Refusal(Hidden.class.getName(), "no public constructor without parameters"),
                new Refusal(Inner.class.getName(), "is an inner class"),
                new Refusal(Throwing.class.getName(), "java.lang.IllegalStateException: no luck"),
                new Refusal(Uninitialised.class.getName(), "static initialiser"));
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.MethodSource("refusals")
    void refusesClassesWithThePlaceAndTheReason(Refusal refusal) {
        Component code = new Component.Named(refusal.className());
        assertThatThrownBy(
                        () -> factory(Environment.EMPTY, Map.of()).create(code, Servlet.class, AT))
                .isInstanceOf(DescriptorException.class)
                .hasMessageStartingWith("WEB-INF/web.xml:9:1: ")
                .hasMessageContaining(refusal.message());
    }

    @Test
    void createsEachKindOfComponent() throws Exception {
        ComponentFactory factory = factory(Environment.EMPTY, Map.of());
        Good own = new Good();
        assertThat(factory.create(new Component.Instance(own), Servlet.class, AT)).isSameAs(own);
        assertThat(factory.create(new Component.OfClass(Good.class), Servlet.class, AT))
                .isInstanceOf(Good.class)
                .isNotSameAs(own);
        assertThat(factory.create(new Component.Named(Good.class.getName()), Servlet.class, AT))
                .isInstanceOf(Good.class);
        assertThat(factory.load(new Component.Named(Good.class.getName()), Servlet.class, AT))
                .isSameAs(Good.class);
        assertThatThrownBy(() -> factory.create(new Component.JspFile("/a.jsp"), Servlet.class, AT))
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("/a.jsp");
    }

    // Injection

    static class Parent {
        @Resource private String inherited = "unset";
        String set = "";

        public Parent() {}

        @Resource(name = "text")
        void setNamed(String value) {
            set += "parent " + value;
        }

        @Resource(name = "text")
        protected void setReplaced(String value) {
            set += "never " + value;
        }
    }

    static final class Everything extends Parent {
        @Resource private int number = -1;
        @Resource private boolean flag;
        @Resource private char letter;
        @Resource private @Nullable Long boxed;
        @Resource private double kept = 2.5;

        @Resource(name = "java:app/list")
        private @Nullable List<?> list;

        @Resource(lookup = "java:comp/env/text")
        private @Nullable String aliased;

        @Resource(name = "text", lookup = "java:app/none")
        private @Nullable String declared;

        public Everything() {}

        @Override
        protected void setReplaced(String value) {
            set += "never " + value;
        }
    }

    @Test
    void injectsFieldsAndSettersOfAllClasses() throws Exception {
        Everything everything =
                create(
                        Everything.class,
                        Map.of(
                                name(Parent.class, "inherited"),
                                "from above",
                                "text",
                                "words",
                                name(Everything.class, "number"),
                                42,
                                name(Everything.class, "flag"),
                                true,
                                name(Everything.class, "letter"),
                                'x',
                                name(Everything.class, "boxed"),
                                7L,
                                "java:app/list",
                                List.of(1)));
        assertThat(((Parent) everything).inherited).isEqualTo("from above");
        assertThat(everything.set).isEqualTo("parent words");
        assertThat(everything.number).isEqualTo(42);
        assertThat(everything.flag).isTrue();
        assertThat(everything.letter).isEqualTo('x');
        assertThat(everything.boxed).isEqualTo(7L);
        assertThat(everything.kept).as("no value is declared").isEqualTo(2.5);
        assertThat(everything.list).isEqualTo(List.of(1));
        assertThat(everything.aliased).isEqualTo("words");
        assertThat(everything.declared).isEqualTo("words");
    }

    static final class Implied {
        @Nullable String given;

        public Implied() {}

        @Resource
        private void setText(String value) {
            given = value;
        }

        @Resource
        private void setURL(String value) {
            given = value + given;
        }
    }

    @Test
    void settersImplyTheNameOfTheirProperty() throws Exception {
        Map<String, Object> text = Map.of("java:comp/env/" + name(Implied.class, "text"), "a");
        assertThat(create(Implied.class, text).given).isEqualTo("a");
        Map<String, Object> url = Map.of(name(Implied.class, "URL"), "b");
        assertThat(create(Implied.class, url).given).startsWith("b");
    }

    static final class Unbound {
        @Resource private @Nullable List<String> list;

        public Unbound() {}

        @Nullable List<String> list() {
            return list;
        }
    }

    static final class WrongType {
        @Resource(name = "x")
        private int number;

        public WrongType() {}

        int number() {
            return number;
        }
    }

    static final class StaticField {
        @Resource private static String text = "";

        public StaticField() {}

        static String text() {
            return text;
        }
    }

    static final class FinalField {
        @Resource private final @Nullable Object text = null;

        public FinalField() {}

        @Nullable Object text() {
            return text;
        }
    }

    static final class NoSetter {
        public NoSetter() {}

        @Resource(name = "x")
        void take(String value) {}
    }

    static final class FailingSetter {
        public FailingSetter() {}

        @Resource(name = "x")
        void setX(String value) {
            throw new IllegalStateException("refused " + value);
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Unbound.class,
                WrongType.class,
                StaticField.class,
                FinalField.class,
                NoSetter.class,
                FailingSetter.class
            })
    void refusesInjectionsThatCannotWork(Class<?> type) {
        assertThatThrownBy(() -> create(type, Map.of("x", "a")))
                .isInstanceOf(DescriptorException.class)
                .hasMessageStartingWith("@Resource of " + type.getName());
    }

    // Lifecycle methods

    static class First {
        final List<String> calls = new ArrayList<>();

        public First() {}

        @PostConstruct
        private void begin() {
            calls.add("First.begin");
        }

        @PostConstruct
        static void notOfThisClass(First first, int never) {
            throw new IllegalStateException();
        }

        @PreDestroy
        void end() {
            calls.add("First.end");
        }
    }

    static class Middle {
        final List<String> calls = new ArrayList<>();
        @Resource String text = "";

        public Middle() {}

        @PostConstruct
        private void begin() {
            calls.add("Middle.begin " + text);
        }

        @PreDestroy
        void end() {
            calls.add("Middle.end");
        }

        @PreDestroy
        void another() {}
    }

    static class Ancestor {
        final List<String> calls = new ArrayList<>();
        @Resource private String text = "";

        public Ancestor() {}

        @PostConstruct
        private void begin() {
            calls.add("Ancestor.begin " + text);
        }

        @PreDestroy
        protected void end() {
            calls.add("Ancestor.end");
        }
    }

    static class Derived extends Ancestor {
        public Derived() {}

        @PostConstruct
        void begin() {
            calls.add("Derived.begin");
        }

        @PreDestroy
        @Override
        protected void end() {
            calls.add("Derived.end");
        }
    }

    static final class Silent extends Ancestor {
        public Silent() {}

        @Override
        protected void end() {
            calls.add("never called");
        }
    }

    @Test
    void callsLifecycleMethodsOfSuperclassesFirstAndNeverReplacedOnes() throws Exception {
        ComponentFactory factory =
                factory(Environment.EMPTY, Map.of(name(Ancestor.class, "text"), "injected"));
        Derived derived = factory.create(Derived.class, AT);
        assertThat(derived.calls).containsExactly("Ancestor.begin injected", "Derived.begin");
        factory.destroy(derived);
        assertThat(derived.calls.subList(2, derived.calls.size())).containsExactly("Derived.end");
        Silent silent = factory.create(Silent.class, AT);
        factory.destroy(silent);
        assertThat(silent.calls).containsExactly("Ancestor.begin injected");
    }

    static final class ThrowsChecked {
        public ThrowsChecked() {}

        @PostConstruct
        void begin() throws IOException {
            throw new IOException();
        }
    }

    static final class TakesParameter {
        public TakesParameter() {}

        @PostConstruct
        void begin(int number) {}
    }

    static final class ReturnsValue {
        public ReturnsValue() {}

        @PreDestroy
        int end() {
            return 1;
        }
    }

    static final class StaticMethod {
        public StaticMethod() {}

        @PreDestroy
        static void end() {}
    }

    static final class FailingMethod {
        public FailingMethod() {}

        @PostConstruct
        void begin() {
            throw new IllegalStateException("no luck");
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                First.class,
                Middle.class,
                ThrowsChecked.class,
                TakesParameter.class,
                ReturnsValue.class,
                StaticMethod.class,
                FailingMethod.class
            })
    void refusesWrongLifecycleMethods(Class<?> type) {
        assertThatThrownBy(() -> create(type, Map.of())).isInstanceOf(DescriptorException.class);
    }

    @Test
    void aFailingPreDestroyDoesNotReachTheCaller() throws Exception {
        ComponentFactory factory = factory(Environment.EMPTY, Map.of());
        FailingEnd instance = factory.create(FailingEnd.class, AT);
        factory.destroy(instance);
        assertThat(instance.called).isTrue();
        factory.destroy(new Good());
    }

    static final class FailingEnd {
        boolean called;

        public FailingEnd() {}

        @PreDestroy
        void end() {
            called = true;
            throw new IllegalStateException("stuck");
        }
    }

    // Descriptors

    static class Described {
        final List<String> calls = new ArrayList<>();
        @Resource String text = "";
        int number;

        public Described() {}

        void setText(String value) {
            text = "set " + value;
        }

        @PostConstruct
        void annotated() {
            calls.add("annotated");
        }

        void begin() {
            calls.add("begin");
        }

        void end() {
            calls.add("end");
        }
    }

    private static Environment environment(boolean annotations, String member, String method) {
        String target = Described.class.getName();
        return new Environment(
                List.of(
                        new EnvEntry(
                                "t",
                                "java.lang.String",
                                "value",
                                null,
                                List.of(new InjectionTarget(target, "text")),
                                AT),
                        new EnvEntry(
                                "n",
                                "java.lang.Integer",
                                "5",
                                null,
                                List.of(new InjectionTarget(target, member)),
                                AT)),
                List.of(),
                List.of(new LifecycleCall(target, method, AT)),
                List.of(new LifecycleCall(target, "end", AT)),
                annotations);
    }

    private static ComponentFactory described(Environment environment) throws DescriptorException {
        ClassLoader loader = ComponentFactoryTest.class.getClassLoader();
        return new ComponentFactory(
                loader, environment, EnvValues.naming("app", environment, Map.of(), loader), LOG);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void descriptorsInjectAndName(boolean annotations) throws Exception {
        ComponentFactory factory = described(environment(annotations, "number", "begin"));
        Described instance = factory.create(Described.class, AT);
        assertThat(instance.text).isEqualTo("set value");
        assertThat(instance.number).isEqualTo(5);
        assertThat(instance.calls).containsExactly("begin");
        factory.destroy(instance);
        assertThat(instance.calls).containsExactly("begin", "end");
    }

    @Test
    void annotationsDoNotCountIfDescriptorsAreComplete() throws Exception {
        Environment complete = new Environment(List.of(), List.of(), List.of(), List.of(), false);
        Derived derived =
                factory(complete, Map.of(name(Ancestor.class, "text"), "x"))
                        .create(Derived.class, AT);
        assertThat(derived.calls).isEmpty();
        assertThat(((Ancestor) derived).text).isEmpty();
    }

    @Test
    void descriptorsThatNameNoMemberAreRefused() {
        assertThatThrownBy(() ->
                        described(environment(true, "none", "begin")).create(Described.class, AT))
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("neither a setter nor a field \"none\"");
        assertThatThrownBy(() ->
                        described(environment(true, "number", "none")).create(Described.class, AT))
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("no method none()");
    }
}
