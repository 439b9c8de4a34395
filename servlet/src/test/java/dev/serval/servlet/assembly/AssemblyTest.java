package dev.serval.servlet.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.ListenerDescription;
import dev.serval.servlet.descriptor.NamingDescription.InjectionTarget;
import dev.serval.servlet.descriptor.NamingDescription.LifecycleMethod;
import dev.serval.servlet.descriptor.ServletDescription;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// web.xml and fragments put together (Servlet 6.1 §8.2.3).
final class AssemblyTest {
    private static final String CART =
            "<servlet><servlet-name>cart</servlet-name><servlet-class>Cart</servlet-class>%s</servlet>";
    private static final String PARAM =
            "<init-param><param-name>%s</param-name><param-value>%s</param-value></init-param>";
    private static final String MAPPING =
            "<servlet-mapping><servlet-name>cart</servlet-name><url-pattern>%s</url-pattern></servlet-mapping>";
    private static final String FILTER =
            "<filter><filter-name>f</filter-name><filter-class>F</filter-class></filter>";
    private static final String FILTER_MAPPING =
            "<filter-mapping><filter-name>f</filter-name><url-pattern>%s</url-pattern></filter-mapping>";

    @Test
    void initParamsAddUpAndWebXmlDecides() throws DescriptorException, IOException {
        FakeApp app = new FakeApp().web(CART.formatted(PARAM.formatted("a", "web")));
        app.jar("one")
                .fragment(CART.formatted(PARAM.formatted("a", "1") + PARAM.formatted("b", "same")));
        app.jar("two")
                .fragment(
                        CART.formatted(
                                PARAM.formatted("a", "2")
                                        + PARAM.formatted("b", "same")
                                        + PARAM.formatted("c", "2")));

        assertThat(app.servlet("cart").initParams())
                .containsExactly(entry("a", "web"), entry("b", "same"), entry("c", "2"));
    }

    @Test
    void servletInheritsElementsThatWebXmlLacks() throws DescriptorException, IOException {
        FakeApp app = new FakeApp().web(CART.formatted("<async-supported>false</async-supported>"));
        app.jar("one")
                .fragment(
                        CART.formatted(
                                "<load-on-startup>3</load-on-startup>"
                                        + "<async-supported>true</async-supported>"
                                        + "<multipart-config><max-file-size>7</max-file-size></multipart-config>"));
        app.jar("two").fragment(CART.formatted("<load-on-startup>3</load-on-startup>"));

        ServletDescription servlet = app.servlet("cart");
        assertThat(servlet.loadOnStartup()).isEqualTo(3);
        assertThat(servlet.asyncSupported()).isFalse();
        assertThat(servlet.multipart()).extracting("fileMaxBytes").isEqualTo(7L);
    }

    /// Each row is a part of two fragments, and the part of web.xml that decides.
    @ParameterizedTest(name = "§8.2.3: {0} and {1} are refused, unless web.xml has {2}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    <mime-mapping><extension>a</extension><mime-type>x/1</mime-type></mime-mapping> | <mime-mapping><extension>a</extension><mime-type>x/2</mime-type></mime-mapping> | <mime-mapping><extension>a</extension><mime-type>x/3</mime-type></mime-mapping> | mime-mapping "a"
                    <context-param><param-name>a</param-name><param-value>1</param-value></context-param> | <context-param><param-name>a</param-name><param-value>2</param-value></context-param> | <context-param><param-name>a</param-name><param-value>3</param-value></context-param> | context-param "a"
                    <servlet><servlet-name>s</servlet-name><servlet-class>S</servlet-class><load-on-startup>1</load-on-startup></servlet> | <servlet><servlet-name>s</servlet-name><servlet-class>S</servlet-class><load-on-startup>2</load-on-startup></servlet> | <servlet><servlet-name>s</servlet-name><load-on-startup>3</load-on-startup></servlet> | of the servlet "s" the element "load-on-startup"
                    <servlet><servlet-name>s</servlet-name><servlet-class>S</servlet-class></servlet> | <servlet><servlet-name>s</servlet-name><servlet-class>T</servlet-class></servlet> | <servlet><servlet-name>s</servlet-name><servlet-class>U</servlet-class></servlet> | of the servlet "s" the class
                    <filter><filter-name>f</filter-name><filter-class>F</filter-class></filter> | <filter><filter-name>f</filter-name><filter-class>G</filter-class></filter> | <filter><filter-name>f</filter-name><filter-class>H</filter-class></filter> | of the filter "f" the class
                    <session-config><session-timeout>1</session-timeout></session-config> | <session-config><session-timeout>2</session-timeout></session-config> | <session-config><session-timeout>3</session-timeout></session-config> | the element "session-timeout"
                    <session-config><cookie-config><name>a</name></cookie-config></session-config> | <session-config><cookie-config><name>b</name></cookie-config></session-config> | <session-config><cookie-config><name>c</name></cookie-config></session-config> | the element "cookie-name"
                    <error-page><error-code>404</error-code><location>/1</location></error-page> | <error-page><error-code>404</error-code><location>/2</location></error-page> | <error-page><error-code>404</error-code><location>/3</location></error-page> | error-page "404"
                    <env-entry><env-entry-name>e</env-entry-name><env-entry-value>1</env-entry-value></env-entry> | <env-entry><env-entry-name>e</env-entry-name><env-entry-value>2</env-entry-value></env-entry> | <env-entry><env-entry-name>e</env-entry-name><env-entry-value>3</env-entry-value></env-entry> | env-entry "e"
                    <resource-ref><res-ref-name>r</res-ref-name><res-type>A</res-type></resource-ref> | <resource-ref><res-ref-name>r</res-ref-name><res-type>B</res-type></resource-ref> | <resource-ref><res-ref-name>r</res-ref-name><res-type>C</res-type></resource-ref> | the "resource-ref r"
                    <login-config><realm-name>1</realm-name></login-config> | <login-config><realm-name>2</realm-name></login-config> | <login-config><realm-name>3</realm-name></login-config> | login-config
                    """)
    void refusesConflict(String one, String two, String web, String what)
            throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.jar("one").fragment(one);
        app.jar("two").fragment(two);

        assertThat(app.refusal())
                .startsWith("WEB-INF/lib/two.jar!/META-INF/web-fragment.xml:1:")
                .contains("The fragment declares " + what + " otherwise than")
                .contains("WEB-INF/lib/one.jar!/META-INF/web-fragment.xml:1:")
                .endsWith("Declare it in web.xml, which decides.");

        app.web(web);
        assertThat(app.draft().freeze()).isNotNull();
    }

    @Test
    void equalSettingsOfFragmentsAreOne() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        String same =
                "<mime-mapping><extension>a</extension><mime-type>x/1</mime-type></mime-mapping>"
                        + "<env-entry><env-entry-name>e</env-entry-name></env-entry>"
                        + CART.formatted("<load-on-startup>1</load-on-startup>");
        app.jar("one").fragment(same);
        app.jar("two").fragment(same);

        AppDescription description = app.description();
        assertThat(description.mediaTypes()).containsOnly(entry("a", "x/1"));
        assertThat(description.servlets()).hasSize(1);
        assertThat(description.naming().envEntries()).hasSize(1);
    }

    @Test
    void mappingsOfFragmentsAddUp() throws DescriptorException, IOException {
        FakeApp app = new FakeApp().web(CART.formatted(""));
        app.jar("one").fragment(MAPPING.formatted("/a") + FILTER + FILTER_MAPPING.formatted("/f"));
        app.jar("two").fragment(MAPPING.formatted("/b") + FILTER_MAPPING.formatted("/g"));

        assertThat(app.servlet("cart").urlPatterns()).containsExactly("/a", "/b");
        assertThat(app.description().filterMappings())
                .extracting(FilterMapping::target)
                .containsExactly(
                        new FilterMapping.Target.Pattern("/f"),
                        new FilterMapping.Target.Pattern("/g"));
    }

    @Test
    void mappingsOfWebXmlReplaceThoseOfFragments() throws DescriptorException, IOException {
        FakeApp app =
                new FakeApp().web(MAPPING.formatted("/web") + FILTER_MAPPING.formatted("/web"));
        app.jar("one")
                .fragment(
                        CART.formatted("")
                                + MAPPING.formatted("/a")
                                + FILTER
                                + FILTER_MAPPING.formatted("/f"));

        assertThat(app.servlet("cart").urlPatterns()).containsExactly("/web");
        assertThat(app.servlet("cart").component()).isEqualTo(new Component.Named("Cart"));
        assertThat(app.description().filterMappings())
                .extracting(FilterMapping::target)
                .containsExactly(new FilterMapping.Target.Pattern("/web"));
        assertThat(app.filter("f").component()).isEqualTo(new Component.Named("F"));
    }

    @Test
    void refusesPatternOfServletsInTwoSources() throws IOException {
        FakeApp app = new FakeApp().web(CART.formatted("") + MAPPING.formatted("/x"));
        app.jar("one")
                .fragment(
                        "<servlet><servlet-name>b</servlet-name><servlet-class>B</servlet-class></servlet>"
                                + "<servlet-mapping><servlet-name>b</servlet-name><url-pattern>/x</url-pattern></servlet-mapping>");

        assertThat(app.refusal())
                .startsWith("WEB-INF/lib/one.jar!/META-INF/web-fragment.xml:1:")
                .endsWith(
                        "The url-pattern \"/x\" of the servlet \"b\" already belongs to \"cart\". Map it"
                                + " once.");
    }

    @Test
    void listenersAreInFragmentOrderAndOnce() throws DescriptorException, IOException {
        String listener = "<listener><listener-class>%s</listener-class></listener>";
        FakeApp app = new FakeApp().web(listener.formatted("Web"));
        app.jar("one")
                .fragment(
                        "<name>one</name>"
                                + listener.formatted("One")
                                + listener.formatted("Both")
                                + "<ordering><after><name>two</name></after></ordering>");
        app.jar("two")
                .fragment(
                        "<name>two</name>"
                                + listener.formatted("Both")
                                + listener.formatted("Web")
                                + listener.formatted("Two"));

        assertThat(app.description().listeners())
                .extracting(ListenerDescription::component)
                .extracting(Component::text)
                .containsExactly("Web", "Both", "Two", "One");
    }

    @Test
    void distributableIsOnlyWhatIsSoInAllDescriptors() throws DescriptorException, IOException {
        FakeApp app = new FakeApp().web("<distributable/>");
        app.jar("plain");
        FakeJar jar = app.jar("one").fragment("<distributable/>");
        assertThat(app.description().distributable()).isTrue();

        jar.fragment("");
        assertThat(app.description().distributable()).isFalse();

        jar.fragment("<distributable/>");
        app.web("");
        assertThat(app.description().distributable()).isFalse();
    }

    @Test
    void welcomeFilesAddUpAndDisplayNamesDoNotCount() throws DescriptorException, IOException {
        String welcome = "<welcome-file-list><welcome-file>%s</welcome-file></welcome-file-list>";
        FakeApp app = new FakeApp().web(welcome.formatted("a"));
        app.jar("one")
                .fragment(
                        "<display-name>One</display-name>"
                                + welcome.formatted("b")
                                + welcome.formatted("a"));
        app.jar("two").fragment("<display-name>Two</display-name>");

        assertThat(app.description().welcomeFiles()).containsExactly("a", "b");
        assertThat(app.description().displayName()).isEmpty();
    }

    /// Applications write an empty name to have no welcome file (§10.10 has no other way).
    @ParameterizedTest
    @CsvSource({
        "<welcome-file/>, ",
        "<welcome-file>/</welcome-file>, ",
        "<welcome-file> </welcome-file><welcome-file>a</welcome-file>, a"
    })
    void emptyWelcomeFileNamesNone(String files, @Nullable String name)
            throws DescriptorException, IOException {
        AppDraft app =
                new FakeApp().web("<welcome-file-list>" + files + "</welcome-file-list>").draft();
        assertThat(app.welcomeFiles()).isEqualTo(name == null ? Set.of() : Set.of(name));
        assertThat(app.options().welcomeList()).isTrue();
        assertThat(new FakeApp().web("").draft().options().welcomeList()).isFalse();
    }

    @Test
    void injectionTargetsAddUp() throws DescriptorException, IOException {
        String ref =
                "<resource-ref><res-ref-name>foo</res-ref-name>%s<injection-target><injection-target-class>%s</injection-target-class><injection-target-name>x</injection-target-name></injection-target></resource-ref>";
        FakeApp app = new FakeApp().web(ref.formatted("<res-type>Web</res-type>", "Bar3"));
        app.jar("one").fragment(ref.formatted("<res-type>One</res-type>", "Bar"));
        app.jar("two").fragment(ref.formatted("<res-type>Two</res-type>", "Bar2"));

        assertThat(app.description().naming().references())
                .singleElement()
                .satisfies(merged -> {
                    assertThat(merged.values()).containsEntry("res-type", "Web");
                    assertThat(merged.targets())
                            .extracting(InjectionTarget::className)
                            .containsExactly("Bar3", "Bar", "Bar2");
                });
    }

    @Test
    void lifecycleMethodsOfWebXmlReplaceThoseOfFragments() throws DescriptorException, IOException {
        String method =
                "<post-construct><lifecycle-callback-method>%s</lifecycle-callback-method></post-construct>";
        FakeApp app = new FakeApp();
        app.jar("one").fragment(method.formatted("a"));
        app.jar("two").fragment(method.formatted("b"));
        assertThat(app.description().naming().postConstruct())
                .extracting(LifecycleMethod::method)
                .containsExactly("a", "b");

        app.web(method.formatted("web"));
        assertThat(app.description().naming().postConstruct())
                .extracting(LifecycleMethod::method)
                .containsExactly("web");
    }

    @Test
    void completeWebXmlIgnoresFragments() throws DescriptorException, IOException {
        FakeApp app = new FakeApp().web("metadata-complete=\"true\"", "");
        app.jar("one").fragment(CART.formatted("")).with("bad.class", new byte[] {1});
        app.jar("broken").fragment("<no-such-element/>");

        assertThat(app.description().servlets()).isEmpty();
        assertThat(app.assemble().jars()).hasSize(2);
    }

    @Test
    void excludedFragmentIsIgnored() throws DescriptorException, IOException {
        FakeApp app = new FakeApp().web("<absolute-ordering/>");
        app.jar("one").fragment(CART.formatted(""));

        assertThat(app.description().servlets()).isEmpty();
    }
}
