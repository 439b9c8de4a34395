package dev.serval.servlet.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.FilterDescription;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.ListenerDescription;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.descriptor.NamingDescription;
import dev.serval.servlet.descriptor.SecurityDescription;
import dev.serval.servlet.descriptor.SecurityDescription.Transport;
import dev.serval.servlet.descriptor.ServletDescription;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Annotations of classes, and what descriptors make of them (Servlet 6.1 §8.1, §8.2.3).
final class AnnotationsTest {
    private static final String CART_CLASS = Samples.Cart.class.getName();

    @Test
    void readsServlet() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.classes.with(Samples.Cart.class);

        ServletDescription servlet = app.servlet("cart");
        assertThat(servlet.component()).isEqualTo(new Component.Named(CART_CLASS));
        assertThat(servlet.urlPatterns()).containsExactly("/cart", "/cart/*");
        assertThat(servlet.initParams())
                .containsExactly(entry("a", "annotation"), entry("b", "annotation"));
        assertThat(servlet.loadOnStartup()).isEqualTo(4);
        assertThat(servlet.asyncSupported()).isTrue();
        assertThat(servlet.multipart()).isEqualTo(new MultipartLimits("up", 10, 20, 5));
        assertThat(servlet.runAs()).isEqualTo("clerk");
        assertThat(servlet.origin()).hasToString("class " + CART_CLASS);
    }

    @Test
    void readsSecurity() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.classes.with(Samples.Cart.class);

        SecurityDescription security = app.description().security();
        assertThat(security.roles()).containsExactlyInAnyOrder("clerk", "admin");
        SecurityDescription.ServletRules rules =
                Objects.requireNonNull(security.servletRules().get("cart"));
        assertThat(rules.others().roles()).containsExactly("clerk");
        assertThat(rules.others().transport()).isEqualTo(Transport.CONFIDENTIAL);
        assertThat(rules.others().deny()).isFalse();
        assertThat(rules.byMethod()).containsOnlyKeys("TRACE");
        assertThat(rules.byMethod().values())
                .allMatch(rule -> rule.deny() && rule.roles().isEmpty());
    }

    private static String bare() {
        return "<servlet><servlet-name>bare</servlet-name><servlet-class>"
                + Samples.GuardedBare.class.getName()
                + "</servlet-class></servlet>";
    }

    private static Map<String, Set<String>> roles(FakeApp app)
            throws DescriptorException, IOException {
        Map<String, Set<String>> roles = new TreeMap<>();
        app.description()
                .security()
                .servletRules()
                .forEach((servlet, rules) -> roles.put(servlet, rules.others().roles()));
        return roles;
    }

    /// Also from a jar whose own components do not count (Servlet 6.1 §13.4.1).
    @ParameterizedTest
    @ValueSource(strings = {"classes", "complete jar", "excluded jar"})
    void securityOfASuperclassIsInheritedAndNothingElse(String place)
            throws DescriptorException, IOException {
        boolean excluded = place.equals("excluded jar");
        FakeApp app = new FakeApp().web((excluded ? "<absolute-ordering/>" : "") + bare());
        FakeJar superclass = place.equals("classes") ? app.classes : app.jar("one");
        if (place.equals("complete jar")) {
            superclass.fragment("metadata-complete=\"true\"", "");
        }
        superclass.with(Samples.Guarded.class);
        app.classes
                .with(Samples.GuardedUsers.class)
                .with(Samples.GuardedBare.class)
                .with(Samples.GuardedClerks.class);

        assertThat(roles(app))
                .containsOnly(
                        entry("users", Set.of("admin")),
                        entry("bare", Set.of("admin")),
                        entry("clerks", Set.of("clerk"))); // its own
        assertThat(app.servlet("bare").multipart()).isNull();
        assertThat(app.servlet("bare").runAs()).isNull();
    }

    @Test
    void classOfACompleteFragmentInheritsNothing() throws DescriptorException, IOException {
        FakeApp app = new FakeApp().web(bare());
        app.classes.with(Samples.Guarded.class);
        app.jar("one").fragment("metadata-complete=\"true\"", "").with(Samples.GuardedBare.class);

        assertThat(roles(app)).isEmpty();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void superclassesMayLeadBack() throws DescriptorException, IOException {
        FakeApp app =
                new FakeApp()
                        .web(
                                "<servlet><servlet-name>a</servlet-name>"
                                        + "<servlet-class>x.A</servlet-class></servlet>");
        app.classes.with("x/A.class", classFile("x.A", "x.B"));
        app.classes.with("x/B.class", classFile("x.B", "x.A"));

        assertThat(roles(app)).isEmpty();
    }

    private static byte[] classFile(String name, String superclass) {
        return ClassFile.of()
                .build(ClassDesc.of(name), type -> type.withSuperclass(ClassDesc.of(superclass)));
    }

    private static Map<String, String> sources(FakeApp app)
            throws DescriptorException, IOException {
        Map<String, String> urls = new TreeMap<>();
        for (NamingDescription.Reference source : app.draft().naming().references()) {
            assertThat(source.kind()).isEqualTo("data-source");
            urls.put(source.name(), source.values().getOrDefault("url", "none"));
        }
        return urls;
    }

    @Test
    void readsDataSource() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.classes.with(Samples.OneSource.class);

        NamingDescription.Reference source = app.draft().naming().references().getFirst();
        assertThat(source.name()).isEqualTo("jdbc/one");
        assertThat(source.origin()).hasToString("class " + Samples.OneSource.class.getName());
        assertThat(source.values())
                .containsOnly(
                        entry("class-name", "com.acme.Source"),
                        entry("server-name", "db"),
                        entry("port-number", "5"),
                        entry("database-name", "shop"),
                        entry("user", "ann"),
                        entry("password", "secret"),
                        entry("isolation-level", "TRANSACTION_SERIALIZABLE"),
                        entry("max-pool-size", "3"),
                        entry("property ssl", "true"),
                        entry("property mode", "a=b"));
    }

    @Test
    void readsSeveralDataSourcesAndWebXmlDecides() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.classes.with(Samples.TwoSources.class);
        assertThat(sources(app))
                .containsExactly(entry("jdbc/one", "jdbc:x"), entry("jdbc/two", "jdbc:y"));

        app.web("<data-source><name>jdbc/two</name><url>jdbc:web:y</url></data-source>");
        assertThat(sources(app))
                .containsExactly(entry("jdbc/one", "jdbc:x"), entry("jdbc/two", "jdbc:web:y"));
    }

    @Test
    void twoClassesWithOneDataSourceAreRefused() throws IOException {
        FakeApp app = new FakeApp();
        app.classes.with(Samples.OneSource.class).with(Samples.TwoSources.class);
        assertThatThrownBy(app::draft)
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("jdbc/one")
                .hasMessageContaining("Remove one");
    }

    @Test
    void servletHasItsClassAsName() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.jar("one").with(Samples.Plain.class);

        ServletDescription servlet = app.servlet(Samples.Plain.class.getName());
        assertThat(servlet.urlPatterns()).containsExactly("/plain");
        assertThat(servlet.loadOnStartup()).isEqualTo(-1);
        assertThat(servlet.asyncSupported()).isFalse();
        assertThat(servlet.multipart()).isNull();
    }

    @Test
    void readsFilterAndListener() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.classes.with(Samples.Log.class).with(Samples.Listener.class);

        AppDescription description = app.description();
        FilterDescription filter = app.filter("log");
        assertThat(filter.asyncSupported()).isTrue();
        assertThat(filter.initParams()).containsExactly(entry("level", "debug"));
        assertThat(description.filterMappings())
                .extracting(FilterMapping::target)
                .containsExactly(
                        new FilterMapping.Target.Pattern("/*"),
                        new FilterMapping.Target.Servlet("cart"));
        assertThat(description.filterMappings().getFirst().dispatchers())
                .containsExactlyInAnyOrder(DispatcherType.REQUEST, DispatcherType.ERROR);
        assertThat(description.listeners())
                .extracting(ListenerDescription::component)
                .containsExactly(new Component.Named(Samples.Listener.class.getName()));
    }

    @Test
    void descriptorOverridesAnnotationOfSameName() throws DescriptorException, IOException {
        FakeApp app =
                new FakeApp()
                        .web(
                                """
                                <servlet>
                                  <servlet-name>cart</servlet-name>
                                  <servlet-class>%s</servlet-class>
                                  <init-param><param-name>a</param-name><param-value>web</param-value></init-param>
                                  <load-on-startup>1</load-on-startup>
                                  <async-supported>false</async-supported>
                                  <run-as><role-name>admin</role-name></run-as>
                                  <multipart-config/>
                                </servlet>
                                <servlet-mapping><servlet-name>cart</servlet-name><url-pattern>/web</url-pattern></servlet-mapping>
                                <filter-mapping><filter-name>log</filter-name><url-pattern>/web</url-pattern></filter-mapping>
                                """
                                        .formatted(CART_CLASS));
        app.classes.with(Samples.Cart.class).with(Samples.Log.class);

        ServletDescription servlet = app.servlet("cart");
        assertThat(servlet.initParams()).containsOnly(entry("a", "web"), entry("b", "annotation"));
        assertThat(servlet.urlPatterns()).containsExactly("/web");
        assertThat(servlet.loadOnStartup()).isEqualTo(1);
        assertThat(servlet.asyncSupported()).isFalse();
        assertThat(servlet.runAs()).isEqualTo("admin");
        assertThat(servlet.multipart()).isEqualTo(new MultipartLimits("", -1, -1, 0));
        assertThat(app.description().filterMappings())
                .extracting(FilterMapping::target)
                .containsExactly(new FilterMapping.Target.Pattern("/web"));
    }

    @Test
    void sameClassUnderAnotherNameIsAnotherServlet() throws DescriptorException, IOException {
        FakeApp app =
                new FakeApp()
                        .web(
                                """
                                <servlet><servlet-name>Fum</servlet-name><servlet-class>%s</servlet-class></servlet>
                                <servlet-mapping><servlet-name>Fum</servlet-name><url-pattern>/fum/*</url-pattern></servlet-mapping>
                                """
                                        .formatted(CART_CLASS));
        app.classes.with(Samples.Cart.class);

        assertThat(app.servlet("Fum").urlPatterns()).containsExactly("/fum/*");
        assertThat(app.servlet("Fum").initParams()).isEmpty();
        assertThat(app.servlet("Fum").multipart()).isEqualTo(new MultipartLimits("up", 10, 20, 5));
        assertThat(app.servlet("cart").urlPatterns()).containsExactly("/cart", "/cart/*");
    }

    @Test
    void annotationIsIgnoredIfDescriptorGivesItsNameToAnotherClass()
            throws DescriptorException, IOException {
        FakeApp app =
                new FakeApp()
                        .web(
                                "<servlet><servlet-name>cart</servlet-name><servlet-class>Mine</servlet-class></servlet>");
        app.classes.with(Samples.Cart.class);

        assertThat(app.servlet("cart").component()).isEqualTo(new Component.Named("Mine"));
        assertThat(app.servlet("cart").urlPatterns()).isEmpty();
        assertThat(app.assemble().warnings())
                .singleElement()
                .asString()
                .startsWith("class " + CART_CLASS + ": The annotation is ignored");
    }

    @Test
    void descriptorMayGiveTheOnlyPattern() throws DescriptorException, IOException {
        FakeApp app =
                new FakeApp()
                        .web(
                                "<servlet-mapping><servlet-name>none</servlet-name><url-pattern>/n</url-pattern></servlet-mapping>");
        app.classes.with(Samples.NoPattern.class);

        assertThat(app.servlet("none").urlPatterns()).containsExactly("/n");
    }

    @ParameterizedTest(name = "{0} is refused: {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    NoPattern    | @WebServlet of "none" has no urlPatterns. Add one, or a <servlet-mapping>.
                    TwoPatterns  | The annotation has both value and urlPatterns. Keep one.
                    WrongPattern | The url-pattern "wrong" begins with neither "/" nor "*.". Write "/wrong".
                    Unfinished   | The annotated class is abstract. Remove the annotation, or make it concrete.
                    """)
    void refusesWrongAnnotation(String type, String message)
            throws ClassNotFoundException, IOException {
        FakeApp app = new FakeApp();
        String className = Samples.class.getName() + "$" + type;
        app.jar("one").with(Class.forName(className, false, getClass().getClassLoader()));

        assertThat(app.refusal()).isEqualTo("class " + className + ": " + message);
    }

    @Test
    void refusesNameOfTwoAnnotatedClasses() throws IOException {
        FakeApp app = new FakeApp();
        app.classes.with(Samples.Cart.class);
        app.jar("one").with(Samples.OtherCart.class);

        assertThat(app.refusal())
                .isEqualTo(
                        "class "
                                + Samples.OtherCart.class.getName()
                                + ": The servlet \"cart\" is also the name of class "
                                + CART_CLASS
                                + ". Give one of the two another name.");
    }

    @Test
    void firstOfTwoClassesWithOneNameCounts() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.classes.with(Samples.Cart.class);
        app.jar("one").with(Samples.Cart.class);

        assertThat(app.description().servlets()).hasSize(1);
    }

    @Test
    void completeWebXmlIgnoresAnnotationsButNotHandledTypes()
            throws DescriptorException, IOException {
        FakeApp app = new FakeApp().web("metadata-complete=\"true\"", "");
        app.classes.with(Samples.Cart.class);

        AssembledApp assembled = app.assemble();
        assertThat(assembled.draft().servlets()).isEmpty();
        assertThat(app.description().metadataComplete()).isTrue();
        assertThat(app.classes.visits()).isZero();
        assertThat(assembled.classes().hierarchy(path -> null).facts(CART_CLASS)).isNotNull();
        assertThat(app.classes.visits()).isEqualTo(1);
    }

    @Test
    void completeFragmentIgnoresAnnotationsOfItsJar() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.jar("one").fragment("metadata-complete=\"true\"", "").with(Samples.Cart.class);
        app.jar("two").with(Samples.Plain.class);

        assertThat(app.description().servlets())
                .extracting(ServletDescription::name)
                .containsExactly(Samples.Plain.class.getName());
    }

    @Test
    void excludedJarIsNotScanned() throws DescriptorException, IOException {
        FakeApp app = new FakeApp().web("<absolute-ordering/>");
        FakeJar jar = app.jar("one").with(Samples.Cart.class);

        AssembledApp assembled = app.assemble();
        assertThat(assembled.draft().servlets()).isEmpty();
        assertThat(assembled.classes().hierarchy(path -> null).facts(CART_CLASS)).isNull();
        assertThat(jar.visits()).isZero();
    }

    @Test
    void annotationsOfNamedClassInExcludedJarCount() throws DescriptorException, IOException {
        FakeApp app =
                new FakeApp()
                        .web(
                                """
                                <absolute-ordering/>
                                <servlet><servlet-name>cart</servlet-name><servlet-class>%s</servlet-class></servlet>
                                <servlet><servlet-name>up</servlet-name><servlet-class>%s</servlet-class></servlet>
                                """
                                        .formatted(CART_CLASS, Samples.Upload.class.getName()));
        app.jar("one")
                .with(Samples.Cart.class)
                .with(Samples.Upload.class)
                .with(Samples.Plain.class);

        assertThat(app.description().servlets())
                .extracting(ServletDescription::name)
                .containsExactly("cart", "up");
        assertThat(app.servlet("cart").urlPatterns()).containsExactly("/cart", "/cart/*");
        assertThat(app.servlet("cart").runAs()).isEqualTo("clerk");
        assertThat(app.servlet("up").multipart()).isEqualTo(new MultipartLimits("", -1, -1, 0));
    }

    @Test
    void brokenClassFileIsWarningUnlessAnnotated() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        FakeJar jar = app.jar("one").with("a/Broken.class", new byte[] {1, 2, 3});
        assertThat(app.assemble().warnings())
                .singleElement()
                .asString()
                .startsWith("WEB-INF/lib/one.jar!/a/Broken.class: The class file is skipped. ");

        jar.with(
                "a/Cart.class",
                "Ljakarta/servlet/annotation/WebServlet;".getBytes(StandardCharsets.UTF_8));
        assertThat(app.refusal())
                .startsWith(
                        "WEB-INF/lib/one.jar!/a/Cart.class: The class file declares a component, but"
                                + " cannot be read.")
                .endsWith("Build it again.");
    }
}
