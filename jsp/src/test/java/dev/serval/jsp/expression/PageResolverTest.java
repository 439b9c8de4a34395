package dev.serval.jsp.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.el.BeanNameELResolver;
import jakarta.el.BeanNameResolver;
import jakarta.el.ELClass;
import jakarta.el.ELContext;
import jakarta.el.ELException;
import jakarta.el.ELResolver;
import jakarta.el.ExpressionFactory;
import jakarta.el.TypeConverter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.jasper.el.ELContextImpl;
import org.apache.jasper.el.JasperELResolver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares the resolver with that of Jasper, which asks every resolver in turn (Pages 4.0 §2.9).
final class PageResolverTest {
    private static final ELResolver STREAMS = ExpressionFactory.newInstance().getStreamELResolver();

    /// A class with a property that can be written.
    public static final class Bean {
        private String name = "ada";

        /// Returns the name.
        public String getName() {
            return name;
        }

        /// Sets the name.
        public void setName(String other) {
            name = other;
        }

        /// Returns a number that cannot be written.
        public int getNumber() {
            return 7;
        }

        /// Fails.
        public String getBroken() {
            if (name.isEmpty()) {
                return "";
            }
            throw new IllegalStateException("broken");
        }

        /// Returns a greeting.
        public String greet(String who) {
            return who + " meets " + name;
        }
    }

    /// A record with one component, and a method that looks like a getter.
    public record Point(int x) {
        /// Returns twice the component.
        public int getDouble() {
            return 2 * x;
        }

        /// Returns a number that is no component.
        public int seven() {
            return 7;
        }
    }

    /// A record whose component cannot be read.
    public record Unreadable(int x) {
        @Override
        public int x() {
            throw new IllegalStateException("unreadable");
        }
    }

    record Hidden(int x) {}

    /// A bundle with one text.
    public static final class Texts extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] {{"hello", "Hello"}};
        }
    }

    static List<Arguments> properties() {
        return List.of(
                Arguments.of(new Bean(), "name"),
                Arguments.of(new Bean(), "number"),
                Arguments.of(new Bean(), "broken"),
                Arguments.of(new Bean(), "absent"),
                Arguments.of(new Bean(), "class"),
                Arguments.of(Map.of("a", 1), "a"),
                Arguments.of(Map.of("a", 1), "b"),
                Arguments.of(new HashMap<>(Map.of("a", 1)), "a"),
                Arguments.of(new HashMap<>(Map.of(1L, 2)), 1L),
                Arguments.of(List.of("x", "y"), 1),
                Arguments.of(List.of("x", "y"), "1"),
                Arguments.of(new ArrayList<>(List.of("x", "y")), 0L),
                Arguments.of(List.of("x", "y"), 2),
                Arguments.of(List.of("x", "y"), "size"),
                Arguments.of(new int[] {4, 5}, 1),
                Arguments.of(new String[] {"4"}, "0"),
                Arguments.of(new String[] {"4"}, 1),
                Arguments.of(new String[] {"4"}, "length"),
                Arguments.of(new Point(3), "x"),
                Arguments.of(new Point(3), "double"),
                Arguments.of(new Point(3), "y"),
                Arguments.of(new Point(3), "seven"),
                Arguments.of(new Point(3), 1),
                Arguments.of(new Unreadable(3), "x"),
                Arguments.of(new Hidden(3), "x"),
                Arguments.of(new Texts(), "hello"),
                Arguments.of(new Texts(), "absent"),
                Arguments.of(new ELClass(Integer.class), "MAX_VALUE"),
                Arguments.of(new ELClass(Integer.class), "absent"),
                Arguments.of(Locale.FRANCE, "country"),
                Arguments.of("text", "blank"),
                Arguments.of("text", "class"));
    }

    @ParameterizedTest
    @MethodSource("properties")
    void resolvesPropertyAsJasperDoes(Object base, Object property) {
        same(r -> el -> r.getValue(el, base, property));
        same(r -> el -> r.getType(el, base, property));
        same(r -> el -> r.isReadOnly(el, base, property));
        if (!(base instanceof int[])) { // whose elements only PageArrays sets
            same(r -> el -> set(r, el, base, property));
        }
    }

    private static Object set(ELResolver resolver, ELContext el, Object base, Object property) {
        resolver.setValue(el, base, property, "7");
        return resolver.getValue(el, base, property);
    }

    static List<Arguments> calls() {
        return List.of(
                Arguments.of(new Bean(), "greet", new Object[] {"bob"}),
                Arguments.of(new Bean(), "absent", new Object[0]),
                Arguments.of(List.of(1, 2), "size", new Object[0]),
                Arguments.of(List.of(1, 2), "stream", new Object[0]),
                Arguments.of(Map.of("a", 1), "get", new Object[] {"a"}),
                Arguments.of(new ELClass(Integer.class), "valueOf", new Object[] {"7"}),
                Arguments.of(new ELClass(String.class), "<init>", new Object[] {"7"}),
                Arguments.of(new Point(3), "x", new Object[0]),
                Arguments.of("text", "", new Object[0]),
                Arguments.of("text", "length", new Object[0]));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void callsMethodAsJasperDoes(Object base, String method, Object[] arguments) {
        same(r -> el -> kind(r.invoke(el, base, method, null, arguments)));
    }

    /// Returns the type of a stream, because each call makes another stream.
    private static Object kind(@Nullable Object result) {
        return result != null && result.getClass().getName().contains("stream")
                ? result.getClass()
                : String.valueOf(result);
    }

    @Test
    void convertsOnlyByResolversOfTheApplication() {
        ELResolver converter =
                new TypeConverter() {
                    @Override
                    public <T> @Nullable T convertToType(
                            ELContext el, Object value, Class<T> type) {
                        if (type == Point.class && value instanceof Integer x) {
                            el.setPropertyResolved(true);
                            return type.cast(new Point(x));
                        }
                        return null;
                    }
                };
        PageResolver resolver = new PageResolver(List.of(converter), STREAMS);
        ELContext el = new ELContextImpl(resolver);
        assertThat(resolver.convertToType(el, 4, Point.class)).isEqualTo(new Point(4));
        assertThat(el.isPropertyResolved()).isTrue();
        assertThat(resolver.convertToType(el, "4", Point.class)).isNull();
        assertThat(el.isPropertyResolved()).isFalse();
        PageResolver without = new PageResolver(List.of(), STREAMS);
        assertThat(without.convertToType(el, 4, Point.class)).isNull();
        without.add(converter);
        assertThat(without.convertToType(el, 4, Point.class)).isEqualTo(new Point(4));
    }

    @Test
    void asksResolversOfTheApplicationFirst() {
        ELResolver first = named("name", "by the application");
        PageResolver resolver = new PageResolver(List.of(first), STREAMS);
        ELContext el = new ELContextImpl(resolver);
        assertThat(resolver.getValue(el, null, "name")).isEqualTo("by the application");
        assertThat(resolver.getValue(el, new Bean(), "name")).isEqualTo("ada");
        assertThatThrownBy(() -> resolver.setValue(el, null, "name", "x"))
                .isInstanceOf(ELException.class);
    }

    /// A resolver that does not know the property must not count as the one that has set it.
    @Test
    void whatAnEarlierCallHasResolvedDoesNotCount() {
        PageResolver resolver = new PageResolver(List.of(named("other", "")), STREAMS);
        ELContext el = new ELContextImpl(resolver);
        Bean bean = new Bean();
        el.setPropertyResolved(true);
        resolver.setValue(el, bean, "name", "bob");
        assertThat(bean.getName()).isEqualTo("bob");
        el.setPropertyResolved(true);
        assertThat(resolver.getValue(el, bean, "name")).isEqualTo("bob");
        el.setPropertyResolved(true);
        assertThat(resolver.getType(el, bean, "name")).isEqualTo(String.class);
        el.setPropertyResolved(true);
        assertThat(resolver.isReadOnly(el, bean, "number")).isTrue();
        el.setPropertyResolved(true);
        assertThat(resolver.invoke(el, bean, "greet", null, new Object[] {"ada"}))
                .isEqualTo("ada meets bob");
    }

    @Test
    void commonTypeIsThatOfNamesOrOfAnyProperty() {
        PageResolver resolver = new PageResolver(List.of(), STREAMS);
        ELContext el = new ELContextImpl(resolver);
        assertThat(resolver.getCommonPropertyType(el, null)).isEqualTo(String.class);
        assertThat(resolver.getCommonPropertyType(el, new Bean())).isEqualTo(Object.class);
    }

    private static ELResolver named(String name, Object value) {
        return new BeanNameELResolver(
                new BeanNameResolver() {
                    @Override
                    public boolean isNameResolved(String other) {
                        return other.equals(name);
                    }

                    @Override
                    public Object getBean(String other) {
                        return value;
                    }

                    @Override
                    public boolean isReadOnly(String other) {
                        return true;
                    }
                });
    }

    /// What a resolver does with a context.
    private interface Use {
        @Nullable Object with(ELContext el);
    }

    private interface UseOf {
        Use of(ELResolver resolver);
    }

    private static void same(UseOf use) {
        String ours = outcome(use, new PageResolver(List.of(), STREAMS));
        assertThat(ours).isEqualTo(outcome(use, new JasperELResolver(List.of(), STREAMS)));
    }

    private static String outcome(UseOf use, ELResolver resolver) {
        ELContext el = new ELContextImpl(resolver);
        Callable<Object> call = () -> use.of(resolver).with(el);
        try {
            return call.call() + ", resolved: " + el.isPropertyResolved();
        } catch (Exception e) {
            return e.getClass().getName() + ": " + e.getMessage();
        }
    }
}
