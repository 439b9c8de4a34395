package dev.serval.servlet.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Wrong descriptors are refused with a message that begins with file, line and column, and says what
/// to do.
final class WrongDescriptorTest {
    private static final String HEAD =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee"
                version="6.1">
            """;

    /// The elements begin in line 4.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    <servlt/>                                                        | 4:1: <servlt> is not an element of <web-app>. Did you mean <servlet>?
                    <completely-different/>                                          | 4:1: <completely-different> is not an element of <web-app>. Remove it.
                    <servlet><servlet-nam>a</servlet-nam></servlet>                  | 4:10: <servlet-nam> is not an element of <servlet>. Did you mean <servlet-name>?
                    <servlet><servlet-class>A</servlet-class></servlet>              | 4:1: <servlet> has no <servlet-name>. Add one.
                    <servlet><servlet-name> </servlet-name></servlet>                | 4:10: <servlet-name> is empty. Give it a value.
                    <servlet><servlet-name>a</servlet-name></servlet>                | 4:1: The servlet "a" has neither a class nor a JSP file. Declare it by a <servlet> with a <servlet-class>, or correct the name.
                    <servlet><servlet-name>a</servlet-name><load-on-startup>soon</load-on-startup></servlet> | 4:40: <load-on-startup> is "soon", which is not a whole number from -2147483648 to 2147483647. Correct it.
                    <servlet><servlet-name>a</servlet-name><enabled>maybe</enabled></servlet> | 4:40: <enabled> is "maybe". Write true or false.
                    <servlet><servlet-name>a</servlet-name><jsp-file>a.jsp</jsp-file></servlet> | 4:40: The jsp-file "a.jsp" does not begin with "/". Write "/a.jsp".
                    <servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class><jsp-file>/a</jsp-file></servlet> | 4:1: The servlet "a" has both <servlet-class> and <jsp-file>. Keep one.
                    <servlet-mapping><servlet-name>a</servlet-name></servlet-mapping> | 4:1: <servlet-mapping> has no <url-pattern>. Add one.
                    <servlet-mapping><servlet-name>a</servlet-name><url-pattern>/a</url-pattern></servlet-mapping> | 4:1: The servlet "a" has neither a class nor a JSP file.
                    <servlet-mapping><servlet-name>a</servlet-name><url-pattern>cart</url-pattern></servlet-mapping> | 4:48: The url-pattern "cart" begins with neither "/" nor "*.". Write "/cart".
                    <servlet-mapping><servlet-name>a</servlet-name><url-pattern>*.</url-pattern></servlet-mapping> | 4:48: The url-pattern "*." has no extension after "*.". Write for example "*.jsp".
                    <servlet-mapping><servlet-name>a</servlet-name><url-pattern>*.a/b</url-pattern></servlet-mapping> | 4:48: The url-pattern "*.a/b" has no extension after "*.".
                    <servlet-mapping><servlet-name>a</servlet-name><url-pattern>/a&#10;</url-pattern></servlet-mapping> | 4:48: The url-pattern "/a" contains a line break. Write it on one line.
                    <servlet-mapping><servlet-name>a</servlet-name><url-pattern>/a&#13;b</url-pattern></servlet-mapping> | 4:48: The url-pattern
                    <filter><filter-name>a</filter-name></filter>                    | 4:1: The filter "a" has no class. Declare it by a <filter> with a <filter-class>, or correct the name.
                    <filter-mapping><filter-name>a</filter-name><url-pattern>/a</url-pattern></filter-mapping> | 4:45: The filter "a" has no class.
                    <filter-mapping><filter-name>a</filter-name></filter-mapping>    | 4:1: <filter-mapping> has neither <url-pattern> nor <servlet-name>. Add one.
                    <filter-mapping><filter-name>a</filter-name><url-pattern>/a</url-pattern><dispatcher>LATER</dispatcher></filter-mapping> | 4:74: The dispatcher "LATER" is not known.
                    <context-param><param-name>a</param-name></context-param>        | 4:1: <context-param> has no <param-value>. Add one, which may be empty.
                    <error-page><error-code>99</error-code><location>/a</location></error-page> | 4:13: <error-code> is "99", which is not a whole number from 100 to 999. Correct it.
                    <error-page><error-code>404</error-code><location>a</location></error-page> | 4:41: The location "a" does not begin with "/". Write "/a".
                    <error-page><error-code>404</error-code><exception-type>E</exception-type><location>/a</location></error-page> | 4:1: <error-page> has both <error-code> and <exception-type>. Keep one.
                    <session-config><tracking-mode>PIGEON</tracking-mode></session-config> | 4:17: The tracking mode "PIGEON" is not known. Write COOKIE, URL or SSL.
                    <session-config><cookie-config><name>a b</name></cookie-config></session-config> | 4:32: A cookie cannot have name "a b". Remove the characters that RFC 6265 forbids.
                    <session-config><cookie-config><path>/a;b</path></cookie-config></session-config> | 4:32: A cookie cannot have Path "/a;b".
                    <session-config/><session-config/>                               | 4:18: <web-app> has more than one <session-config>. Keep one.
                    <login-config/><login-config/>                                   | 4:16: <web-app> has more than one <login-config>. Keep one.
                    <login-config><auth-method>FORM</auth-method><form-login-config><form-login-page>login</form-login-page><form-error-page>/e</form-error-page></form-login-config></login-config> | 4:65: The page "login" does not begin with a slash.
                    <jsp-config/><jsp-config/>                                       | 4:14: <web-app> has more than one <jsp-config>. Keep one.
                    <request-character-encoding>UTF-99</request-character-encoding>  | 4:1: The encoding "UTF-99" is not known. Write for example UTF-8.
                    <default-context-path>shop</default-context-path>                | 4:1: <default-context-path> is "shop". Begin it with "/", and do not end it so.
                    <welcome-file-list><welcome-file>a/</welcome-file></welcome-file-list> | 4:20: The welcome file "a/" is no file name. Write for example index.html.
                    <env-entry><env-entry-name>a</env-entry-name><env-entry-value>1</env-entry-value><lookup-name>b</lookup-name></env-entry> | 4:1: The env-entry "a" has both <env-entry-value> and <lookup-name>. Keep one.
                    <a:servlet xmlns:a="other"/> | 4:1: <servlet> is of the namespace "other", unlike <web-app>. Remove it.
                    <ordering/>                                                      | 4:1: <ordering> is not an element of <web-app>.
                    <servlet>                                                        | 5:3: The descriptor is not well-formed XML:
                    """)
    void namesFileLineAndColumn(String elements, String message) throws IOException {
        FakeApp app = new FakeApp().webXml(HEAD + elements + "\n</web-app>");

        assertThat(app.refusal()).startsWith("WEB-INF/web.xml:" + message);
    }

    @Test
    void namesBothPlacesOfEqualNames() throws IOException {
        FakeApp app =
                new FakeApp()
                        .webXml(
                                HEAD
                                        + """
                                        <servlet>
                                          <servlet-name>a</servlet-name>
                                          <servlet-class>A</servlet-class>
                                        </servlet>
                                          <servlet>
                                            <servlet-name>a</servlet-name>
                                            <servlet-class>B</servlet-class>
                                          </servlet>
                                        </web-app>\
                                        """);

        assertThat(app.refusal())
                .isEqualTo(
                        "WEB-INF/web.xml:8:3: The servlet \"a\" is already declared at"
                                + " WEB-INF/web.xml:4:1. Give one of the two another name.");
    }

    @Test
    void refusesPatternOfTwoServlets() throws IOException {
        FakeApp app =
                new FakeApp()
                        .web(
                                """
                                <servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class></servlet>
                                <servlet><servlet-name>b</servlet-name><servlet-class>B</servlet-class></servlet>
                                <servlet-mapping><servlet-name>a</servlet-name><url-pattern>/x</url-pattern></servlet-mapping>
                                <servlet-mapping><servlet-name>b</servlet-name><url-pattern>/x</url-pattern></servlet-mapping>
                                """);

        assertThat(app.refusal())
                .isEqualTo(
                        "WEB-INF/web.xml:4:48: The url-pattern \"/x\" of the servlet \"b\" already belongs"
                                + " to \"a\". Map it once.");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    <web-app xmlns="http://example.com"/>                                 | :1:1: <web-app> has no version. Add version="6.1".
                    <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="7.0"/>  | :1:1: The version "7.0" is not known.
                    <web-app xmlns="http://example.com" version="6.1"/>                   | :1:1: Version 6.1 does not belong to the namespace
                    <web-fragment/>                                                       | :1:1: The root element is <web-fragment>. Write <web-app>.
                    <web-app metadata-complete="perhaps"/>                                | :1:1: metadata-complete is "perhaps". Write true or false.
                    <web-app                                                              | :1:9: The descriptor is not well-formed XML:
                    ''                                                                    | :1:1: The descriptor is not well-formed XML:
                    """)
    void checksRoot(String document, String message) throws IOException {
        assertThat(new FakeApp().webXml(document).refusal())
                .startsWith("WEB-INF/web.xml" + message);
    }

    @Test
    void blanksAroundAPatternAreLeftOut() throws Exception {
        FakeApp app =
                new FakeApp()
                        .web(
                                """
                                <servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class></servlet>
                                <servlet-mapping><servlet-name>a</servlet-name><url-pattern> /a </url-pattern></servlet-mapping>
                                """);
        AssembledApp read = app.assemble();
        assertThat(read.draft().freeze().servlets().getFirst().urlPatterns()).containsExactly("/a");
        assertThat(read.warnings())
                .containsExactly(
                        "WEB-INF/web.xml:2:48: The url-pattern \"/a\" has blanks at its ends, which are"
                                + " left out. Remove them.");
    }

    /// Tomcat takes them.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    <web-app metadata-complete="TRUE"/> | metadata-complete is "TRUE", which is taken for true.
                    <web-app><login-config><auth-method>NONE</auth-method></login-config></web-app> | The auth-method "NONE" is taken for none
                    <web-app><filter><filter-name>f</filter-name><filter-class>F</filter-class></filter><filter-mapping><filter-name>f</filter-name><url-pattern>/*</url-pattern><dispatcher>forward</dispatcher></filter-mapping></web-app> | The dispatcher "forward" is taken for FORWARD.
                    """)
    void warnsOfValuesInAnotherSpelling(String document, String warning) throws Exception {
        String root = "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.1\"";
        AssembledApp read = new FakeApp().webXml(document.replace("<web-app", root)).assemble();
        assertThat(read.warnings()).anyMatch(each -> each.contains(warning));
    }

    /// Other servers ignore both.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    http://java.sun.com/xml/ns/javaee" version="3.1 | Version 3.1 does not belong to the namespace "http://java.sun.com/xml/ns/javaee". Write xmlns="http://xmlns.jcp.org/xml/ns/javaee".
                    http://xmlns.jcp.org/xml/ns/javaee" version="6.0 | Version 6.0 does not belong to the namespace "http://xmlns.jcp.org/xml/ns/javaee". Write xmlns="https://jakarta.ee/xml/ns/jakartaee".
                    https://jakarta.ee/xml/ns/jakartaee             | <web-app> has no version. Add version="6.1".
                    """)
    void warnsOfTheVersionOfAnotherNamespace(String namespace, String warning) throws Exception {
        AssembledApp read =
                new FakeApp()
                        .webXml(
                                "<web-app xmlns=\"%s\"><display-name>shop</display-name></web-app>"
                                        .formatted(namespace))
                        .assemble();

        assertThat(read.draft().freeze().displayName()).isEqualTo("shop");
        assertThat(read.warnings()).containsExactly("WEB-INF/web.xml:1:1: " + warning);
    }

    /// Other servers ignore what breaks the schema but has a meaning.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    <mime-mapping><extension>a</extension><mime-type>text/x; charset=utf-8</mime-type></mime-mapping> | 4:83: The descriptor does not follow web-app_6_1.xsd: Value 'text/x; charset=utf-8'
                    <welcome-file-list/>                        | 4:21: The descriptor does not follow web-app_6_1.xsd: The content of element 'welcome-file-list' is not complete.
                    <distributable>true</distributable>         | 4:36: The descriptor does not follow web-app_6_1.xsd: Element 'distributable'
                    <security-role><role-name>a</role-name></security-role><security-role><role-name>a</role-name></security-role> | 4:95: The descriptor does not follow web-app_6_1.xsd: Duplicate key value [a]
                    """)
    void warnsOfWhatBreaksTheSchemaButHasAMeaning(String elements, String warning)
            throws Exception {
        AssembledApp read = new FakeApp().webXml(HEAD + elements + "\n</web-app>").assemble();

        assertThat(read.warnings()).hasSize(1);
        assertThat(read.warnings().getFirst()).startsWith("WEB-INF/web.xml:" + warning);
    }

    /// Other servers read them, and the author of the application cannot change the library.
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "http://xmlns.jcp.org/xml/ns/javaee, 6.0, https://jakarta.ee/xml/ns/jakartaee",
        "https://jakarta.ee/xml/ns/jakartaee, 3.0, http://java.sun.com/xml/ns/javaee",
    })
    void warnsOfTheVersionOfAFragmentThatBelongsToAnotherNamespace(
            String namespace, String version, String right) throws Exception {
        FakeApp app = new FakeApp();
        app.jar("cart")
                .with(
                        "META-INF/web-fragment.xml",
                        """
                        <web-fragment xmlns="%s" version="%s">
                          <listener><listener-class>A</listener-class></listener>
                        </web-fragment>
                        """
                                .formatted(namespace, version)
                                .getBytes(StandardCharsets.UTF_8));

        AssembledApp read = app.assemble();

        assertThat(read.draft().freeze().listeners()).hasSize(1);
        assertThat(read.warnings())
                .containsExactly(
                        "WEB-INF/lib/cart.jar!/META-INF/web-fragment.xml:1:1: Version %s does not belong to the namespace \"%s\". Write xmlns=\"%s\"."
                                .formatted(version, namespace, right));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"http://example.com, 6.1", "https://jakarta.ee/xml/ns/jakartaee, 7.0"})
    void refusesAFragmentOfAnUnknownNamespaceOrVersion(String namespace, String version)
            throws IOException {
        FakeApp app = new FakeApp();
        app.jar("cart")
                .with(
                        "META-INF/web-fragment.xml",
                        "<web-fragment xmlns=\"%s\" version=\"%s\"/>"
                                .formatted(namespace, version)
                                .getBytes(StandardCharsets.UTF_8));

        assertThat(app.refusal())
                .startsWith("WEB-INF/lib/cart.jar!/META-INF/web-fragment.xml:1:1: ");
    }

    @Test
    void namesFragment() throws IOException {
        FakeApp app = new FakeApp();
        app.jar("cart").fragment("\n <module-name>a</module-name>");

        assertThat(app.refusal())
                .startsWith(
                        "WEB-INF/lib/cart.jar!/META-INF/web-fragment.xml:2:2: <module-name> is not an"
                                + " element of <web-fragment>.");
    }
}
