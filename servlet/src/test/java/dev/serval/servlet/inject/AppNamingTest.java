package dev.serval.servlet.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.Await;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Names under `java:`, by look-up and by JNDI as the code of an application uses it.
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // JNDI is what is tested
final class AppNamingTest {
    private static final AppNaming NAMING =
            AppNaming.of(
                    "shop",
                    Map.of(
                            "text",
                            "words",
                            "jdbc/main",
                            "source",
                            "java:app/shared",
                            5,
                            "java:global/everywhere",
                            6));

    /// The class loader of an application, as far as names need it.
    private static final class Loader extends ClassLoader implements NamingOwner {
        private final AppNaming naming;

        Loader(AppNaming naming) {
            // Like an application's: sees the JDK, and nothing of the server.
            super(ClassLoader.getPlatformClassLoader());
            this.naming = naming;
        }

        @Override
        public AppNaming naming() {
            return naming;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals(AppNaming.FACTORY_CLASS)) {
                return Class.forName(name);
            }
            throw new ClassNotFoundException(name);
        }

        @Override
        protected Enumeration<URL> findResources(String name) throws IOException {
            return name.equals(AppNaming.JNDI_PROPERTIES)
                    ? Collections.enumeration(List.of(AppNaming.jndiProperties()))
                    : Collections.emptyEnumeration();
        }
    }

    private static <T> T within(ClassLoader loader, Callable<T> code) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return code.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static <T> T within(Callable<T> code) throws Exception {
        return within(new Loader(NAMING), code);
    }

    @ParameterizedTest
    @CsvSource({
        "java:comp/env/text, words",
        "java:module/env/text, words",
        "java:comp/env/jdbc/main, source",
        "java:app/shared, 5",
        "java:global/everywhere, 6",
        "java:module/ModuleName, shop",
        "java:comp/ModuleName, shop",
        "java:app/AppName, shop",
    })
    void findsNames(String name, String expected) throws Exception {
        assertThat(NAMING.lookup(name)).hasToString(expected);
        assertThat(within(() -> new InitialContext().lookup(name))).hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java:comp/env/none",
                "java:comp/env/text/below",
                "java:comp/envtext",
                "java:app/text",
                "java:nowhere"
            })
    void unknownNamesAreReported(String name) throws Exception {
        assertThat(NAMING.lookup(name)).isNull();
        assertThatThrownBy(() -> within(() -> new InitialContext().lookup(name)))
                .isInstanceOf(NameNotFoundException.class)
                .hasMessageContaining(name);
    }

    @Test
    void relativeNamesAreInTheEnvironment() {
        assertThat(NAMING.lookup("text")).isEqualTo("words");
        assertThat(NAMING.lookup("jdbc")).as("a folder").isNull();
    }

    @Test
    void foldersAreContexts() throws Exception {
        within(() -> {
            Context env = (Context) new InitialContext().lookup("java:comp/env");
            assertThat(env.lookup("text")).isEqualTo("words");
            assertThat(env.lookup("jdbc/main")).isEqualTo("source");
            assertThat(env.lookup(new CompositeName("jdbc/main"))).isEqualTo("source");
            assertThat(((Context) env.lookup("jdbc")).lookup("main")).isEqualTo("source");
            assertThat(((Context) env.lookup("")).lookup("text")).isEqualTo("words");
            assertThat(env.getNameInNamespace()).isEqualTo("java:comp/env");
            assertThat(env.lookupLink("text")).isEqualTo("words");
            assertThat(((Context) new InitialContext().lookup("java:")).lookup("app/shared"))
                    .isEqualTo(5);
            return env;
        });
    }

    /// Libraries find out in this way whether there is JNDI, such as Spring for environment entries.
    @Test
    void initialContextIsThatOfTheApplication() throws Exception {
        within(() -> {
            InitialContext initial = new InitialContext();
            assertThat(initial.getEnvironment()).isNotNull();
            assertThat(initial.getNameInNamespace()).isEqualTo("java:");
            assertThatThrownBy(() -> initial.lookup("jdbc/main"))
                    .isInstanceOf(NameNotFoundException.class);
            return initial;
        });
    }

    @Test
    void anApplicationWithoutEntriesHasAnEmptyEnvironment() throws Exception {
        Object env =
                within(
                        new Loader(AppNaming.of("a", Map.of())),
                        () -> new InitialContext().lookup("java:comp/env"));
        assertThat(((Context) env).list("").hasMore()).isFalse();
    }

    @Test
    void listsNames() throws Exception {
        within(() -> {
            Map<String, String> types = new TreeMap<>();
            for (NameClassPair pair :
                    Collections.list(new InitialContext().list("java:comp/env"))) {
                types.put(pair.getName(), pair.getClassName());
            }
            assertThat(types.keySet()).containsExactly("jdbc", "text");
            assertThat(types).containsEntry("text", "java.lang.String");
            Map<String, Object> values = new TreeMap<>();
            for (var binding :
                    Collections.list(new InitialContext().listBindings("java:comp/env/jdbc"))) {
                values.put(binding.getName(), binding.getObject());
            }
            assertThat(values).isEqualTo(Map.of("main", "source"));
            return assertThatThrownBy(() -> new InitialContext().list("java:comp/env/text"))
                    .isInstanceOf(NotContextException.class);
        });
    }

    /// A call that changes names.
    @FunctionalInterface
    interface Change {
        void on(Context context) throws NamingException;
    }

    @Test
    void namesAreReadOnly() throws Exception {
        List<Change> changes =
                List.of(
                        env -> env.bind("x", 1),
                        env -> env.rebind("x", 1),
                        env -> env.unbind("text"),
                        env -> env.rename("text", "x"),
                        env -> env.createSubcontext("x"),
                        env -> env.destroySubcontext("jdbc"),
                        env -> env.bind(new CompositeName("x"), 1),
                        env -> env.rebind(new CompositeName("x"), 1),
                        env -> env.unbind(new CompositeName("text")),
                        env -> env.rename(new CompositeName("text"), new CompositeName("x")),
                        env -> env.createSubcontext(new CompositeName("x")),
                        env -> env.destroySubcontext(new CompositeName("jdbc")));
        Context env = (Context) NAMING.context(Map.of()).lookup("comp/env");
        for (Change change : changes) {
            assertThatThrownBy(() -> change.on(env))
                    .isInstanceOf(OperationNotSupportedException.class);
        }
        assertThatThrownBy(() ->
                        within(() -> {
                            new InitialContext().bind("java:comp/env/x", 1);
                            return 1;
                        }))
                .isInstanceOf(OperationNotSupportedException.class);
        assertThat(NAMING.lookup("x")).isNull();
    }

    @Test
    void composesNamesAndKeepsAnEnvironment() throws Exception {
        Context context = NAMING.context(new Hashtable<>(Map.of("a", "1")));
        assertThat(context.composeName("x", "java:comp/env")).isEqualTo("java:comp/env/x");
        assertThat(context.getNameParser("").parse("a/b")).hasToString("a/b");
        assertThat(context.addToEnvironment("b", "2")).isNull();
        assertThat(context.getEnvironment()).isEqualTo(new Hashtable<>(Map.of("a", "1", "b", "2")));
        assertThat(context.removeFromEnvironment("a")).isEqualTo("1");
        context.close();
    }

    @Test
    void applicationsDoNotSeeEachOther() throws Exception {
        Loader other = new Loader(AppNaming.of("other", Map.of("text", "else")));
        assertThat(within(other, () -> new InitialContext().lookup("java:comp/env/text")))
                .isEqualTo("else");
        assertThat(within(() -> new InitialContext().lookup("java:comp/env/text")))
                .isEqualTo("words");
        ClassLoader child = new ClassLoader(other) {};
        assertThat(within(child, () -> new InitialContext().lookup("java:comp/env/text")))
                .isEqualTo("else");
    }

    @Test
    void threadsOfNoApplicationHaveNoNames() {
        assertThatThrownBy(() -> new InitialContext().lookup("java:comp/env/text"))
                .isInstanceOf(NoInitialContextException.class);
    }

    @Test
    void theFactorySaysWhyItHasNoNames() throws Exception {
        Loader loader = new Loader(NAMING);
        Class<?> factory = loader.loadClass(AppNaming.FACTORY_CLASS);
        javax.naming.spi.ObjectFactory created =
                (javax.naming.spi.ObjectFactory) factory.getConstructor().newInstance();
        assertThatThrownBy(() -> created.getObjectInstance(none(), none(), none(), none()))
                .isInstanceOf(NoInitialContextException.class)
                .hasMessageContaining("belongs to no application");
        within(
                loader,
                () -> {
                    String[] urls = {"java:comp/env/none", "java:comp/env/text"};
                    assertThat(created.getObjectInstance(urls, none(), none(), none()))
                            .isEqualTo("words");
                    return assertThatThrownBy(
                                    () -> created.getObjectInstance(5, none(), none(), none()))
                            .isInstanceOf(NamingException.class);
                });
    }

    @Test
    void jndiKeepsNothingOfAnApplication() throws Exception {
        WeakReference<ClassLoader> loader = used();
        Await.until(
                "the loader is collected",
                () -> {
                    System.gc();
                    return loader.get() == null;
                });
    }

    private static WeakReference<ClassLoader> used() throws Exception {
        Loader loader = new Loader(NAMING);
        assertThat(within(loader, () -> new InitialContext().lookup("java:comp/env/text")))
                .isEqualTo("words");
        assertThat(within(loader, () -> new InitialContext().getEnvironment())).isNotNull();
        return new WeakReference<>(loader);
    }

    @Test
    void nothingOfTheProcessIsInTheWay() {
        @Nullable String obstacle = AppNaming.obstacle();
        assertThat(obstacle).isNull();
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // JNDI passes nulls
    private static <T> T none() {
        return null;
    }
}
