package dev.serval.servlet.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.ErrorPage;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.JspDescription;
import dev.serval.servlet.descriptor.ListenerDescription;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.descriptor.NamingDescription.EnvEntry;
import dev.serval.servlet.descriptor.NamingDescription.InjectionTarget;
import dev.serval.servlet.descriptor.NamingDescription.LifecycleMethod;
import dev.serval.servlet.descriptor.NamingDescription.Reference;
import dev.serval.servlet.descriptor.SecurityDescription;
import dev.serval.servlet.descriptor.SecurityDescription.Constraint;
import dev.serval.servlet.descriptor.SecurityDescription.Transport;
import dev.serval.servlet.descriptor.ServletDescription;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.SessionTrackingMode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The elements of web.xml (Servlet 6.1 §14).
final class WebXmlTest {
    private static final String SERVLET =
            "<servlet><servlet-name>cart</servlet-name><servlet-class>com.example.Cart</servlet-class>%s</servlet>";

    private static final String SECURITY =
            """
            <security-constraint>
              <display-name>all</display-name>
              <web-resource-collection>
                <web-resource-name>carts</web-resource-name>
                <url-pattern>/cart/*</url-pattern>
                <http-method>GET</http-method>
                <http-method>POST</http-method>
              </web-resource-collection>
              <web-resource-collection>
                <web-resource-name>rest</web-resource-name>
                <url-pattern>/rest</url-pattern>
                <http-method-omission>PUT</http-method-omission>
              </web-resource-collection>
              <auth-constraint><role-name>clerk</role-name></auth-constraint>
              <user-data-constraint><transport-guarantee>CONFIDENTIAL</transport-guarantee></user-data-constraint>
            </security-constraint>
            <security-constraint>
              <web-resource-collection>
                <web-resource-name>no</web-resource-name>
                <url-pattern>/no</url-pattern>
              </web-resource-collection>
              <auth-constraint/>
            </security-constraint>
            <security-constraint>
              <web-resource-collection>
                <web-resource-name>open</web-resource-name>
                <url-pattern>/open</url-pattern>
              </web-resource-collection>
            </security-constraint>
            <login-config>
              <auth-method>FORM</auth-method>
              <realm-name>shop</realm-name>
              <form-login-config>
                <form-login-page>/login</form-login-page>
                <form-error-page>/failed</form-error-page>
              </form-login-config>
            </login-config>
            <security-role><role-name>clerk</role-name></security-role>
            """;

    @ParameterizedTest(name = "§14.1: version {0}.{1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    2|2|<!DOCTYPE web-app PUBLIC "-//Sun Microsystems, Inc.//DTD Web Application 2.2//EN" "http://java.sun.com/j2ee/dtds/web-app_2_2.dtd"><web-app>
                    2|3|<!DOCTYPE web-app PUBLIC "-//Sun Microsystems, Inc.//DTD Web Application 2.3//EN" "http://java.sun.com/dtd/web-app_2_3.dtd"><web-app>
                    2|4|<web-app xmlns="http://java.sun.com/xml/ns/j2ee" version="2.4">
                    2|5|<web-app xmlns="http://java.sun.com/xml/ns/javaee" version="2.5">
                    3|0|<web-app xmlns="http://java.sun.com/xml/ns/javaee" version="3.0">
                    3|1|<web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="3.1">
                    4|0|<web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0">
                    5|0|<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="5.0">
                    6|0|<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                    6|1|<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                    6|1|<web-app>
                    4|0|<web-app version="4.0">
                    """)
    void readsEveryVersion(int major, int minor, String start)
            throws DescriptorException, IOException {
        AppDescription app =
                new FakeApp()
                        .webXml(
                                start
                                        + """
                                        <display-name> Shop </display-name>
                                        <context-param>
                                          <param-name>a</param-name>
                                          <param-value> 1 </param-value>
                                        </context-param>
                                        <servlet>
                                          <servlet-name>cart</servlet-name>
                                          <servlet-class>
                                            com.example.Cart
                                          </servlet-class>
                                          <load-on-startup>2</load-on-startup>
                                        </servlet>
                                        <servlet-mapping>
                                          <servlet-name>cart</servlet-name>
                                          <url-pattern>/cart/*</url-pattern>
                                        </servlet-mapping>
                                        <session-config><session-timeout>5</session-timeout></session-config>
                                        <welcome-file-list><welcome-file>index.html</welcome-file></welcome-file-list>
                                        </web-app>\
                                        """)
                        .description();

        assertThat(app.majorVersion()).isEqualTo(major);
        assertThat(app.minorVersion()).isEqualTo(minor);
        assertThat(app.displayName()).isEqualTo("Shop");
        assertThat(app.contextParams()).containsExactly(entry("a", "1"));
        assertThat(app.session().timeoutMinutes()).isEqualTo(5);
        assertThat(app.welcomeFiles()).containsExactly("index.html");
        ServletDescription servlet = app.servlets().getFirst();
        assertThat(servlet.component()).isEqualTo(new Component.Named("com.example.Cart"));
        assertThat(servlet.urlPatterns()).containsExactly("/cart/*");
        assertThat(servlet.loadOnStartup()).isEqualTo(2);
    }

    @Test
    void isEmptyWithoutWebXml() throws DescriptorException, IOException {
        AppDescription app = new FakeApp().description();

        assertThat(app.majorVersion()).isEqualTo(6);
        assertThat(app.minorVersion()).isEqualTo(1);
        assertThat(app.servlets()).isEmpty();
        assertThat(app.session().timeoutMinutes()).isEqualTo(30);
        assertThat(app.session().cookie().name()).isEqualTo("JSESSIONID");
        assertThat(app.distributable()).isFalse();
        assertThat(app.metadataComplete()).isFalse();
    }

    @Test
    void readsServlet() throws DescriptorException, IOException {
        ServletDescription servlet =
                servlet(
                        """
                        <init-param><param-name>a</param-name><param-value>1</param-value></init-param>
                        <init-param><param-name>b</param-name><param-value/></init-param>
                        <init-param><param-name>a</param-name><param-value>2</param-value></init-param>
                        <load-on-startup>0</load-on-startup>
                        <enabled>false</enabled>
                        <async-supported>true</async-supported>
                        <run-as><role-name>clerk</role-name></run-as>
                        <security-role-ref><role-name>admin</role-name></security-role-ref>
                        <multipart-config>
                          <location>up</location>
                          <max-file-size>10</max-file-size>
                          <max-request-size>20</max-request-size>
                          <file-size-threshold>5</file-size-threshold>
                        </multipart-config>
                        """);

        assertThat(servlet.initParams()).containsExactly(entry("a", "1"), entry("b", ""));
        assertThat(servlet.loadOnStartup()).isZero();
        assertThat(servlet.enabled()).isFalse();
        assertThat(servlet.asyncSupported()).isTrue();
        assertThat(servlet.runAs()).isEqualTo("clerk");
        assertThat(servlet.roleLinks()).containsExactly(entry("admin", "admin"));
        assertThat(servlet.multipart()).isEqualTo(new MultipartLimits("up", 10, 20, 5));
        assertThat(servlet.origin().where()).isEqualTo("WEB-INF/web.xml");
    }

    @Test
    void servletHasDefaults() throws DescriptorException, IOException {
        ServletDescription servlet = servlet("");

        assertThat(servlet.loadOnStartup()).isEqualTo(-1);
        assertThat(servlet.enabled()).isTrue();
        assertThat(servlet.asyncSupported()).isFalse();
        assertThat(servlet.multipart()).isNull();
        assertThat(servlet.runAs()).isNull();
        assertThat(servlet("<multipart-config/>").multipart())
                .isEqualTo(new MultipartLimits("", -1, -1, 0));
    }

    @ParameterizedTest(name = "§14.4: load-on-startup \"{0}\" is {1}")
    @CsvSource({"'',0", "' 7 ',7", "-1,-1", "-5,-1", "0,0"})
    void readsLoadOnStartup(String text, int order) throws DescriptorException, IOException {
        assertThat(servlet("<load-on-startup>" + text + "</load-on-startup>").loadOnStartup())
                .isEqualTo(order);
    }

    @Test
    void readsJspFile() throws DescriptorException, IOException {
        ServletDescription servlet =
                new FakeApp()
                        .web(
                                "<servlet><servlet-name>j</servlet-name><jsp-file>/a.jsp</jsp-file></servlet>")
                        .servlet("j");

        assertThat(servlet.component()).isEqualTo(new Component.JspFile("/a.jsp"));
    }

    @Test
    void readsFiltersAndMappingsInOrder() throws DescriptorException, IOException {
        AppDescription app =
                new FakeApp()
                        .web(
                                """
                                <filter-mapping>
                                  <filter-name>b</filter-name>
                                  <url-pattern>/x</url-pattern>
                                  <servlet-name>cart</servlet-name>
                                  <url-pattern>*.jsp</url-pattern>
                                  <dispatcher>FORWARD</dispatcher>
                                  <dispatcher>ASYNC</dispatcher>
                                </filter-mapping>
                                <filter>
                                  <filter-name>a</filter-name>
                                  <filter-class>com.example.A</filter-class>
                                  <async-supported>true</async-supported>
                                  <init-param><param-name>p</param-name><param-value>v</param-value></init-param>
                                </filter>
                                <filter>
                                  <filter-name>b</filter-name>
                                  <filter-class>com.example.B</filter-class>
                                </filter>
                                <filter-mapping>
                                  <filter-name>a</filter-name>
                                  <url-pattern>/*</url-pattern>
                                </filter-mapping>
                                """)
                        .description();

        assertThat(app.filters()).extracting("name").containsExactly("a", "b");
        assertThat(app.filters().get(0).asyncSupported()).isTrue();
        assertThat(app.filters().get(1).asyncSupported()).isFalse();
        assertThat(app.filters().get(0).initParams()).containsExactly(entry("p", "v"));
        assertThat(app.filterMappings())
                .extracting(FilterMapping::target)
                .containsExactly(
                        new FilterMapping.Target.Pattern("/x"),
                        new FilterMapping.Target.Servlet("cart"),
                        new FilterMapping.Target.Pattern("*.jsp"),
                        new FilterMapping.Target.Pattern("/*"));
        assertThat(app.filterMappings().get(0).dispatchers())
                .containsExactlyInAnyOrder(DispatcherType.FORWARD, DispatcherType.ASYNC);
        assertThat(app.filterMappings().get(3).dispatchers())
                .containsExactly(DispatcherType.REQUEST);
    }

    @Test
    void readsListenersOnce() throws DescriptorException, IOException {
        AppDescription app =
                new FakeApp()
                        .web(
                                """
                                <listener><listener-class>com.example.B</listener-class></listener>
                                <listener><listener-class>com.example.A</listener-class></listener>
                                <listener><listener-class>com.example.B</listener-class></listener>
                                """)
                        .description();

        assertThat(app.listeners())
                .extracting(ListenerDescription::component)
                .extracting(Component::text)
                .containsExactly("com.example.B", "com.example.A");
    }

    @Test
    void readsSessionConfig() throws DescriptorException, IOException {
        AppDescription app =
                new FakeApp()
                        .web(
                                """
                                <session-config>
                                  <session-timeout>-1</session-timeout>
                                  <cookie-config>
                                    <name>SID</name>
                                    <domain>example.com</domain>
                                    <path>/shop</path>
                                    <comment>ignored</comment>
                                    <http-only>true</http-only>
                                    <secure>false</secure>
                                    <max-age>600</max-age>
                                    <attribute>
                                      <attribute-name>samesite</attribute-name>
                                      <attribute-value>Strict</attribute-value>
                                    </attribute>
                                    <attribute>
                                      <attribute-name>Partitioned</attribute-name>
                                      <attribute-value/>
                                    </attribute>
                                  </cookie-config>
                                  <tracking-mode>COOKIE</tracking-mode>
                                  <tracking-mode>URL</tracking-mode>
                                </session-config>
                                """)
                        .description();

        assertThat(app.session().timeoutMinutes()).isEqualTo(-1);
        assertThat(app.session().cookie().name()).isEqualTo("SID");
        assertThat(app.session().cookie().attributes())
                .containsOnly(
                        entry("Domain", "example.com"),
                        entry("Path", "/shop"),
                        entry("HttpOnly", "true"),
                        entry("Secure", "false"),
                        entry("Max-Age", "600"),
                        entry("SameSite", "Strict"),
                        entry("Partitioned", ""));
        assertThat(app.session().tracking())
                .containsExactlyInAnyOrder(SessionTrackingMode.COOKIE, SessionTrackingMode.URL);
    }

    @Test
    void readsErrorPages() throws DescriptorException, IOException {
        AppDescription app =
                new FakeApp()
                        .web(
                                """
                                <error-page><error-code>404</error-code><location>/404.html</location></error-page>
                                <error-page><exception-type>java.io.IOException</exception-type><location>/io.jsp</location></error-page>
                                <error-page><location>/all.html</location></error-page>
                                """)
                        .description();

        assertThat(app.errorPages())
                .extracting(ErrorPage::code, ErrorPage::exceptionType, ErrorPage::location)
                .containsExactly(
                        tuple(404, null, "/404.html"),
                        tuple(0, "java.io.IOException", "/io.jsp"),
                        tuple(0, null, "/all.html"));
    }

    @Test
    void readsValues() throws DescriptorException, IOException {
        AppDescription app =
                new FakeApp()
                        .web(
                                """
                                <module-name>shop</module-name>
                                <default-context-path>/shop</default-context-path>
                                <request-character-encoding>UTF-8</request-character-encoding>
                                <response-character-encoding>ISO-8859-1</response-character-encoding>
                                <distributable/>
                                <deny-uncovered-http-methods/>
                                <mime-mapping><extension>md</extension><mime-type>text/markdown</mime-type></mime-mapping>
                                <locale-encoding-mapping-list>
                                  <locale-encoding-mapping><locale>ja</locale><encoding>Shift_JIS</encoding></locale-encoding-mapping>
                                </locale-encoding-mapping-list>
                                <welcome-file-list><welcome-file>b.jsp</welcome-file></welcome-file-list>
                                <welcome-file-list><welcome-file>/a/c.html</welcome-file></welcome-file-list>
                                """)
                        .description();

        assertThat(app.moduleName()).isEqualTo("shop");
        assertThat(app.defaultContextPath()).isEqualTo("/shop");
        assertThat(app.encodings().ofRequests()).isEqualTo("UTF-8");
        assertThat(app.encodings().ofResponses()).isEqualTo("ISO-8859-1");
        assertThat(app.distributable()).isTrue();
        assertThat(app.security().denyUncovered()).isTrue();
        assertThat(app.mediaTypes()).containsOnly(entry("md", "text/markdown"));
        assertThat(app.encodings().ofLocales()).containsOnly(entry("ja", "Shift_JIS"));
        assertThat(app.welcomeFiles()).containsExactly("b.jsp", "a/c.html");
    }

    @Test
    void rootContextPathIsEmpty() throws DescriptorException, IOException {
        AppDescription app =
                new FakeApp().web("<default-context-path>/</default-context-path>").description();

        assertThat(app.defaultContextPath()).isEmpty();
    }

    @Test
    void readsNaming() throws DescriptorException, IOException {
        AppDescription app =
                new FakeApp()
                        .web(
                                """
                                <env-entry>
                                  <env-entry-name>max</env-entry-name>
                                  <env-entry-type>java.lang.Integer</env-entry-type>
                                  <env-entry-value>3</env-entry-value>
                                  <injection-target>
                                    <injection-target-class>com.example.Cart</injection-target-class>
                                    <injection-target-name>max</injection-target-name>
                                  </injection-target>
                                </env-entry>
                                <env-entry>
                                  <env-entry-name>other</env-entry-name>
                                  <lookup-name>java:comp/env/max</lookup-name>
                                </env-entry>
                                <resource-ref>
                                  <res-ref-name>jdbc/db</res-ref-name>
                                  <res-type>javax.sql.DataSource</res-type>
                                  <res-auth>Container</res-auth>
                                </resource-ref>
                                <resource-env-ref>
                                  <resource-env-ref-name>queue</resource-env-ref-name>
                                  <resource-env-ref-type>com.example.Queue</resource-env-ref-type>
                                </resource-env-ref>
                                <post-construct>
                                  <lifecycle-callback-class>com.example.Cart</lifecycle-callback-class>
                                  <lifecycle-callback-method>begin</lifecycle-callback-method>
                                </post-construct>
                                <pre-destroy>
                                  <lifecycle-callback-method>end</lifecycle-callback-method>
                                </pre-destroy>
                                """)
                        .description();

        List<EnvEntry> entries = app.naming().envEntries();
        assertThat(entries).extracting(EnvEntry::name).containsExactly("max", "other");
        assertThat(entries.get(0).type()).isEqualTo("java.lang.Integer");
        assertThat(entries.get(0).value()).isEqualTo("3");
        assertThat(entries.get(0).targets())
                .containsExactly(new InjectionTarget("com.example.Cart", "max"));
        assertThat(entries.get(0).origin().line()).isEqualTo(1);
        assertThat(entries.get(1).value()).isNull();
        assertThat(entries.get(1).lookupName()).isEqualTo("java:comp/env/max");
        assertThat(app.naming().references())
                .extracting(Reference::kind, Reference::name)
                .containsExactly(
                        tuple("resource-ref", "jdbc/db"), tuple("resource-env-ref", "queue"));
        assertThat(app.naming().references().getFirst().values())
                .containsEntry("res-type", "javax.sql.DataSource");
        assertThat(app.naming().postConstruct())
                .extracting(LifecycleMethod::className, LifecycleMethod::method)
                .containsExactly(tuple("com.example.Cart", "begin"));
        assertThat(app.naming().preDestroy())
                .extracting(LifecycleMethod::className, LifecycleMethod::method)
                .containsExactly(tuple(null, "end"));
    }

    @Test
    void readsSecurity() throws DescriptorException, IOException {
        SecurityDescription security = new FakeApp().web(SECURITY).description().security();

        Constraint first = security.constraints().getFirst();
        assertThat(first.name()).isEqualTo("all");
        assertThat(first.roles()).containsExactly("clerk");
        assertThat(first.transport()).isEqualTo(Transport.CONFIDENTIAL);
        assertThat(first.resources().get(0).methods()).containsExactlyInAnyOrder("GET", "POST");
        assertThat(first.resources().get(0).urlPatterns()).containsExactly("/cart/*");
        assertThat(first.resources().get(1).omittedMethods()).containsExactly("PUT");
        assertThat(security.constraints().get(1).roles()).isEmpty();
        assertThat(security.constraints().get(2).roles()).isNull();
        assertThat(security.constraints().get(2).transport()).isEqualTo(Transport.NONE);
        assertThat(security.roles()).containsExactly("clerk");
        assertThat(security.login())
                .isNotNull()
                .extracting("method", "realm", "loginPage", "errorPage")
                .containsExactly("FORM", "shop", "/login", "/failed");
        assertThat(security.denyUncovered()).isFalse();
    }

    @Test
    void readsJspConfig() throws DescriptorException, IOException {
        JspDescription jsp =
                new FakeApp()
                        .web(
                                """
                                <jsp-config>
                                  <taglib><taglib-uri>/tags</taglib-uri><taglib-location>/WEB-INF/t.tld</taglib-location></taglib>
                                  <jsp-property-group>
                                    <url-pattern>*.jsp</url-pattern>
                                    <url-pattern>/jsp/*</url-pattern>
                                    <page-encoding>UTF-8</page-encoding>
                                    <include-prelude>/a.jspf</include-prelude>
                                    <include-coda>/b.jspf</include-coda>
                                  </jsp-property-group>
                                </jsp-config>
                                """)
                        .description()
                        .jsp();

        assertThat(jsp.taglibs())
                .containsExactly(new JspDescription.Taglib("/tags", "/WEB-INF/t.tld"));
        assertThat(jsp.groups().getFirst().urlPatterns()).containsExactly("*.jsp", "/jsp/*");
        assertThat(jsp.groups().getFirst().values()).isEqualTo(Map.of("page-encoding", "UTF-8"));
        assertThat(jsp.groups().getFirst().includePreludes()).containsExactly("/a.jspf");
        assertThat(jsp.groups().getFirst().includeCodas()).containsExactly("/b.jspf");
    }

    @ParameterizedTest(name = "§12.2: \"{0}\" is a pattern")
    @ValueSource(strings = {"", "/", "/*", "/a", "/a/*", "*.jsp", "*.tar.gz", "/a b", "/a*", "/ä"})
    void keepsPatterns(String pattern) throws DescriptorException, IOException {
        assertThat(mapped(pattern).servlet("cart").urlPatterns()).containsExactly(pattern);
    }

    @Test
    void addsSlashBeforeVersion24() throws DescriptorException, IOException {
        FakeApp app =
                new FakeApp()
                        .webXml(
                                """
                                <!DOCTYPE web-app PUBLIC "-//Sun Microsystems, Inc.//DTD Web Application 2.3//EN" "x">
                                <web-app>
                                <servlet><servlet-name>s</servlet-name><servlet-class>S</servlet-class></servlet>
                                <servlet-mapping><servlet-name>s</servlet-name><url-pattern>cart</url-pattern></servlet-mapping>
                                <error-page><error-code>404</error-code><location>404.html</location></error-page>
                                <taglib><taglib-uri>u</taglib-uri><taglib-location>l</taglib-location></taglib>
                                </web-app>\
                                """);

        assertThat(app.servlet("s").urlPatterns()).containsExactly("/cart");
        assertThat(app.description().errorPages().getFirst().location()).isEqualTo("/404.html");
        assertThat(app.description().jsp().taglibs()).hasSize(1);
    }

    @Test
    void oldVersionsMayHaveAnyOrderOfElements() throws DescriptorException, IOException {
        FakeApp app =
                new FakeApp()
                        .webXml(
                                """
                                <web-app xmlns="http://java.sun.com/xml/ns/j2ee" version="2.4">
                                <servlet><servlet-class>S</servlet-class><servlet-name>s</servlet-name></servlet>
                                </web-app>\
                                """);

        assertThat(app.servlet("s").component().text()).isEqualTo("S");
        assertThat(Set.of(app.description().majorVersion())).containsExactly(2);
    }

    @Test
    void mappingMayComeBeforeServlet() throws DescriptorException, IOException {
        FakeApp app =
                new FakeApp()
                        .web(
                                "<servlet-mapping><servlet-name>cart</servlet-name><url-pattern>/a</url-pattern></servlet-mapping>"
                                        + SERVLET.formatted("")
                                        + "<servlet-mapping><servlet-name>cart</servlet-name><url-pattern>/b</url-pattern></servlet-mapping>");

        assertThat(app.servlet("cart").urlPatterns()).containsExactly("/a", "/b");
    }

    private static ServletDescription servlet(String elements)
            throws DescriptorException, IOException {
        String role = "<security-role><role-name>admin</role-name></security-role>";
        return new FakeApp().web(role + SERVLET.formatted(elements)).servlet("cart");
    }

    private static FakeApp mapped(String pattern) {
        return new FakeApp()
                .web(
                        SERVLET.formatted("")
                                + "<servlet-mapping><servlet-name>cart</servlet-name><url-pattern>"
                                + pattern
                                + "</url-pattern></servlet-mapping>");
    }
}
